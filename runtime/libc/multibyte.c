/* Conversions of characters. Each function of the C library has its own state for callers that
   pass none; here there is one for each UPC thread. */

#include "runtime/libc/libc.h"

#include <stdlib.h>
#include <string.h>

_Noreturn void __chk_fail (void);
size_t __wcrtomb_chk (char *, wchar_t, mbstate_t *, size_t);
size_t __mbsrtowcs_chk (wchar_t *, const char **, size_t, mbstate_t *, size_t);
size_t __wcsrtombs_chk (char *, const wchar_t **, size_t, mbstate_t *, size_t);
size_t __mbsnrtowcs_chk (wchar_t *, const char **, size_t, size_t, mbstate_t *, size_t);
size_t __wcsnrtombs_chk (char *, const wchar_t **, size_t, size_t, mbstate_t *, size_t);

/* In the block where it is written: the state of the calling UPC thread. */
#define OWN(state)            \
  ({                          \
    static mbstate_t own;     \
    (state) ? (state) : &own; \
  })

/* -1 for what is no character, or not a whole one. */
static int
as_int (size_t result)
{
  return result > (size_t) -3 ? -1 : (int) result;
}

/* Without text these three say whether the encoding has shifts, which libc knows. */
int
upcr_mblen (const char *text, size_t bytes)
{
  mbstate_t fresh = { 0 };

  if (!text)
    return mblen (NULL, 0);
  return *text ? as_int (mbrlen (text, bytes, &fresh)) : 0;
}

int
upcr_mbtowc (wchar_t *wide, const char *text, size_t bytes)
{
  static mbstate_t state;

  if (!text)
    {
      memset (&state, 0, sizeof state);
      return mbtowc (NULL, NULL, 0);
    }
  if (*text)
    return as_int (mbrtowc (wide, text, bytes, &state));
  if (wide)
    *wide = L'\0';
  return 0;
}

int
upcr_wctomb (char *text, wchar_t wide)
{
  static mbstate_t state;

  if (text)
    return as_int (wcrtomb (text, wide, &state));
  memset (&state, 0, sizeof state);
  return wctomb (NULL, L'\0');
}

int
upcr_wctomb_chk (char *text, wchar_t wide, size_t space)
{
  if (space < MB_CUR_MAX)
    __chk_fail ();
  return upcr_wctomb (text, wide);
}

#define ARGUMENTS(...) __VA_ARGS__

/* upcr_NAME, whose parameters end with the state, with the thread's where that is null;
   alone, or with the checked form of it, which has the same state. */
#define ALONE(name, arguments, ...)                  \
  size_t upcr_##name (__VA_ARGS__, mbstate_t *state) \
  {                                                  \
    return name (ARGUMENTS arguments, OWN (state));  \
  }

#define WITH_CHECKED(name, arguments, ...)                                    \
  static mbstate_t *name##_state (mbstate_t *state)                           \
  {                                                                           \
    return OWN (state);                                                       \
  }                                                                           \
                                                                              \
  size_t upcr_##name (__VA_ARGS__, mbstate_t *state)                          \
  {                                                                           \
    return name (ARGUMENTS arguments, name##_state (state));                  \
  }                                                                           \
                                                                              \
  size_t upcr_##name##_chk (__VA_ARGS__, mbstate_t *state, size_t space)      \
  {                                                                           \
    return __##name##_chk (ARGUMENTS arguments, name##_state (state), space); \
  }

ALONE (mbrlen, (text, bytes), const char *text, size_t bytes)
ALONE (mbrtowc, (wide, text, bytes), wchar_t *wide, const char *text, size_t bytes)
ALONE (mbrtoc16, (wide, text, bytes), char16_t *wide, const char *text, size_t bytes)
ALONE (c16rtomb, (text, wide), char *text, char16_t wide)
ALONE (mbrtoc32, (wide, text, bytes), char32_t *wide, const char *text, size_t bytes)
ALONE (c32rtomb, (text, wide), char *text, char32_t wide)
#if __GLIBC_PREREQ(2, 36)
ALONE (mbrtoc8, (unit, text, bytes), char8_t *unit, const char *text, size_t bytes)
ALONE (c8rtomb, (text, unit), char *text, char8_t unit)
#endif

WITH_CHECKED (wcrtomb, (text, wide), char *text, wchar_t wide)
WITH_CHECKED (mbsrtowcs, (to, from, count), wchar_t *to, const char **from, size_t count)
WITH_CHECKED (wcsrtombs, (to, from, bytes), char *to, const wchar_t **from, size_t bytes)
WITH_CHECKED (mbsnrtowcs, (to, from, bytes, count), wchar_t *to, const char **from, size_t bytes,
              size_t count)
WITH_CHECKED (wcsnrtombs, (to, from, count, bytes), char *to, const wchar_t **from, size_t count,
              size_t bytes)
