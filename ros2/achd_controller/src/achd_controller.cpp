/* SPDX-License-Identifier: MIT */
// achd_controller.cpp: see achd_controller.hpp
#include "achd_controller/achd_controller.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
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

// Humble: get_value() is a double; since Jazzy: get_optional(), which may have none.
template <typename T, typename = void> struct has_optional : std::false_type {};
template <typename T>
struct has_optional<T, std::void_t<decltype(std::declval<const T &>().get_optional())>>
    : std::true_type {};

// Humble: set_value() returns nothing; since Jazzy whether it was set.
template <typename T> bool set(T &interface, double value) {
  if constexpr (std::is_void_v<decltype(interface.set_value(value))>) {
    interface.set_value(value);
    return true;
  } else {
    return interface.set_value(value);
  }
}

// robot_description, which controllers get since Jazzy; before, nothing.
template <typename T, typename = void> struct has_description : std::false_type {};
template <typename T>
struct has_description<T, std::void_t<decltype(std::declval<const T &>().get_robot_description())>>
    : std::true_type {};

template <typename T> std::string description_of(const T &controller) {
  if constexpr (has_description<T>::value)
    return controller.get_robot_description();
  else
    return std::string();
}

template <typename T> double value_of(const T &interface) {
  if constexpr (has_optional<T>::value) {
    const auto value = interface.get_optional();
    return value ? static_cast<double>(*value) : std::nan("");
  } else {
    return interface.get_value();
  }
}

[[noreturn]] void stop(const std::string &what) {
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
      stop("the parameter " + name + " has a number that is negative or none");
  if (given.size() == 1) return std::vector<double>(rows, given[0]);
  if (given.size() != rows)
    stop("the parameter " + name + " has " + std::to_string(given.size()) +
         " numbers; the group has " + std::to_string(rows) + " rows");
  return given;
}

// A unit quaternion w x y z, of one that is nearly one; false: it is none.
bool make_unit(double &w, double &x, double &y, double &z) {
  const double norm = std::sqrt(w * w + x * x + y * y + z * z);
  if (!(std::abs(norm - 1) < 1e-3)) return false;
  w /= norm, x /= norm, y /= norm, z /= norm;
  return true;
}

template <typename T> bool all_finite(const T &numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

const char *const fault_texts[] = {"",
                                   "a joint's position or velocity is no number",
                                   "no odometry has come yet: a moving base needs it",
                                   "the odometry is older than odometry.timeout",
                                   "no torques hold the robot where it is",
                                   "the solve failed",
                                   "a torque is no number",
                                   "the hardware did not take an effort"};

} // namespace

CallbackReturn AchdController::on_init() {
  try {
    listener_ = std::make_shared<ParamListener>(get_node());
    parameters_ = listener_->get_params();
  } catch (const std::exception &error) {
    RCLCPP_ERROR(get_node()->get_logger(), "%s", error.what());
    return CallbackReturn::ERROR;
  }
#ifndef ACHD_CONTROLLER_SHARED_REFERENCES
  reference_interfaces_.assign(GOAL_NAMES.size(), std::nan(""));
#endif
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

void AchdController::open_library() {
  if (parameters_.library.empty())
    stop("the parameter library is empty: name the shared library that achdgen made for the robot");
  library_.open(parameters_.library);
  const auto inputs = library_.inputs();
  if (!parameters_.layout.empty() &&
      std::find(inputs.begin(), inputs.end(), parameters_.layout) == inputs.end())
    stop("the library was not made from the layout " + parameters_.layout + ", but from " +
         inputs.back());
  if (parameters_.compare_description) {
    const std::string differs = library_.differs_from(description_of(*this));
    if (!differs.empty())
      stop("the library is of another robot than robot_description: " + differs +
           "; make it anew of that URDF, or set compare_description to false");
  }
}

void AchdController::open_functions(const std::string &frame) {
  achd_ = library_.function("achd");
  gravity_ = library_.function("gravity");
  fk_ = library_.function("fk");
  fvk_ = library_.function("fvk");
  achd_q_ = achd_.input("q");
  achd_qd_ = achd_.input("qd");
  if (!achd_.has_input("tau_art"))
    stop("the layout has no feed-forward torques: add torques = { artificial = true }");
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
    stop("the robot has joints without motors: this controller needs one at each joint");
  base_frame_ = library_.base_link();
  moves_ = library_.base_kind() != "fixed";
}

void AchdController::read_parameters() {
  stiffness_ = by_row(parameters_.gains.stiffness, rows_.size(), "gains.stiffness");
  damping_ = by_row(parameters_.gains.damping, rows_.size(), "gains.damping");
  hold_ = parameters_.task == "hold";
  if (hold_) return;
  const auto &p = parameters_.goal.position;
  auto q = parameters_.goal.quaternion;
  if (p.size() != 3) stop("the parameter goal.position needs three numbers, x y z [m]");
  if (q.size() != 4) stop("the parameter goal.quaternion needs four numbers, w x y z");
  if (!make_unit(q[0], q[1], q[2], q[3]))
    stop("the parameter goal.quaternion is no unit quaternion");
  if (!all_finite(p)) stop("the parameter goal.position has a number that is none");
  std::copy(p.begin(), p.end(), goal_p_.begin());
  goal_R_ = rotation_of(q[0], q[1], q[2], q[3]);
}

// Goals, odometry and status. Callbacks run in the executor's thread.
void AchdController::open_topics() {
  const auto node = get_node();
  const rclcpp::QoS newest(1);
  const auto ask = [this](Goal goal) {
    const bool whole = make_unit(goal[3], goal[4], goal[5], goal[6]) && all_finite(goal);
    if (whole)
      asked_.set(goal);
    else
      refused_++;
    return whole;
  };
  goal_topic_ = node->create_subscription<geometry_msgs::msg::PoseStamped>(
      "~/goal", newest, [this, ask](const geometry_msgs::msg::PoseStamped::ConstSharedPtr message) {
        const auto &in = message->header.frame_id;
        const auto &p = message->pose.position;
        const auto &q = message->pose.orientation;
        if (!moves_ && !in.empty() && in != base_frame_) {
          refused_++;
          RCLCPP_WARN(get_node()->get_logger(), "~/goal is in the frame %s, not in %s: ignored",
                      in.c_str(), base_frame_.c_str());
        } else if (!ask({p.x, p.y, p.z, q.w, q.x, q.y, q.z})) {
          RCLCPP_WARN(get_node()->get_logger(),
                      "~/goal has a number that is none, or no unit quaternion: ignored");
        }
      });
  point_topic_ = node->create_subscription<trajectory_msgs::msg::MultiDOFJointTrajectoryPoint>(
      "~/goal_point", newest,
      [this, ask](const trajectory_msgs::msg::MultiDOFJointTrajectoryPoint::ConstSharedPtr point) {
        if (point->transforms.size() != 1 || point->velocities.size() > 1 ||
            point->accelerations.size() > 1) {
          refused_++;
          RCLCPP_WARN(
              get_node()->get_logger(),
              "~/goal_point needs one transform, and at most one velocity and acceleration: "
              "ignored");
          return;
        }
        const auto &p = point->transforms[0].translation;
        const auto &q = point->transforms[0].rotation;
        Goal goal{p.x, p.y, p.z, q.w, q.x, q.y, q.z};
        const auto add = [&goal](std::size_t at, const geometry_msgs::msg::Twist &twist) {
          const double numbers[] = {twist.linear.x,  twist.linear.y,  twist.linear.z,
                                    twist.angular.x, twist.angular.y, twist.angular.z};
          std::copy(std::begin(numbers), std::end(numbers), goal.begin() + static_cast<int>(at));
        };
        if (!point->velocities.empty()) add(7, point->velocities[0]);
        if (!point->accelerations.empty()) add(13, point->accelerations[0]);
        if (!ask(goal))
          RCLCPP_WARN(get_node()->get_logger(),
                      "~/goal_point has a number that is none, or no unit quaternion: ignored");
      });
  if (moves_)
    odometry_topic_ = node->create_subscription<nav_msgs::msg::Odometry>(
        "~/odometry", newest, [this](const nav_msgs::msg::Odometry::ConstSharedPtr message) {
          const auto &p = message->pose.pose.position;
          const auto &q = message->pose.pose.orientation;
          const auto &v = message->twist.twist.linear;
          const auto &w = message->twist.twist.angular;
          Base base;
          base.p = {p.x, p.y, p.z};
          base.q = {q.w, q.x, q.y, q.z};
          const Vector linear{v.x, v.y, v.z}, angular{w.x, w.y, w.z}; // along the base's axes
          if (!make_unit(base.q[0], base.q[1], base.q[2], base.q[3]) || !all_finite(base.p) ||
              !all_finite(linear) || !all_finite(angular)) {
            refused_++;
            return;
          }
          const Rotation R = rotation_of(base.q[0], base.q[1], base.q[2], base.q[3]);
          for (std::size_t i = 0; i < 3; i++)
            for (std::size_t k = 0; k < 3; k++) {
              base.linear[i] += R[3 * i + k] * linear[k];
              base.angular[i] += R[3 * i + k] * angular[k];
            }
          measured_.set(base);
        });
  status_topic_ =
      node->create_publisher<diagnostic_msgs::msg::DiagnosticStatus>("~/status", newest);
  status_topic_->on_activate(); // it tells in every state of the controller
  timer_ = node->create_wall_timer(std::chrono::milliseconds(100), [this] { tell(); });
}

// What the controller does, ten times a second: the bits of the last solve by their names, and what stopped it.
void AchdController::tell() {
  using diagnostic_msgs::msg::DiagnosticStatus;
  const unsigned bits = told_status_;
  const int fault = told_fault_;
  DiagnosticStatus status;
  status.name = std::string(get_node()->get_name());
  status.hardware_id = library_.name();
  const std::string names = library_.status_names(bits);
  status.level = fault != NONE ? DiagnosticStatus::ERROR
                 : bits        ? DiagnosticStatus::WARN
                               : DiagnosticStatus::OK;
  status.message = fault != NONE ? fault_texts[fault] : names.empty() ? "OK" : names;
  if (fault != NONE && !names.empty()) status.message += ": " + names;
  const auto add = [&status](const std::string &key, const std::string &value) {
    diagnostic_msgs::msg::KeyValue pair;
    pair.key = key;
    pair.value = value;
    status.values.push_back(pair);
  };
  add("status", std::to_string(bits));
  add("bits", names);
  add("ignored messages", std::to_string(refused_));
  status_topic_->publish(status);
}

CallbackReturn AchdController::on_configure(const rclcpp_lifecycle::State &) {
  const auto node = get_node();
  try {
    parameters_ = listener_->get_params();
    open_library();
    std::string group = parameters_.group, frame, axes;
    rows_ = library_.rows(group, frame, axes);
    along_link_ = axes == "link";
    open_functions(frame);
    read_parameters();
    bad_ = library_.do_not_command();
    effort_ = library_.efforts();
    const std::size_t joints = achd_q_.size();
    q_.assign(joints, 0);
    qd_.assign(joints, 0);
    tau_.assign(joints, 0);
    still_.assign(joints, 0);
    open_topics();
    RCLCPP_INFO(node->get_logger(), "%zu rows of %s at %s, %zu joints", rows_.size(), group.c_str(),
                frame.c_str(), joints);
  } catch (const std::exception &error) {
    RCLCPP_ERROR(node->get_logger(), "%s", error.what());
    library_.close();
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

CallbackReturn AchdController::on_cleanup(const rclcpp_lifecycle::State &) {
  timer_.reset();
  goal_topic_.reset();
  point_topic_.reset();
  odometry_topic_.reset();
  status_topic_.reset();
  library_.close();
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

// The newest odometry into all functions; false: there is none, or it is too old.
bool AchdController::read_base(double seconds) {
  if (!moves_) return true;
  base_age_ += seconds;
  if (measured_.take(base_)) {
    base_known_ = true;
    base_age_ = 0;
    for (Function *f : {&achd_, &gravity_, &fk_, &fvk_})
      library_.set_base(*f, base_.q, base_.linear, base_.angular);
  }
  return base_known_ && base_age_ <= parameters_.odometry.timeout;
}

// Pose and velocity of the frame, base axes; of a moving base along the world's, from its origin.
void AchdController::read_frame() {
  for (std::size_t i = 0; i < q_.size(); i++) {
    fk_.set(fk_q_, i, q_[i]);
    fvk_.set(fvk_q_, i, q_[i]);
    fvk_.set(fvk_qd_, i, qd_[i]);
  }
  (void)fk_.call();
  (void)fvk_.call();
  for (std::size_t i = 0; i < 3; i++) {
    p_[i] = fk_.get(fk_pose_, i) + base_.p[i];
    linear_[i] = fvk_.get(fvk_twist_, i);
    angular_[i] = fvk_.get(fvk_twist_, 3 + i);
  }
  for (std::size_t i = 0; i < 9; i++) R_[i] = fk_.get(fk_pose_, 3 + i);
}

void AchdController::keep_place() {
  goal_p_ = p_;
  goal_R_ = R_;
}

CallbackReturn AchdController::on_activate(const rclcpp_lifecycle::State &) {
  const auto refuse = [this](Fault why) {
    fail(why);
    RCLCPP_ERROR(get_node()->get_logger(), "%s", fault_texts[why]);
    return CallbackReturn::ERROR;
  };
  if (command_interfaces_.size() != q_.size() || state_interfaces_.size() != 2 * q_.size()) {
    RCLCPP_ERROR(get_node()->get_logger(),
                 "the hardware does not offer effort, position and velocity of every joint");
    return CallbackReturn::ERROR;
  }
  fault_ = NONE;
  told_fault_ = NONE;
  told_status_ = 0;
  if (!read_joints()) return refuse(STATE_NOT_FINITE);
  if (!read_base(0)) return refuse(base_known_ ? BASE_LATE : BASE_UNKNOWN);
  if (!stand_still())
    return refuse(GRAVITY_FAILED); // for a sensor that dies before the first cycle
  tau_ = still_;
  read_frame();
  if (hold_) keep_place();
  goal_linear_ = goal_angular_ = ahead_linear_ = ahead_angular_ = {};
  asked_.forget(); // goals from before
  Goal none;
  none.fill(std::nan(""));
  refer(none);
  return CallbackReturn::SUCCESS;
}

// The hardware is left with torques that hold the robot, without the motion that was commanded.
CallbackReturn AchdController::on_deactivate(const rclcpp_lifecycle::State &) {
  if (!moves_ && read_joints()) (void)stand_still();
  tau_ = still_;
  (void)command();
  return CallbackReturn::SUCCESS;
}

// -- goals

#ifdef ACHD_CONTROLLER_SHARED_REFERENCES
std::vector<hardware_interface::CommandInterface::SharedPtr>
AchdController::on_export_reference_interfaces_list() {
  shared_references_.clear();
  for (const char *name : GOAL_NAMES) {
    hardware_interface::InterfaceInfo about;
    about.name = name;
    about.data_type = "double";
    shared_references_.push_back(std::make_shared<hardware_interface::CommandInterface>(
        hardware_interface::InterfaceDescription(get_node()->get_name(), about)));
  }
  return shared_references_;
}

AchdController::Goal AchdController::references() const {
  Goal goal;
  goal.fill(std::nan(""));
  for (std::size_t i = 0; i < shared_references_.size(); i++)
    goal[i] = value_of(*shared_references_[i]);
  return goal;
}

void AchdController::refer(const Goal &goal) {
  for (std::size_t i = 0; i < shared_references_.size(); i++)
    (void)set(*shared_references_[i], goal[i]);
}

return_type AchdController::update_reference_from_subscribers(const rclcpp::Time &,
                                                              const rclcpp::Duration &) {
#else
std::vector<hardware_interface::CommandInterface> AchdController::on_export_reference_interfaces() {
  std::vector<hardware_interface::CommandInterface> exported;
  for (std::size_t i = 0; i < GOAL_NAMES.size(); i++)
    exported.emplace_back(get_node()->get_name(), GOAL_NAMES[i], &reference_interfaces_[i]);
  return exported;
}

AchdController::Goal AchdController::references() const {
  Goal goal;
  std::copy(reference_interfaces_.begin(), reference_interfaces_.end(), goal.begin());
  return goal;
}

void AchdController::refer(const Goal &goal) {
  std::copy(goal.begin(), goal.end(), reference_interfaces_.begin());
}

return_type AchdController::update_reference_from_subscribers() {
#endif
  Goal goal;
  if (asked_.take(goal)) {
    refer(goal);
    goal_age_ = 0;
  }
  return return_type::OK;
}

bool AchdController::on_set_chained_mode(bool) {
  return true;
}

// References that are numbers are the goal; pose, velocity and acceleration each as a whole, so that another controller
// need not command all of them.
void AchdController::take_references() {
  const Goal goal = references();
  const auto whole = [&goal](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; i++)
      if (!std::isfinite(goal[i])) return false;
    return true;
  };
  double w = goal[3], x = goal[4], y = goal[5], z = goal[6];
  if (whole(0, 3)) std::copy_n(goal.begin(), 3, goal_p_.begin());
  if (whole(3, 7) && make_unit(w, x, y, z)) goal_R_ = rotation_of(w, x, y, z);
  const auto vector = [&](std::size_t at) {
    return whole(at, at + 3) ? Vector{goal[at], goal[at + 1], goal[at + 2]} : Vector{};
  };
  const bool old = !is_in_chained_mode() && goal_age_ > parameters_.goal.timeout;
  goal_linear_ = old ? Vector{} : vector(7);
  goal_angular_ = old ? Vector{} : vector(10);
  ahead_linear_ = old ? Vector{} : vector(13);
  ahead_angular_ = old ? Vector{} : vector(16);
}

// The acceleration along each row that leads to the goal.
void AchdController::demand() {
  Vector e_linear{}, e_angular = turn(goal_R_, R_), v_linear{}, v_angular{};
  Vector a_linear = ahead_linear_, a_angular = ahead_angular_;
  for (std::size_t i = 0; i < 3; i++) {
    e_linear[i] = goal_p_[i] - p_[i];
    v_linear[i] = linear_[i] - goal_linear_[i];
    v_angular[i] = angular_[i] - goal_angular_[i];
  }
  if (along_link_) {
    const auto to_link = [this](Vector &v) {
      Vector result{};
      for (std::size_t i = 0; i < 3; i++)
        for (std::size_t k = 0; k < 3; k++) result[i] += R_[3 * k + i] * v[k];
      v = result;
    };
    for (Vector *v : {&e_linear, &e_angular, &v_linear, &v_angular, &a_linear, &a_angular})
      to_link(*v);
  }
  // the spring's pull is limited as a vector, the damper's is not: it may always brake
  Vector linear{}, angular{};
  const auto axis = [](const Row &row) { return static_cast<std::size_t>(row.name.back() - 'x'); };
  for (std::size_t k = 0; k < rows_.size(); k++)
    (rows_[k].angular ? angular : linear)[axis(rows_[k])] =
        stiffness_[k] * (rows_[k].angular ? e_angular : e_linear)[axis(rows_[k])];
  linear = at_most(linear, parameters_.limits.linear_acceleration);
  angular = at_most(angular, parameters_.limits.angular_acceleration);
  for (std::size_t k = 0; k < rows_.size(); k++) {
    const std::size_t i = axis(rows_[k]);
    const double pull = (rows_[k].angular ? angular : linear)[i],
                 speed = (rows_[k].angular ? v_angular : v_linear)[i],
                 ahead = (rows_[k].angular ? a_angular : a_linear)[i];
    achd_.set(achd_b_, rows_[k].set_point, ahead + pull - damping_[k] * speed);
  }
}

// Torques that hold the robot where it is.
bool AchdController::stand_still() {
  for (std::size_t i = 0; i < q_.size(); i++) gravity_.set(gravity_q_, i, q_[i]);
  const unsigned status = gravity_.call();
  if (status & bad_) {
    told_status_ = status;
    return false;
  }
  for (std::size_t i = 0; i < q_.size(); i++) still_[i] = gravity_.get(gravity_tau_, i);
  return true;
}

// Torques of gravity, of the damping of all joints, of the rows.
bool AchdController::solve() {
  if (!stand_still()) return fail(GRAVITY_FAILED);
  for (std::size_t i = 0; i < q_.size(); i++) {
    achd_.set(achd_q_, i, q_[i]);
    achd_.set(achd_qd_, i, qd_[i]);
    achd_.set(achd_tau_art_, i, still_[i] - parameters_.gains.joint_damping * qd_[i]);
  }
  const unsigned status = achd_.call();
  told_status_ = status;
  if (status & bad_) return fail(SOLVE_FAILED);
  for (std::size_t i = 0; i < q_.size(); i++) {
    tau_[i] = achd_.get(achd_tau_, i);
    if (!std::isfinite(tau_[i])) return fail(TORQUE_NOT_FINITE);
  }
  // a standing robot does not stand by the weight of its legs alone
  if (moves_) still_ = tau_;
  return true;
}

bool AchdController::command() {
  bool taken = true;
  for (std::size_t i = 0; i < tau_.size() && i < command_interfaces_.size(); i++)
    taken = set(command_interfaces_[i], std::clamp(tau_[i], -effort_[i], effort_[i])) && taken;
  return taken;
}

bool AchdController::fail(Fault why) {
  fault_ = why; // until it is activated again
  told_fault_ = why;
  return false;
}

return_type AchdController::update_and_write_commands(const rclcpp::Time &,
                                                      const rclcpp::Duration &period) {
  goal_age_ += period.seconds();
  bool good = fault_ == NONE;
  if (good) good = read_joints() || fail(STATE_NOT_FINITE);
  if (good) good = read_base(period.seconds()) || fail(base_known_ ? BASE_LATE : BASE_UNKNOWN);
  if (good) {
    read_frame();
    take_references();
    demand();
    good = solve();
  }
  if (!good) tau_ = still_;
  if (!command() && good) good = fail(NOT_COMMANDED);
  return good ? return_type::OK : return_type::ERROR;
}

} // namespace achd_controller

PLUGINLIB_EXPORT_CLASS(achd_controller::AchdController,
                       controller_interface::ChainableControllerInterface)
