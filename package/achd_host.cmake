# SPDX-License-Identifier: MIT
# achd_use_host_achdgen(PROGRAM VERSION): the target achd::achdgen is this program, which runs on the machine that
# builds. It has to be of the same version as what it is used with.
function(achd_use_host_achdgen program version)
  execute_process(COMMAND ${program} --version OUTPUT_VARIABLE said ERROR_VARIABLE why RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${program} does not run on this machine (${result} ${why}): give one that does, -DACHD_ACHDGEN=...")
  endif()
  if(NOT said STREQUAL "achdgen ${version}")
    message(FATAL_ERROR "${program} is ${said}, and this is achdgen ${version}: give one of this version, -DACHD_ACHDGEN=...")
  endif()
  add_executable(achd::achdgen IMPORTED GLOBAL)
  set_target_properties(achd::achdgen PROPERTIES IMPORTED_LOCATION ${program})
endfunction()
