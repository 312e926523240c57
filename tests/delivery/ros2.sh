#!/bin/sh
# tests/delivery/ros2.sh ACHDGEN SOURCE_DIR [CONTROLLER CLOSED_LOOP]: the controller for ros2_control, compiled against stubs of the interfaces that it
# uses (tests/ros2), as they are in Humble, in Jazzy and later (a sample without a warning, in_sample), moves a simulated Gen3; package.xml and the
# plugin's description fit each other.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
package=$top/ros2/achd_controller
[ $# -eq 4 ] || skip_all "no nlohmann-json"
controller=$(absolute "$3")
closed_loop=$(absolute "$4")
cd "$scratch"
robot=$top/robots/gen3
layout=$top/robots/gen3.lua
strict="-Wall -Wextra -Wpedantic -Wshadow -Werror -Wno-error=array-bounds"

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
check "a library" library gen3 --name gen3 --layout "$layout" --functions achd,gravity,fk,fvk
check "float" library gen3f --name gen3 --layout "$layout" --functions achd,gravity,fk,fvk --real float
check "rows along the tool's axes" library link --name link --layout link.lua --functions achd,gravity,fk,fvk
check "rows along axes given at run time" library yawed --name yawed --layout yawed.lua --functions achd,gravity,fk,fvk
check "the solver alone" library bare --name bare --layout "$layout"

while read -r source flags; do
  in_sample "$top" 4 || continue
  # shellcheck disable=SC2086 # flags are words
  check "$source, no warning $flags" g++ -std=c++17 $strict $flags -I"$top/tests/ros2/stub" -I"$package/include" -fsyntax-only "$package/src/$source"
done <<'END'
achd_controller.cpp -DSTUB_HUMBLE
achd_controller.cpp -DSTUB_OPTIONAL
achd_controller.cpp
generated_library.cpp
END
cp "$controller" libachd_controller.so
check "in closed loop" "$closed_loop" .
cat .said

fits() {
  python3 - "$package" "$top/generator/base/version.h" <<'END'
import re, sys
import xml.etree.ElementTree as xml
package, version = sys.argv[1:]
manifest = xml.parse(package + "/package.xml").getroot()
said = re.search('AG_VERSION "(.*)"', open(version).read())[1]
assert manifest.findtext("version") == said, (manifest.findtext("version"), said)
plugin = xml.parse(package + "/achd_controller.xml").getroot()
source = open(package + "/src/achd_controller.cpp").read()
one = plugin.find("class")
assert f'PLUGINLIB_EXPORT_CLASS({one.get("type")}, {one.get("base_class_type")})' in source
cmake = open(package + "/CMakeLists.txt").read()
for depend in manifest.findall("depend"):
    assert depend.text.removesuffix("-json-dev") in cmake, depend.text
text = open(package + "/config/gen3.yaml").read()
assert one.get("name") in text
declared = set(re.findall(r'auto_declare<[^(]*>\("(\w+)"', source))
given = set(re.findall(r"^    (\w+):", text.split("gen3_pose:\n  ros__parameters:\n")[1], re.M))
assert given == declared, given ^ declared
readme = open(package + "/README.md").read()
assert all(f"`{name}`" in readme for name in declared), declared
END
}
check "manifest, plugin, example and README" fits
finish
