/* version.h: the one home of the version. CMake reads it here. */
#ifndef AG_VERSION_H
#define AG_VERSION_H
#define AG_VERSION "0.4.0"
#endif
