/* SPDX-License-Identifier: MIT */
// generated_library.hpp: a shared library of achdgen (--mode shared), opened by what it tells of itself: no header of the
// robot is needed. Structs are blocks of bytes; fields are found by name, at the offsets that the library states.
#ifndef ACHD_CONTROLLER__GENERATED_LIBRARY_HPP_
#define ACHD_CONTROLLER__GENERATED_LIBRARY_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace achd_controller {

/// Places of the numbers of a field in its struct.
struct Field {
  std::vector<std::size_t> offsets; ///< [bytes], in the order of the elements
  std::size_t size() const { return offsets.size(); }
};

/// One generated function with structs of its own.
class Function {
public:
  Function() = default;

  /// Of a field by its name, such as "q" or "pose.tool_frame"; throws std::runtime_error where there is none.
  Field input(const std::string &name) const;
  Field output(const std::string &name) const;
  bool has_input(const std::string &name) const;

  /// Numbers of the structs. No allocation, nothing thrown.
  void set(const Field &field, std::size_t index, double value);
  double get(const Field &field, std::size_t index) const;

  /// Computes the outputs of the inputs; returns the status bits.
  unsigned call() { return run_(in_.data(), out_.data()); }

private:
  friend class GeneratedLibrary;
  Field quaternion_, rotation_, yaw_, twist_; // of a moving base, as far as the function takes them
  Field find(const char *side, const std::string &name) const;
  using Run = unsigned (*)(const void *, void *);
  Run run_ = nullptr;
  bool single_ = false;
  nlohmann::json described_;
  std::vector<double> in_, out_; // of doubles, for their alignment
};

/// A row of the group that is controlled.
struct Row {
  std::string name;      ///< "lin_x"
  std::size_t set_point; ///< which element of b is the row's
  bool angular;
};

class GeneratedLibrary {
public:
  GeneratedLibrary() = default;
  GeneratedLibrary(const GeneratedLibrary &) = delete;
  GeneratedLibrary &operator=(const GeneratedLibrary &) = delete;
  ~GeneratedLibrary() { close(); }

  /// Opens it; throws std::runtime_error, with what is wrong and what to do.
  void open(const std::string &path);
  void close();
  bool is_open() const { return handle_ != nullptr; }

  /// Throws where the library does not have it.
  Function function(const std::string &name) const;
  bool has_function(const std::string &name) const;

  std::vector<std::string> joints() const; ///< names in the URDF, in the order of arrays
  std::vector<double> efforts() const;     ///< limits [N m, N]; infinity where there is none
  std::vector<std::string> inputs() const; ///< names of the files that it was made from
  unsigned do_not_command() const;         ///< status bits with which a result is not to be used
  std::string status_names(unsigned bits) const;

  std::string name() const;      ///< of the robot
  std::string base_kind() const; ///< "fixed", "planar" or "floating"
  std::string base_link() const;

  /// What a URDF says differently about the joints and masses of the library's robot, "" where it says the same or is
  /// empty: joints that are not there, axes, limits, the mass of what each joint moves.
  std::string differs_from(const std::string &urdf) const;

  /// Where a moving base is turned to (w x y z), and how it moves, along the world's axes, for a function that takes
  /// it. No allocation, nothing thrown.
  void set_base(Function &function, const std::array<double, 4> &q,
                const std::array<double, 3> &linear, const std::array<double, 3> &angular) const;

  /// The rows of a group, "" is the first one; frame: the link that they are at; axes: "base" or "link".
  std::vector<Row> rows(std::string &group, std::string &frame, std::string &axes) const;

private:
  void *handle_ = nullptr;
  std::string path_;
  nlohmann::json described_;
};

} // namespace achd_controller

#endif // ACHD_CONTROLLER__GENERATED_LIBRARY_HPP_
