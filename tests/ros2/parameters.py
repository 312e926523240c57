#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""parameters.py FILE.yaml HEADER: what generate_parameter_library makes of a description of parameters, as far as the controller for ros2_control
uses it: the struct Params, and a ParamListener that takes them from a node of the stubs, with their defaults and validation. Types, names and
validators that it does not know are errors."""
import sys

import yaml

TYPES = {"string": "std::string", "double": "double", "double_array": "std::vector<double>", "bool": "bool"}
TESTS = {"gt<>": "value > {0}", "gt_eq<>": "value >= {0}", "one_of<>": "({0})"}


def literal(kind, value):
    if kind == "string":
        return f'"{value}"'
    if kind == "double_array":
        return "{" + ", ".join(map(repr, map(float, value))) + "}"
    return str(value).lower() if kind == "bool" else repr(float(value))


def walk(tree, path):
    """The struct's members, and the statements that fill them."""
    members, fill = [], []
    for name, node in tree.items():
        full = path + [name]
        if "type" not in node:
            inside, more = walk(node, full)
            members.append(f"struct {{ {' '.join(inside)} }} {name};")
            fill += more
            continue
        assert set(node) <= {"type", "default_value", "description", "validation", "read_only"} and node["description"], node
        kind = node["type"]
        members.append(f"{TYPES[kind]} {name} = {literal(kind, node['default_value'])};")
        dotted = ".".join(full)
        fill.append(f'take(p.{dotted}, "{dotted}");')
        for test, given in node.get("validation", {}).items():
            condition = " || ".join(f'value == "{word}"' for word in given[0]) if test == "one_of<>" else given[0]
            fill.append(f"{{ const auto &value = p.{dotted}; if (!({TESTS[test].format(condition)})) "
                        f'throw std::invalid_argument("Parameter \'{dotted}\' is not valid: {test} {str(given[0]).replace(chr(34), chr(39))}"); }}')
    return members, fill


(namespace, parameters), = yaml.safe_load(open(sys.argv[1], encoding="utf-8")).items()
members, fill = walk(parameters, [])
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write(f"""#pragma once
#include "rclcpp/rclcpp.hpp"
#include <stdexcept>
namespace {namespace} {{
struct Params {{ {' '.join(members)} }};
class ParamListener {{
public:
  explicit ParamListener(const std::shared_ptr<rclcpp_lifecycle::LifecycleNode> &node, const std::string & = "") : node_(node) {{ (void)get_params(); }}
  Params get_params() const {{
    Params p;
    known_ = 0;
    {chr(10).join(fill)}
    if (known_ != node_->overrides.size()) throw std::invalid_argument("a parameter is given that is not declared");
    return p;
  }}
private:
  template <typename T> void take(T &value, const char *name) const {{
    const auto given = node_->overrides.find(name);
    if (given == node_->overrides.end()) return;
    known_++;
    if (!std::holds_alternative<T>(given->second)) throw std::invalid_argument(std::string("Parameter of another type: ") + name);
    value = std::get<T>(given->second);
  }}
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> node_;
  mutable std::size_t known_ = 0;
}};
}}
""")
