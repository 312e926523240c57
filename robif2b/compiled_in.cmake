# SPDX-License-Identifier: MIT
# compiled_in.cmake: cmake -DNAME=... -DFILE=... -DHEADER=... -P compiled_in.cmake
# The text of FILE as a C string, cut into pieces that every compiler takes.
file(READ ${FILE} text HEX)
string(LENGTH "${text}" length)
string(REGEX REPLACE "(................................................................)" "\\1\n" text "${text}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," text "${text}")
get_filename_component(file ${FILE} NAME)
file(WRITE ${HEADER} "/* ${file}, made by compiled_in.cmake */\nstatic const char ${NAME}[] = {\n${text}0};\n")
