// achd_controller.cpp: see achd_controller.hpp
#include "achd_controller/achd_controller.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "hardware_interface/types/hardware_interface_type_values.hpp"
#include "pluginlib/class_list_macros.hpp"
#include "rclcpp/rclcpp.hpp"

namespace achd_controller {

using controller_interface::CallbackReturn;
using controller_interface::interface_configuration_type;
using controller_interface::InterfaceConfiguration;
using controller_interface::return_type;

namespace {

// Humble and Jazzy: get_value() is a double; later ones: get_optional(), which may have none.
template <typename T, typename = void> struct has_optional : std::false_type {};
template <typename T>
struct has_optional<T, std::void_t<decltype(std::declval<const T &>().get_optional())>>
    : std::true_type {};

template <typename T> double value_of(const T &interface) {
  if constexpr (has_optional<T>::value) {
    const auto value = interface.get_optional();
    return value ? static_cast<double>(*value) : std::nan("");
  } else {
    return interface.get_value();
  }
}

[[noreturn]] void fail(const std::string &what) {
  throw std::runtime_error(what);
}

// Rotation matrix of a unit quaternion w x y z, row by row.
std::array<double, 9> rotation_of(double w, double x, double y, double z) {
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

// The rotation vector that turns R into goal, log(goal R^T), components in the base's axes [rad]. By the quaternion of
// the difference, which is exact enough at every angle, pi included (Shepperd 1978).
std::array<double, 3> turn(const std::array<double, 9> &goal, const std::array<double, 9> &R) {
  double D[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      D[i][k] = 0;
      for (int j = 0; j < 3; j++) D[i][k] += goal[3 * i + j] * R[3 * k + j];
    }
  const double trace = D[0][0] + D[1][1] + D[2][2];
  std::array<double, 4> q{}; // w x y z
  if (trace > std::max({D[0][0], D[1][1], D[2][2]})) {
    q = {1 + trace, D[2][1] - D[1][2], D[0][2] - D[2][0], D[1][0] - D[0][1]};
  } else {
    const int i = D[0][0] >= D[1][1] && D[0][0] >= D[2][2] ? 0 : D[1][1] >= D[2][2] ? 1 : 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = D[k][j] - D[j][k];
    q[1 + i] = 1 + D[i][i] - D[j][j] - D[k][k];
    q[1 + j] = D[j][i] + D[i][j];
    q[1 + k] = D[k][i] + D[i][k];
  }
  if (q[0] < 0)
    for (double &number : q) number = -number;
  const double sine = std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double scale = sine > 1e-12 * q[0] ? 2 * std::atan2(sine, q[0]) / sine : 2 / q[0];
  return {scale * q[1], scale * q[2], scale * q[3]};
}

// v, no longer than most.
std::array<double, 3> at_most(const std::array<double, 3> &v, double most) {
  const double norm = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double scale = norm > most ? most / norm : 1;
  return {scale * v[0], scale * v[1], scale * v[2]};
}

// One number for each row, or one for all of them.
std::vector<double> by_row(const std::vector<double> &given, std::size_t rows,
                           const std::string &name) {
  for (const double number : given)
    if (!(number >= 0) || std::isinf(number))
      fail("the parameter " + name + " has a number that is negative or none");
  if (given.size() == 1) return std::vector<double>(rows, given[0]);
  if (given.size() != rows)
    fail("the parameter " + name + " has " + std::to_string(given.size()) +
         " numbers; the group has " + std::to_string(rows) + " rows");
  return given;
}

double positive(double number, const std::string &name) {
  if (!(number > 0)) fail("the parameter " + name + " must be positive");
  return number;
}

} // namespace

CallbackReturn AchdController::on_init() {
  try {
    auto_declare<std::string>("library", "");
    auto_declare<std::string>("layout", "");
    auto_declare<std::string>("group", "");
    auto_declare<std::string>("task", "hold");
    auto_declare<std::vector<double>>("goal_position", {});
    auto_declare<std::vector<double>>("goal_quaternion", {});
    auto_declare<std::vector<double>>("stiffness", {40.0});
    auto_declare<std::vector<double>>("damping", {13.0});
    auto_declare<double>("max_linear_acceleration", 2.0);
    auto_declare<double>("max_angular_acceleration", 4.0);
    auto_declare<double>("joint_damping", 2.0);
  } catch (const std::exception &error) {
    RCLCPP_ERROR(get_node()->get_logger(), "%s", error.what());
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

InterfaceConfiguration AchdController::command_interface_configuration() const {
  InterfaceConfiguration used{interface_configuration_type::INDIVIDUAL, {}};
  if (library_.is_open())
    for (const auto &joint : library_.joints())
      used.names.push_back(joint + "/" + hardware_interface::HW_IF_EFFORT);
  return used;
}

InterfaceConfiguration AchdController::state_interface_configuration() const {
  InterfaceConfiguration used{interface_configuration_type::INDIVIDUAL, {}};
  if (library_.is_open())
    for (const auto &joint : library_.joints())
      for (const char *kind :
           {hardware_interface::HW_IF_POSITION, hardware_interface::HW_IF_VELOCITY})
        used.names.push_back(joint + "/" + kind);
  return used;
}

CallbackReturn AchdController::on_configure(const rclcpp_lifecycle::State &) {
  const auto node = get_node();
  const auto words = [&](const char *name) { return node->get_parameter(name).as_string(); };
  const auto numbers = [&](const char *name) {
    return node->get_parameter(name).as_double_array();
  };
  const auto number = [&](const char *name) { return node->get_parameter(name).as_double(); };
  try {
    if (words("library").empty())
      fail("the parameter library is empty: name the shared library that achdgen made for the "
           "robot");
    library_.open(words("library"));
    const std::string layout = words("layout");
    const auto inputs = library_.inputs();
    if (!layout.empty() && std::find(inputs.begin(), inputs.end(), layout) == inputs.end())
      fail("the library was not made from the layout " + layout + ", but from " + inputs.back());
    std::string group = words("group"), frame, axes;
    rows_ = library_.rows(group, frame, axes);
    along_link_ = axes == "link";

    achd_ = library_.function("achd");
    gravity_ = library_.function("gravity");
    fk_ = library_.function("fk");
    fvk_ = library_.function("fvk");
    achd_q_ = achd_.input("q");
    achd_qd_ = achd_.input("qd");
    if (!achd_.has_input("tau_art"))
      fail("the layout has no feed-forward torques: add torques = { artificial = true }");
    achd_tau_art_ = achd_.input("tau_art");
    achd_b_ = achd_.input("b");
    achd_tau_ = achd_.output("tau_ctrl");
    gravity_q_ = gravity_.input("q");
    gravity_tau_ = gravity_.output("tau");
    fk_q_ = fk_.input("q");
    fk_pose_ = fk_.output("pose." + frame);
    fvk_q_ = fvk_.input("q");
    fvk_qd_ = fvk_.input("qd");
    fvk_twist_ = fvk_.output("twist." + frame);
    if (achd_tau_.size() != achd_q_.size())
      fail("the robot has joints without motors: this controller needs one at each joint");

    stiffness_ = by_row(numbers("stiffness"), rows_.size(), "stiffness");
    damping_ = by_row(numbers("damping"), rows_.size(), "damping");
    most_linear_ = positive(number("max_linear_acceleration"), "max_linear_acceleration");
    most_angular_ = positive(number("max_angular_acceleration"), "max_angular_acceleration");
    joint_damping_ = by_row({number("joint_damping")}, 1, "joint_damping")[0];

    const std::string task = words("task");
    if (task != "hold" && task != "pose")
      fail("the parameter task is \"" + task + "\": write hold or pose");
    hold_ = task == "hold";
    if (!hold_) {
      const auto p = numbers("goal_position"), q = numbers("goal_quaternion");
      if (p.size() != 3) fail("the parameter goal_position needs three numbers, x y z [m]");
      if (q.size() != 4) fail("the parameter goal_quaternion needs four numbers, w x y z");
      const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      if (!(std::abs(norm - 1) < 1e-3)) fail("the parameter goal_quaternion is no unit quaternion");
      if (!(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])))
        fail("the parameter goal_position has a number that is none");
      std::copy(p.begin(), p.end(), goal_p_.begin());
      goal_R_ = rotation_of(q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm);
    }
    bad_ = library_.do_not_command();
    effort_ = library_.efforts();
    const std::size_t joints = achd_q_.size();
    q_.assign(joints, 0);
    qd_.assign(joints, 0);
    tau_.assign(joints, 0);
    still_.assign(joints, 0);
    RCLCPP_INFO(node->get_logger(), "%zu rows of %s at %s, %zu joints", rows_.size(), group.c_str(),
                frame.c_str(), joints);
  } catch (const std::exception &error) {
    RCLCPP_ERROR(node->get_logger(), "%s", error.what());
    library_.close();
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

bool AchdController::read_joints() {
  bool finite = true;
  for (std::size_t i = 0; i < q_.size(); i++) {
    q_[i] = value_of(state_interfaces_[2 * i]);
    qd_[i] = value_of(state_interfaces_[2 * i + 1]);
    finite = finite && std::isfinite(q_[i]) && std::isfinite(qd_[i]);
  }
  return finite;
}

// Pose and velocity of the frame, base axes.
void AchdController::read_frame() {
  for (std::size_t i = 0; i < q_.size(); i++) {
    fk_.set(fk_q_, i, q_[i]);
    fvk_.set(fvk_q_, i, q_[i]);
    fvk_.set(fvk_qd_, i, qd_[i]);
  }
  (void)fk_.call();
  (void)fvk_.call();
  for (std::size_t i = 0; i < 3; i++) {
    p_[i] = fk_.get(fk_pose_, i);
    linear_[i] = fvk_.get(fvk_twist_, i);
    angular_[i] = fvk_.get(fvk_twist_, 3 + i);
  }
  for (std::size_t i = 0; i < 9; i++) R_[i] = fk_.get(fk_pose_, 3 + i);
}

CallbackReturn AchdController::on_activate(const rclcpp_lifecycle::State &) {
  if (command_interfaces_.size() != q_.size() || state_interfaces_.size() != 2 * q_.size()) {
    RCLCPP_ERROR(get_node()->get_logger(),
                 "the hardware does not offer effort, position and velocity of every joint");
    return CallbackReturn::ERROR;
  }
  failed_ = false;
  if (!read_joints()) {
    RCLCPP_ERROR(get_node()->get_logger(), "a joint's position or velocity is no number");
    return CallbackReturn::ERROR;
  }
  if (!stand_still()) { // for a sensor that dies before the first cycle
    RCLCPP_ERROR(get_node()->get_logger(), "no torques hold the robot where it is");
    return CallbackReturn::ERROR;
  }
  read_frame();
  if (hold_) {
    goal_p_ = p_;
    goal_R_ = R_;
  }
  return CallbackReturn::SUCCESS;
}

CallbackReturn AchdController::on_deactivate(const rclcpp_lifecycle::State &) {
  return CallbackReturn::SUCCESS;
}

// The acceleration along each row that leads to the goal.
void AchdController::demand() {
  Vector e_linear{}, e_angular = turn(goal_R_, R_), v_linear = linear_, v_angular = angular_;
  for (std::size_t i = 0; i < 3; i++) e_linear[i] = goal_p_[i] - p_[i];
  if (along_link_) {
    const auto to_link = [this](const Vector &v) {
      Vector result{};
      for (std::size_t i = 0; i < 3; i++)
        for (std::size_t k = 0; k < 3; k++) result[i] += R_[3 * k + i] * v[k];
      return result;
    };
    e_linear = to_link(e_linear);
    e_angular = to_link(e_angular);
    v_linear = to_link(v_linear);
    v_angular = to_link(v_angular);
  }
  // the spring's pull is limited as a vector, the damper's is not: it may always brake
  Vector linear{}, angular{};
  const auto axis = [](const Row &row) { return static_cast<std::size_t>(row.name.back() - 'x'); };
  for (std::size_t k = 0; k < rows_.size(); k++)
    (rows_[k].angular ? angular : linear)[axis(rows_[k])] =
        stiffness_[k] * (rows_[k].angular ? e_angular : e_linear)[axis(rows_[k])];
  linear = at_most(linear, most_linear_);
  angular = at_most(angular, most_angular_);
  for (std::size_t k = 0; k < rows_.size(); k++) {
    const std::size_t i = axis(rows_[k]);
    const double pull = (rows_[k].angular ? angular : linear)[i],
                 speed = (rows_[k].angular ? v_angular : v_linear)[i];
    achd_.set(achd_b_, rows_[k].set_point, pull - damping_[k] * speed);
  }
}

// Torques that hold the robot where it is.
bool AchdController::stand_still() {
  for (std::size_t i = 0; i < q_.size(); i++) gravity_.set(gravity_q_, i, q_[i]);
  if (gravity_.call() & bad_) return false;
  for (std::size_t i = 0; i < q_.size(); i++) still_[i] = gravity_.get(gravity_tau_, i);
  return true;
}

// Torques of gravity, of the damping of all joints, of the rows.
bool AchdController::solve() {
  if (!stand_still()) return false;
  for (std::size_t i = 0; i < q_.size(); i++) {
    achd_.set(achd_q_, i, q_[i]);
    achd_.set(achd_qd_, i, qd_[i]);
    achd_.set(achd_tau_art_, i, still_[i] - joint_damping_ * qd_[i]);
  }
  if (achd_.call() & bad_) return false;
  for (std::size_t i = 0; i < q_.size(); i++) {
    tau_[i] = achd_.get(achd_tau_, i);
    if (!std::isfinite(tau_[i])) return false;
  }
  return true;
}

void AchdController::command() {
  for (std::size_t i = 0; i < tau_.size(); i++)
    (void)command_interfaces_[i].set_value(std::clamp(tau_[i], -effort_[i], effort_[i]));
}

return_type AchdController::update(const rclcpp::Time &, const rclcpp::Duration &) {
  bool good = read_joints() && !failed_;
  if (good) {
    read_frame();
    demand();
    good = solve();
  }
  if (!good) {
    failed_ = true; // until it is activated again
    tau_ = still_;
  }
  command();
  return good ? return_type::OK : return_type::ERROR;
}

} // namespace achd_controller

PLUGINLIB_EXPORT_CLASS(achd_controller::AchdController, controller_interface::ControllerInterface)
