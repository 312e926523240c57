# SPDX-License-Identifier: MIT
# arm-none-eabi.cmake: a Cortex-M without operating system, by Debian's gcc-arm-none-eabi:
#   cmake -S . -B build --toolchain arm-none-eabi.cmake -DCPU="-mcpu=cortex-m7 -mfpu=fpv5-sp-d16"
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CPU "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16" CACHE STRING "the compiler's flags for the core")
set(CMAKE_C_FLAGS_INIT "${CPU} -mthumb -mfloat-abi=hard -ffreestanding")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # a program needs the linker script of its board
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CPU)
