#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""xacro.py FILE -o OUT NAME:=VALUE: what the example of achd_generate needs of xacro where there is none: arg, include (of the elements of another
robot), macros with parameters, $(arg NAME) and ${NAME}. Anything else of xacro is an error."""
import copy
import re
import sys
import xml.etree.ElementTree as xml

WORD = "{http://www.ros.org/wiki/xacro}"
args = dict(word.split(":=") for word in sys.argv[1:] if ":=" in word)
macros = {}


def text_of(text, names):
    text = re.sub(r"\$\(arg (\w+)\)", lambda m: args[m[1]], text or "")
    return re.sub(r"\$\{(\w+)\}", lambda m: names[m[1]], text)


def expanded(element, names):
    if element.tag == WORD + "arg":
        args.setdefault(element.get("name"), element.get("default"))
        return []
    if element.tag == WORD + "include":
        return list(xml.parse(text_of(element.get("filename"), names)).getroot())
    if element.tag == WORD + "macro":
        macros[element.get("name")] = (element.get("params").split(), list(element))
        return []
    if element.tag.startswith(WORD):
        params, inside = macros[element.tag[len(WORD):]]
        assert sorted(params) == sorted(element.keys()), element.attrib
        return [made for child in inside for made in expanded(child, dict(element.items()))]
    made = xml.Element(element.tag, {key: text_of(value, names) for key, value in element.items()})
    made.text, made.tail = text_of(element.text, names), element.tail
    made.extend([new for child in element for new in expanded(copy.deepcopy(child), names)])
    return [made]


robot, = expanded(xml.parse(sys.argv[1]).getroot(), {})
xml.ElementTree(robot).write(sys.argv[sys.argv.index("-o") + 1], encoding="utf-8", xml_declaration=True)
