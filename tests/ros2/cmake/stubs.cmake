# SPDX-License-Identifier: MIT
# stubs.cmake: the packages of ROS 2 that find_package() of the packages in ros2/ wants, as far as these use them: targets with the headers in stub/, and
# the functions of ament_cmake, pluginlib and generate_parameter_library. A test makes NAMEConfig.cmake of each that includes this.
include_guard(GLOBAL)
set(stubs ${CMAKE_CURRENT_LIST_DIR}/..)
add_library(stub_headers INTERFACE IMPORTED GLOBAL)
target_include_directories(stub_headers INTERFACE ${stubs}/stub)
target_compile_definitions(stub_headers INTERFACE STUB_DISTRIBUTION=${STUB_DISTRIBUTION})
if(STUB_DISTRIBUTION GREATER 1)
  target_include_directories(stub_headers INTERFACE ${stubs}/stub_since_jazzy)
endif()
foreach(package controller_interface hardware_interface pluginlib rclcpp rclcpp_lifecycle)
  add_library(${package}::${package} ALIAS stub_headers)
endforeach()
foreach(package diagnostic_msgs geometry_msgs nav_msgs trajectory_msgs)
  set(${package}_TARGETS stub_headers CACHE INTERNAL "")
endforeach()

function(generate_parameter_library target description)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  set(inside ${PROJECT_NAME}/) # Humble: the header stands alone
  if(STUB_DISTRIBUTION EQUAL 1)
    set(inside)
  endif()
  file(MAKE_DIRECTORY ${folder}/${PROJECT_NAME})
  add_custom_command(OUTPUT ${folder}/${inside}${target}.hpp
    COMMAND python3 ${stubs}/parameters.py ${CMAKE_CURRENT_SOURCE_DIR}/${description} ${folder}/${inside}${target}.hpp
    DEPENDS ${description} ${stubs}/parameters.py)
  add_library(${target} INTERFACE ${folder}/${inside}${target}.hpp)
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${folder}>)
endfunction()

function(pluginlib_export_plugin_description_file package file)
  install(FILES ${file} DESTINATION share/${PROJECT_NAME})
endfunction()

# Exported targets are installed, or cmake says what is wrong with them.
function(ament_export_targets name)
  install(EXPORT ${name} DESTINATION share/${PROJECT_NAME}/cmake NAMESPACE ${PROJECT_NAME}:: FILE ${name}Export.cmake)
endfunction()
function(ament_export_dependencies)
endfunction()
function(ament_add_gtest name source)
  add_executable(${name} ${source})
  target_link_libraries(${name} gtest tinyxml2 dl pthread)
endfunction()
function(ament_package)
  install(FILES package.xml DESTINATION share/${PROJECT_NAME})
endfunction()
