/* SPDX-License-Identifier: MIT */
/* without_icu.c: what libxml2 calls of ICU, where ICU is not linked: there is no converter of any encoding. So libxml2 reads those
 * that it knows itself (UTF-8, UTF-16, ISO-8859-1, ASCII) and those of iconv, and refuses others. */
#include <unicode/ucnv.h>

UConverter *ucnv_open(const char *name, UErrorCode *error) {
  (void)name;
  *error = U_FILE_ACCESS_ERROR;
  return NULL;
}

void ucnv_close(UConverter *converter) {
  (void)converter;
}

void ucnv_convertEx(UConverter *to, UConverter *from, char **target, const char *target_limit,
                    const char **source, const char *source_limit, UChar *pivot,
                    UChar **pivot_source, UChar **pivot_target, const UChar *pivot_limit,
                    UBool reset, UBool flush, UErrorCode *error) {
  (void)to, (void)from, (void)target, (void)target_limit, (void)source, (void)source_limit;
  (void)pivot, (void)pivot_source, (void)pivot_target, (void)pivot_limit, (void)reset, (void)flush;
  *error = U_UNSUPPORTED_ERROR;
}

void ucnv_setFromUCallBack(UConverter *converter, UConverterFromUCallback action,
                           const void *context, UConverterFromUCallback *old_action,
                           const void **old_context, UErrorCode *error) {
  (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;
  *error = U_UNSUPPORTED_ERROR;
}

void ucnv_setToUCallBack(UConverter *converter, UConverterToUCallback action, const void *context,
                         UConverterToUCallback *old_action, const void **old_context,
                         UErrorCode *error) {
  (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;
  *error = U_UNSUPPORTED_ERROR;
}

/* Those that libxml2 names. */
void UCNV_FROM_U_CALLBACK_STOP(const void *context, UConverterFromUnicodeArgs *arguments,
                               const UChar *units, int32_t length, UChar32 point,
                               UConverterCallbackReason reason, UErrorCode *error) {
  (void)context, (void)arguments, (void)units, (void)length, (void)point, (void)reason, (void)error;
}

void UCNV_TO_U_CALLBACK_STOP(const void *context, UConverterToUnicodeArgs *arguments,
                             const char *units, int32_t length, UConverterCallbackReason reason,
                             UErrorCode *error) {
  (void)context, (void)arguments, (void)units, (void)length, (void)reason, (void)error;
}
