/* SPDX-License-Identifier: MIT */
// sdf_links.cpp FILE: what libsdformat reads in an SDF file's model, a line each: `link NAME MASS`, the centre of mass
// and the rotation of the inertia in the link's frame (x y z, nine numbers by rows), the inertia (xx xy xz yy yz zz);
// `joint NAME TYPE PARENT CHILD`, the child's pose in the parent's frame where all joints are at 0 (x y z, nine numbers),
// the point of the axis in the child's frame and its direction there. Exit 1 and libsdformat's word where it refuses the file.
// sdf_links.cpp --sdf FILE: a URDF as libsdformat writes it, in SDF.
#include <cstdio>
#include <sdf/sdf.hh>
#include <string>

using ignition::math::Pose3d;
using ignition::math::Vector3d;

static void print(const Pose3d &pose) {
  const ignition::math::Matrix3d R(pose.Rot());
  std::printf(" %.17g %.17g %.17g", pose.Pos().X(), pose.Pos().Y(), pose.Pos().Z());
  for (int i = 0; i < 3; i++) std::printf(" %.17g %.17g %.17g", R(i, 0), R(i, 1), R(i, 2));
}

static const char *type_of(const sdf::Joint &joint) {
  switch (joint.Type()) {
  case sdf::JointType::FIXED:
    return "fixed";
  case sdf::JointType::REVOLUTE:
    return "revolute";
  case sdf::JointType::CONTINUOUS:
    return "continuous";
  case sdf::JointType::PRISMATIC:
    return "prismatic";
  default:
    return "other";
  }
}

// outer: the outermost model, in whose frame all is resolved; scope: of this one in it.
static void show(const sdf::Model &outer, const sdf::Model &model, const std::string &scope) {
  for (uint64_t i = 0; i < model.LinkCount(); i++) {
    const sdf::Link &link = *model.LinkByIndex(i);
    const auto &inertial = link.Inertial();
    const auto I = inertial.MassMatrix();
    std::printf("link %s%s %.17g", scope.c_str(), link.Name().c_str(), I.Mass());
    print(inertial.Pose());
    std::printf(" %.17g %.17g %.17g %.17g %.17g %.17g\n", I.Ixx(), I.Ixy(), I.Ixz(), I.Iyy(),
                I.Iyz(), I.Izz());
  }
  for (uint64_t i = 0; i < model.JointCount(); i++) {
    const sdf::Joint &joint = *model.JointByIndex(i);
    std::string parent, child;
    Pose3d at, between;
    Vector3d axis(0, 0, 1);
    joint.ResolveParentLink(parent);
    joint.ResolveChildLink(child);
    joint.SemanticPose().Resolve(at, child);
    joint.SemanticPose().Resolve(between, parent == "world" ? "__model__" : parent);
    between = between * at.Inverse();
    if (joint.Axis(0)) joint.Axis(0)->ResolveXyz(axis, child);
    std::printf("joint %s%s %s %s%s %s%s", scope.c_str(), joint.Name().c_str(), type_of(joint),
                parent == "world" ? "" : scope.c_str(), parent.c_str(), scope.c_str(),
                child.c_str());
    print(between);
    std::printf(" %.17g %.17g %.17g %.17g %.17g %.17g\n", at.Pos().X(), at.Pos().Y(), at.Pos().Z(),
                axis.X(), axis.Y(), axis.Z());
  }
  for (uint64_t i = 0; i < model.ModelCount(); i++) {
    const sdf::Model &inner = *model.ModelByIndex(i);
    show(outer, inner, scope + inner.Name() + "::");
  }
}

static int convert(const char *path) {
  const sdf::SDFPtr made(new sdf::SDF());
  sdf::Errors errors;
  sdf::init(made);
  if (!sdf::readFile(path, made, errors)) return 1;
  std::puts(made->Root()->ToString("").c_str());
  return 0;
}

int main(int argc, char **argv) {
  sdf::Console::Instance()->SetQuiet(true);
  if (argc == 3 && std::string(argv[1]) == "--sdf") return convert(argv[2]);
  sdf::Root root;
  const sdf::Errors errors = argc == 2 ? root.Load(argv[1]) : sdf::Errors();
  if (!errors.empty() || !root.Model()) {
    for (const auto &error : errors) std::printf("refused: %s\n", error.Message().c_str());
    return 1;
  }
  show(*root.Model(), *root.Model(), "");
}
