/* SPDX-License-Identifier: MIT */
/* sanitizer.h: whether the program is built with the address sanitizer. */
#ifndef AG_SANITIZER_H
#define AG_SANITIZER_H

#if defined(__has_feature) /* clang's */
#if __has_feature(address_sanitizer)
#define AG_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(AG_SANITIZED) /* gcc's */
#define AG_SANITIZED
#endif

#endif
