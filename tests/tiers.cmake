# SPDX-License-Identifier: MIT
# tiers.cmake: the table tests/tiers.txt, and how a test of it is registered.

set(ACHD_TIERS quick daily commit release) # each contains those before it
set(ACHD_TIER_TABLE ${CMAKE_CURRENT_LIST_DIR}/tiers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ACHD_TIER_TABLE})

# Reads the table: tier_of_NAME and seconds_of_NAME of each of tiered_tests.
file(STRINGS ${ACHD_TIER_TABLE} lines REGEX "^[^#]")
set(tiered_tests)
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^(quick|daily|commit|release) +([0-9]+\\.[0-9]) +([a-z0-9_]+)$")
    message(FATAL_ERROR "tests/tiers.txt: \"${line}\" is not TIER SECONDS NAME")
  endif()
  if(CMAKE_MATCH_3 IN_LIST tiered_tests)
    message(FATAL_ERROR "tests/tiers.txt: the test ${CMAKE_MATCH_3} has two lines: take one out")
  endif()
  list(APPEND tiered_tests ${CMAKE_MATCH_3})
  set(tier_of_${CMAKE_MATCH_3} ${CMAKE_MATCH_1})
  set(seconds_of_${CMAKE_MATCH_3} ${CMAKE_MATCH_2})
endforeach()

# The target tests_TIER builds the programs that the tests of a tier run.
set(contained)
foreach(tier IN LISTS ACHD_TIERS)
  add_custom_target(tests_${tier} DEPENDS ${contained})
  set(contained tests_${tier})
endforeach()

# achd_test(NAME NAME COMMAND ARGUMENT... [NEEDS TARGET...]): as add_test, in its tier. Exit status 77 says that the test had nothing
# to test. NEEDS: targets that the command does not name. Where the oracles are missing (ACHD_ORACLES is false), a test that runs a program
# with them does not exist.
function(achd_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME" "COMMAND;NEEDS")
  if(NOT DEFINED tier_of_${test_NAME})
    message(FATAL_ERROR "tests/tiers.txt has no line for the test ${test_NAME}: write one, TIER 0.0 ${test_NAME}, then measure its "
      "seconds: python3 tests/tiers.py renew ${PROJECT_BINARY_DIR} ${test_NAME}")
  endif()
  set(targets ${test_NEEDS})
  string(REGEX MATCHALL "TARGET_FILE(_DIR)?:[^>]+" named "${test_COMMAND}")
  list(TRANSFORM named REPLACE ".*:" "")
  list(APPEND targets ${named})
  list(GET test_COMMAND 0 program)
  if(NOT program MATCHES "^(/.*|sh|python3)$")
    list(APPEND targets ${program})
  endif()
  foreach(target IN LISTS targets)
    if(NOT TARGET ${target})
      if(ACHD_ORACLES)
        message(FATAL_ERROR "the test ${test_NAME} runs ${target}, which is no target")
      endif()
      return()
    endif()
  endforeach()

  add_test(NAME ${test_NAME} COMMAND ${test_COMMAND})
  set(labels ${ACHD_TIERS})
  list(FIND labels ${tier_of_${test_NAME}} first)
  list(SUBLIST labels ${first} -1 labels)
  # The long ones start first: at the end no processor waits for the last.
  set_tests_properties(${test_NAME} PROPERTIES LABELS "${labels}" COST ${seconds_of_${test_NAME}} SKIP_RETURN_CODE 77)
  if(targets)
    add_dependencies(tests_${tier_of_${test_NAME}} ${targets})
  endif()
  set_property(GLOBAL APPEND PROPERTY achd_tests ${test_NAME})
endfunction()

# registered_tests(RESULT DIRECTORY): all tests of a directory and those below it.
function(registered_tests result directory)
  get_property(all DIRECTORY ${directory} PROPERTY TESTS)
  get_property(below DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS below)
    registered_tests(more ${folder})
    list(APPEND all ${more})
  endforeach()
  set(${result} ${all} PARENT_SCOPE)
endfunction()

# achd_compare_with_table(REASON): every test has a line, and every line a test, unless REASON says why tests are left out.
function(achd_compare_with_table reason)
  get_property(with_tier GLOBAL PROPERTY achd_tests)
  registered_tests(all ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(test IN LISTS all)
    if(NOT test IN_LIST with_tier)
      message(FATAL_ERROR "the test ${test} has no tier: register it by achd_test(NAME ${test} COMMAND ...)")
    endif()
  endforeach()
  set(left_out ${tiered_tests})
  list(REMOVE_ITEM left_out ${all})
  if(left_out)
    string(REPLACE ";" " " left_out "${left_out}")
    if(NOT reason)
      message(FATAL_ERROR "tests/tiers.txt has lines for tests that do not exist: ${left_out}: take the lines out")
    endif()
    message(STATUS "${reason}. These tests are left out: ${left_out}")
  endif()
endfunction()
