#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/ros2.sh ACHDGEN SOURCE_DIR BUILD_DIR [CONTROLLER CLOSED_LOOP]: the controller for ros2_control moves a simulated Gen3, and lets a
# quadruped stand: with stubs of Rolling as the build compiles it (tests/ros2), and built by its own CMakeLists.txt with those of Humble, Jazzy, Kilted and
# Rolling (a sample, in_sample), installed, and loaded as a plugin. Its manifest, plugin, parameters, example and
# README fit each other. The example generates its functions from xacro at build time.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
build=$(cd "$3" && pwd)
package=$top/ros2/achd_controller
example=$top/ros2/achd_gen3
[ $# -eq 5 ] || skip_all "no nlohmann-json, no tinyxml2 or no python3-yaml"
controller=$(absolute "$4")
loop=$(absolute "$5")
cd "$scratch"
robot=$top/robots/gen3
layout=$top/robots/gen3.lua
strict="-Wall -Wextra -Wpedantic -Wshadow -Werror"

# library NAME ARGUMENTS..: libNAME.so
library() (
  file=$1
  shift
  "$achdgen" "$robot.urdf" -q --no-prove --mode shared -o "$file.h" "$@" && cc -O0 -fPIC -shared "$file.c" -o "lib$file.so" -lm
)
sed 's/axes = "base"/axes = "link"/' "$layout" >link.lua
sed 's/axes = "base"/axes = "input"/' "$layout" >yawed.lua
# shellcheck disable=SC2016 # the inner shell expands
check "other axes" sh -c '! cmp -s link.lua "$1" && ! cmp -s yawed.lua "$1"' sh "$layout"
four="--functions achd,gravity,fk,fvk"
# shellcheck disable=SC2086 # flags are words
{
  check "a library" library gen3 --name gen3 --layout "$layout" $four
  check "rows along axes given at run time" library yawed --name yawed --layout yawed.lua --functions gravity
  check "the solver alone" library bare --name bare --layout "$layout"
  # in turns: the same goal by float, and by rows along the tool's axes; a moving base
  if in_sample "$top" 2; then
    check "float" library gen3f --name gen3 --layout "$layout" $four --real float
  else
    check "rows along the tool's axes" library link --name link --layout link.lua $four
  fi
}
sed 's/^return {/groups[5] = { name = "trunk", frame = "trunk" }\nreturn {\n  realise = "motors",/' "$top/robots/quadruped.lua" >walker.lua
robot=$top/robots/quadruped
# shellcheck disable=SC2086
check "a quadruped with a task for its trunk" library walker --name walker --layout walker.lua $four
robot=$top/robots/gen3
cp "$controller" libachd_controller.so
check "in closed loop" "$loop" . "$robot.urdf"
cat .said

# -- the packages of ROS 2, as stubs
mkdir stubs
for stub in ament_cmake ament_cmake_gtest controller_interface diagnostic_msgs generate_parameter_library geometry_msgs hardware_interface nav_msgs \
  pluginlib rclcpp rclcpp_lifecycle trajectory_msgs; do
  echo "include($top/tests/ros2/cmake/stubs.cmake)" >"stubs/${stub}Config.cmake"
done
loading=OFF # the package's own test, by gtest
if [ -e /usr/include/gtest/gtest.h ] && in_sample "$top" 3; then loading=ON; fi
# built NUMBER FLAGS: the package for a distribution, installed.
built() {
  cmake -S "$package" -B "made$1" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O0 -Werror $2" -DCMAKE_PREFIX_PATH="$scratch/stubs" -DSTUB_DISTRIBUTION="$1" \
    -DBUILD_TESTING=$loading -DCMAKE_INSTALL_PREFIX="$scratch/installed$1" && cmake --build "made$1" && cmake --install "made$1" || return 1
  [ $loading = OFF ] || { cp "$package/achd_controller.xml" "made$1" && STUB_PLUGINS="made$1" "made$1/test_load_achd_controller"; }
}
moves() { # NUMBER FLAGS
  cp "made$1/libachd_controller.so" . || return 1
  [ -e sim.o ] || {
    "$achdgen" "$robot.urdf" -q --no-prove --layout "$layout" --name sim --functions fd,fk,id -o sim_achd.h
    printf '#define SIM_IMPLEMENTATION\n#include "sim_achd.h"\n' >sim.c
    cc -O0 -c sim.c
  }
  since=
  [ "$1" -eq 1 ] || since=-I$top/tests/ros2/stub_since_jazzy
  # shellcheck disable=SC2086
  g++ -std=c++17 -O0 $strict $2 -DSTUB_DISTRIBUTION="$1" -I. $since -I"$top/tests/ros2/stub" "$top/tests/ros2/closed_loop.cpp" sim.o -o closed_loop -ldl &&
    ./closed_loop . "$robot.urdf"
}
# Of four distributions one in three runs; all of them, and with sanitizers, in the sweep.
number=0
for distribution in Humble Jazzy Kilted Rolling; do
  number=$((number + 1))
  in_sample "$top" 12 || continue
  check "$distribution: builds, installs, is loaded" built $number ""
  check "$distribution: in closed loop" moves $number ""
  sed "s/^/$distribution: /" .said
  for file in lib/libachd_controller.so include/achd_controller/achd_controller/achd_controller.hpp share/achd_controller/achd_controller.xml share/achd_controller/package.xml; do
    check "$distribution: $file" [ -e "installed$number/$file" ]
  done
  [ "${ACHD_SWEEP:-}" != 1 ] || {
    rm -rf "made$number"
    check "$distribution: with sanitizers" built $number "-fsanitize=address,undefined"
    check "$distribution: in closed loop with sanitizers" moves $number "-fsanitize=address,undefined"
  }
done

# -- the example: its URDF by xacro, its library by achdgen, when it is built
if in_sample "$top" 4; then
  check "achdgen installed" cmake --install "$build" --prefix "$scratch/prefix"
  mkdir bin
  command -v xacro >/dev/null || { cp "$top/tests/ros2/xacro.py" bin/xacro && chmod +x bin/xacro; }
  sed 's/target_compile_options(gen3 PRIVATE -O2)/target_compile_options(gen3 PRIVATE -O0)/' "$example/CMakeLists.txt" >CMakeLists.txt
  cp -R "$example" example
  cp CMakeLists.txt example
  generated() {
    PATH=$scratch/bin:$PATH cmake -S example -B example/out -DCMAKE_BUILD_TYPE=None -DCMAKE_PREFIX_PATH="$scratch/stubs;$scratch/prefix" -DSTUB_DISTRIBUTION=4 \
      -DCMAKE_INSTALL_PREFIX="$scratch/example_installed" && cmake --build example/out && cmake --install example/out
  }
  check "the example: built" generated
  check "its library" [ -e example_installed/lib/libgen3.so ]
  check "its robot" sh -c "grep -q '<plugin>mock_components/GenericSystem' example_installed/share/achd_gen3/urdf/gen3.urdf && [ \$(grep -c '<command_interface name=\"effort\"' example_installed/share/achd_gen3/urdf/gen3.urdf) -eq 7 ]"
  launched() {
    python3 - example_installed/share/achd_gen3 <<'END'
import sys
import types

share = sys.argv[1]


class Node:
    def __init__(self, **words):
        self.words = words


def stub(name, **members):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)


stub("ament_index_python")
stub("ament_index_python.packages", get_package_share_directory=lambda package: share)
stub("launch", LaunchDescription=list)
stub("launch_ros")
stub("launch_ros.actions", Node=Node)
program = {}
exec(open(share + "/launch/gen3.launch.py", encoding="utf-8").read(), program)
nodes = [node.words for node in program["generate_launch_description"]()]
assert {node["executable"] for node in nodes} == {"robot_state_publisher", "ros2_control_node", "spawner"}
assert sum("gen3_pose" in node.get("arguments", []) for node in nodes) == 1
assert all("<ros2_control" in node["parameters"][0]["robot_description"] for node in nodes if "parameters" in node)
END
  }
  check "its launch file" launched
fi

fits() {
  python3 - "$top/ros2" "$top/generator/base/version.h" <<'END'
import re, sys
import xml.etree.ElementTree as xml
import yaml
ros2, version = sys.argv[1:]
package = ros2 + "/achd_controller"
said = re.search('AG_VERSION "(.*)"', open(version).read())[1]
order = ["name", "version", "description", "maintainer", "license", "buildtool_depend", "build_depend", "depend", "exec_depend", "test_depend", "export"]
for name in ("achd_controller", "achd_gen3"):
    text = open(f"{ros2}/{name}/package.xml").read()
    manifest = xml.fromstring(text)
    assert 'href="http://download.ros.org/schema/package_format3.xsd"' in text and manifest.get("format") == "3"
    assert manifest.findtext("version") == said, (manifest.findtext("version"), said)
    tags = [child.tag for child in manifest]
    assert tags == sorted(tags, key=order.index), tags
    depends = [child.text for child in manifest if child.tag.endswith("depend")]
    assert manifest.findtext("name") == name and len(depends) == len(set(depends))
    assert not re.search("ament_target_dependencies|  $|\t", open(f"{ros2}/{name}/CMakeLists.txt").read())
manifest = xml.parse(package + "/package.xml").getroot()
plugin = xml.parse(package + "/achd_controller.xml").getroot()
source = open(package + "/src/achd_controller.cpp").read()
one = plugin.find("class")
assert re.search(rf'PLUGINLIB_EXPORT_CLASS\({one.get("type")},\s*{one.get("base_class_type")}\)', source)
cmake = open(package + "/CMakeLists.txt").read()
for depend in manifest.findall("depend"):
    assert depend.text.removesuffix("-dev").replace("-", "_") in cmake, depend.text
def leaves(tree, path=()):
    for name, node in tree.items():
        if isinstance(node, dict) and "type" not in node:
            yield from leaves(node, (*path, name))
        else:
            yield ".".join((*path, name))
declared = set(leaves(yaml.safe_load(open(package + "/src/achd_controller_parameters.yaml"))["achd_controller"]))
given = yaml.safe_load(open(ros2 + "/achd_gen3/config/gen3.yaml"))
assert given["controller_manager"]["ros__parameters"]["gen3_pose"]["type"] == one.get("name")
assert set(leaves(given["gen3_pose"]["ros__parameters"])) == declared, set(leaves(given["gen3_pose"]["ros__parameters"])) ^ declared
readme = open(package + "/README.md").read()
assert all(f"`{name}`" in readme for name in declared), [name for name in declared if f"`{name}`" not in readme]
header = open(package + "/include/achd_controller/achd_controller.hpp").read()
assert all(f"`{name}`" in readme for name in ("~/goal", "~/goal_point", "~/odometry", "~/status"))
END
}
check "manifest, plugin, example and README" fits
finish
