/* Functions on text that remember a position in it, or return a buffer of their own. */

#include "runtime/libc/buffer.h"
#include "runtime/libc/libc.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Of the buffers of glibc, whose results end where they are full. */
#define DOUBLE_BYTES (17 + 3)
#define LONG_DOUBLE_BYTES (21 + 3)

char *
upcr_strtok (char *text, const char *delimiters)
{
  static char *rest;

  return strtok_r (text, delimiters, &rest);
}

char *
upcr_l64a (long value)
{
  static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  static char text[7];
  char *end = text;

  for (uint32_t rest = value; rest; rest >>= 6)
    *end++ = digits[rest & 63];
  *end = 0;
  return text;
}

char *
upcr_ecvt (double value, int digits, int *point, int *sign)
{
  static char text[DOUBLE_BYTES];

  ecvt_r (value, digits, point, sign, text, sizeof text);
  return text;
}

char *
upcr_qecvt (long double value, int digits, int *point, int *sign)
{
  static char text[LONG_DOUBLE_BYTES];

  qecvt_r (value, digits, point, sign, text, sizeof text);
  return text;
}

/* Like glibc, large memory only once something did not fit. */
char *
upcr_fcvt (double value, int digits, int *point, int *sign)
{
  static char text[DOUBLE_BYTES];
  static struct upcr_buffer large;

  if (!large.memory
      && (fcvt_r (value, digits, point, sign, text, sizeof text) != -1
          || !upcr_buffer_resize (&large, DBL_MAX_10_EXP + DOUBLE_BYTES)))
    return text;
  fcvt_r (value, digits, point, sign, large.memory, large.bytes);
  return large.memory;
}

char *
upcr_qfcvt (long double value, int digits, int *point, int *sign)
{
  static char text[LONG_DOUBLE_BYTES];
  static struct upcr_buffer large;

  if (!large.memory
      && (qfcvt_r (value, digits, point, sign, text, sizeof text) != -1
          || !upcr_buffer_resize (&large, LDBL_MAX_10_EXP + LONG_DOUBLE_BYTES)))
    return text;
  qfcvt_r (value, digits, point, sign, large.memory, large.bytes);
  return large.memory;
}

char *
upcr_ether_ntoa (const struct ether_addr *address)
{
  static char text[18];

  return ether_ntoa_r (address, text);
}

struct ether_addr *
upcr_ether_aton (const char *text)
{
  static struct ether_addr address;

  return ether_aton_r (text, &address);
}
