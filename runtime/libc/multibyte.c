/* Conversions of characters. Each function of the C library has a state of its own
   for callers that pass none; here each thread has. */

#include "runtime/libc/libc.h"

#include <stdlib.h>
#include <string.h>

_Noreturn void __chk_fail (void);
size_t __wcrtomb_chk (char *, wchar_t, mbstate_t *, size_t);
size_t __mbsrtowcs_chk (wchar_t *, const char **, size_t, mbstate_t *, size_t);
size_t __wcsrtombs_chk (char *, const wchar_t **, size_t, mbstate_t *, size_t);
size_t __mbsnrtowcs_chk (wchar_t *, const char **, size_t, size_t, mbstate_t *, size_t);
size_t __wcsnrtombs_chk (char *, const wchar_t **, size_t, size_t, mbstate_t *, size_t);

/* In the block where it is written: the state of the calling thread. */
#define OWN(state) ({ static __thread mbstate_t own; (state) ? (state) : &own; })

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
  static __thread mbstate_t state;

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
  static __thread mbstate_t state;

  if (text)
    return as_int (wcrtomb (text, wide, &state));
  memset (&state, 0, sizeof state);
  return wctomb (NULL, L'\0');
}

int
upcr_wctomb_chk (char *text, wchar_t wide, size_t room)
{
  if (room < MB_CUR_MAX)
    __chk_fail ();
  return upcr_wctomb (text, wide);
}

size_t
upcr_mbrlen (const char *text, size_t bytes, mbstate_t *state)
{
  return mbrlen (text, bytes, OWN (state));
}

size_t
upcr_mbrtowc (wchar_t *wide, const char *text, size_t bytes, mbstate_t *state)
{
  return mbrtowc (wide, text, bytes, OWN (state));
}

static mbstate_t *
wcrtomb_state (mbstate_t *state)
{
  return OWN (state);
}

size_t
upcr_wcrtomb (char *text, wchar_t wide, mbstate_t *state)
{
  return wcrtomb (text, wide, wcrtomb_state (state));
}

size_t
upcr_wcrtomb_chk (char *text, wchar_t wide, mbstate_t *state, size_t room)
{
  return __wcrtomb_chk (text, wide, wcrtomb_state (state), room);
}

static mbstate_t *
mbsrtowcs_state (mbstate_t *state)
{
  return OWN (state);
}

size_t
upcr_mbsrtowcs (wchar_t *to, const char **from, size_t count, mbstate_t *state)
{
  return mbsrtowcs (to, from, count, mbsrtowcs_state (state));
}

size_t
upcr_mbsrtowcs_chk (wchar_t *to, const char **from, size_t count, mbstate_t *state, size_t room)
{
  return __mbsrtowcs_chk (to, from, count, mbsrtowcs_state (state), room);
}

static mbstate_t *
wcsrtombs_state (mbstate_t *state)
{
  return OWN (state);
}

size_t
upcr_wcsrtombs (char *to, const wchar_t **from, size_t bytes, mbstate_t *state)
{
  return wcsrtombs (to, from, bytes, wcsrtombs_state (state));
}

size_t
upcr_wcsrtombs_chk (char *to, const wchar_t **from, size_t bytes, mbstate_t *state, size_t room)
{
  return __wcsrtombs_chk (to, from, bytes, wcsrtombs_state (state), room);
}

static mbstate_t *
mbsnrtowcs_state (mbstate_t *state)
{
  return OWN (state);
}

size_t
upcr_mbsnrtowcs (wchar_t *to, const char **from, size_t bytes, size_t count, mbstate_t *state)
{
  return mbsnrtowcs (to, from, bytes, count, mbsnrtowcs_state (state));
}

size_t
upcr_mbsnrtowcs_chk (wchar_t *to, const char **from, size_t bytes, size_t count, mbstate_t *state,
                     size_t room)
{
  return __mbsnrtowcs_chk (to, from, bytes, count, mbsnrtowcs_state (state), room);
}

static mbstate_t *
wcsnrtombs_state (mbstate_t *state)
{
  return OWN (state);
}

size_t
upcr_wcsnrtombs (char *to, const wchar_t **from, size_t count, size_t bytes, mbstate_t *state)
{
  return wcsnrtombs (to, from, count, bytes, wcsnrtombs_state (state));
}

size_t
upcr_wcsnrtombs_chk (char *to, const wchar_t **from, size_t count, size_t bytes, mbstate_t *state,
                     size_t room)
{
  return __wcsnrtombs_chk (to, from, count, bytes, wcsnrtombs_state (state), room);
}

size_t
upcr_mbrtoc16 (char16_t *wide, const char *text, size_t bytes, mbstate_t *state)
{
  return mbrtoc16 (wide, text, bytes, OWN (state));
}

size_t
upcr_c16rtomb (char *text, char16_t wide, mbstate_t *state)
{
  return c16rtomb (text, wide, OWN (state));
}

size_t
upcr_mbrtoc32 (char32_t *wide, const char *text, size_t bytes, mbstate_t *state)
{
  return mbrtoc32 (wide, text, bytes, OWN (state));
}

size_t
upcr_c32rtomb (char *text, char32_t wide, mbstate_t *state)
{
  return c32rtomb (text, wide, OWN (state));
}

#if __GLIBC_PREREQ (2, 36)
size_t
upcr_mbrtoc8 (char8_t *unit, const char *text, size_t bytes, mbstate_t *state)
{
  return mbrtoc8 (unit, text, bytes, OWN (state));
}

size_t
upcr_c8rtomb (char *text, char8_t unit, mbstate_t *state)
{
  return c8rtomb (text, unit, OWN (state));
}
#endif
