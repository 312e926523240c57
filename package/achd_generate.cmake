# SPDX-License-Identifier: MIT
# achd_generate: a library of what achdgen makes of a robot, made anew when an input changes.
#
#   achd_generate(TARGET gen3 URDF gen3.urdf
#     [LAYOUT gen3.lua]            # and what it includes
#     [NAME gen3]                  # prefix of everything emitted; default: TARGET, not the robot's or the layout's name
#     [FUNCTIONS achd gravity ...] # default: achd
#     [REAL double|float] [FORMULATION recursion|joint|null|early] [BATCH 2|4|8|16] [LANES 0|1] [CACHE KB] [SNAP 0|1]
#     [PARTS n]                    # static functions of n operations at most; default: 1000 in functions of more than 10000
#     [DISPATCH avx2]              # two copies of every function, chosen by what the processor can run
#     [BRANCHLESS]                 # the same instructions in every state; not with BATCH or SHARED
#     [MODE header|split|inline]   # default: header
#     [SMALL]                      # the shortest code
#     [PREFETCH]                   # functions ask for their own code ahead, for calls from cold caches; not with MODE inline
#     [SHARED])                    # a shared library; MODE inline excludes it
#
# The target's header is NAME_achd.h, with REAL float NAMEf_achd.h; who links the target includes it, and defines no
# NAME_IMPLEMENTATION. The target is a static library that can go into a shared one; with MODE inline an interface
# library; with SHARED a shared library, made of the source of --mode shared: it also has NAME_F_many, each function F over
# an array of states (threads: target_link_libraries(TARGET PRIVATE OpenMP::OpenMP_C)), and tells a program that loads it what it was compiled for:
# NAME_F_shape (NAME_F_SHAPE), NAME_F_in_size and NAME_F_out_size [bytes], unsigned, and NAME_description, the lines
# of --describe json, const char *[] with NULL at its end.
#
# State machines and tasks, tables for the runtime library, are interface libraries; their header is TARGET_machine.h,
# TARGET_task.h:
#
#   achd_generate(TARGET pregrasp MACHINE pregrasp.lua)
#   achd_generate(TARGET slide TASK slide.lua)
#
# Relative paths are those of the current source folder; a file that is not there is one that the build makes in
# the current binary folder (a URDF by xacro). The target's property ACHD_HEADER is the header's path.
#
# The functions are compiled with the project's flags. -ffast-math is an error of the header's own.

# The path of a file that is there, or will be made.
function(_achd_path result file)
  set(base ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
    set(base ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${base} NORMALIZE)
  set(${result} "${file}" PARENT_SCOPE)
endfunction()

# Runs achdgen for a header (and what else is made) in the target's folder.
#   _achd_run(TARGET header MADE files... INPUTS files... COMMAND words...)
function(_achd_run target header)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "MADE;INPUTS;COMMAND")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/achd_generate/${target})
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${arg_MADE}
    COMMAND $<TARGET_FILE:achd::achdgen> ${arg_COMMAND} -o ${folder}/${header} --depfile ${folder}/${header}.d
    DEPENDS ${arg_INPUTS} $<TARGET_FILE:achd::achdgen> DEPFILE ${folder}/${header}.d
    COMMENT "achdgen: ${header}" VERBATIM)
endfunction()

# The target's header is for whoever links it.
function(_achd_offer target scope header)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/achd_generate/${target})
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${folder}>)
  set_target_properties(${target} PROPERTIES ACHD_HEADER ${folder}/${header})
endfunction()

# The tables of a state machine or of tasks. kind: machine or task
function(_achd_tables target kind file)
  set(header ${target}_${kind}.h)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/achd_generate/${target}/${header})
  _achd_path(input "${file}")
  _achd_run(${target} ${header} MADE ${made} INPUTS ${input} COMMAND --${kind} ${input})
  add_library(${target} INTERFACE ${made})
  _achd_offer(${target} INTERFACE ${header})
endfunction()

function(achd_generate)
  set(options FORMULATION BATCH LANES CACHE SNAP PARTS DISPATCH REAL MODE)
  set(flags SMALL PREFETCH BRANCHLESS)
  set(of_robot URDF LAYOUT NAME ${options} FUNCTIONS)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SHARED;${flags}" "TARGET;MACHINE;TASK;URDF;LAYOUT;NAME;${options}" FUNCTIONS)
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "achd_generate: what is ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}? It takes "
      "TARGET t URDF u [LAYOUT l] [NAME n] [FUNCTIONS f ...] [REAL r] [FORMULATION f] [BATCH k] [LANES l] [CACHE kb] [SNAP s] [PARTS n] [DISPATCH avx2] [MODE m] [SMALL] [PREFETCH] [BRANCHLESS] [SHARED], "
      "or TARGET t MACHINE m, or TARGET t TASK t")
  endif()
  foreach(kind MACHINE TASK)
    if(DEFINED arg_${kind})
      foreach(word IN LISTS of_robot)
        if(DEFINED arg_${word} OR arg_SHARED OR arg_SMALL OR arg_PREFETCH OR arg_BRANCHLESS)
          message(FATAL_ERROR "achd_generate: ${kind} stands alone with TARGET")
        endif()
      endforeach()
      string(TOLOWER ${kind} word)
      _achd_tables(${arg_TARGET} ${word} "${arg_${kind}}")
      return()
    endif()
  endforeach()
  if(NOT arg_TARGET OR NOT arg_URDF)
    message(FATAL_ERROR "achd_generate: TARGET and URDF have to be given")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR "achd_generate: the generated code is C: project(${PROJECT_NAME} LANGUAGES C ...)")
  endif()
  if(NOT arg_NAME)
    string(MAKE_C_IDENTIFIER "${arg_TARGET}" arg_NAME)
  endif()
  if(NOT arg_FUNCTIONS)
    set(arg_FUNCTIONS achd)
  endif()
  if(NOT arg_MODE)
    set(arg_MODE header)
  endif()
  if(arg_SHARED AND arg_MODE STREQUAL "inline")
    message(FATAL_ERROR "achd_generate: SHARED needs functions to export: leave out MODE inline")
  endif()
  if(arg_SHARED)
    set(arg_MODE shared)
  endif()

  set(prefix ${arg_NAME})
  if(arg_REAL STREQUAL "float")
    string(APPEND prefix f)
  endif()
  string(TOUPPER ${prefix} upper)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/achd_generate/${arg_TARGET})
  set(header ${prefix}_achd.h)
  set(made ${folder}/${header})
  if(arg_MODE MATCHES "^(split|shared)$")
    list(APPEND made ${folder}/${prefix}_achd.c)
  endif()

  _achd_path(urdf "${arg_URDF}")
  string(REGEX REPLACE "\\\\?;" "," functions "${arg_FUNCTIONS}") # a list, or one in quotes
  set(command ${urdf} --name ${arg_NAME} --functions ${functions})
  set(inputs ${urdf})
  if(arg_LAYOUT)
    _achd_path(layout "${arg_LAYOUT}")
    list(APPEND command --layout ${layout})
    list(APPEND inputs ${layout})
  endif()
  if(arg_PREFETCH AND arg_MODE STREQUAL "inline")
    message(FATAL_ERROR "achd_generate: PREFETCH needs functions that stand by themselves: leave out MODE inline")
  endif()
  foreach(flag IN LISTS flags)
    if(arg_${flag})
      string(TOLOWER ${flag} word)
      list(APPEND command --${word})
    endif()
  endforeach()
  foreach(option IN LISTS options)
    if(DEFINED arg_${option})
      string(TOLOWER ${option} word)
      list(APPEND command --${word} ${arg_${option}})
    endif()
  endforeach()
  _achd_run(${arg_TARGET} ${header} MADE ${made} INPUTS ${inputs} COMMAND ${command})

  if(arg_MODE STREQUAL "inline")
    add_library(${arg_TARGET} INTERFACE ${made})
    set(scope INTERFACE)
  else()
    set(sources ${made})
    if(arg_MODE STREQUAL "header")
      set(unit "/* made by achd_generate */\n#define ${upper}_IMPLEMENTATION\n#include \"${header}\"\n")
      file(CONFIGURE OUTPUT ${folder}/${arg_TARGET}_unit.c CONTENT "${unit}" @ONLY)
      list(APPEND sources ${folder}/${arg_TARGET}_unit.c)
    endif()
    set(kind STATIC)
    if(arg_SHARED)
      set(kind SHARED)
    endif()
    add_library(${arg_TARGET} ${kind} ${sources})
    set_target_properties(${arg_TARGET} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET default)
    set(scope PUBLIC)
  endif()
  _achd_offer(${arg_TARGET} ${scope} ${header})
endfunction()
