/* SPDX-License-Identifier: MIT */
/* version.h: the one home of the version, and of the licence of what is emitted. CMake reads it here. */
#ifndef AG_VERSION_H
#define AG_VERSION_H
#define AG_VERSION "0.4.0"
/* The licence of what achdgen emits; in two strings, so that no reader of licences takes it for this file's. */
#define AG_EMITTED_LICENCE                                                                         \
  "SPDX-License-"                                                                                  \
  "Identifier: MIT-0"
#endif
