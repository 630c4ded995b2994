/* Calendar time. localtime and gmtime share their result, as in glibc. */

#include "runtime/libc/libc.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

int upcr_getdate_err;

static struct tm broken_down;

/* localtime_r need not look at TZ, localtime must. */
struct tm *
upcr_localtime (const time_t *time)
{
  tzset ();
  return localtime_r (time, &broken_down);
}

struct tm *
upcr_gmtime (const time_t *time)
{
  return gmtime_r (time, &broken_down);
}

/* The COUNT names of three letters in TABLE, the one at INDEX. */
static const char *
name_at (const char *table, int count, int index)
{
  return index < 0 || index >= count ? "???" : table + 3 * index;
}

/* asctime_r is for 26 bytes and fails in the year 10000; asctime does not. */
char *
upcr_asctime (const struct tm *tm)
{
  static char text[128];

  if (!tm || tm->tm_year > INT_MAX - 1900)
    {
      errno = tm ? EOVERFLOW : EINVAL;
      return NULL;
    }
  snprintf (text, sizeof text, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n",
            name_at ("SunMonTueWedThuFriSat", 7, tm->tm_wday),
            name_at ("JanFebMarAprMayJunJulAugSepOctNovDec", 12, tm->tm_mon), tm->tm_mday,
            tm->tm_hour, tm->tm_min, tm->tm_sec, 1900 + tm->tm_year);
  return text;
}

char *
upcr_ctime (const time_t *time)
{
  return upcr_asctime (upcr_localtime (time));
}

struct tm *
upcr_getdate (const char *text)
{
  static struct tm result;
  int error = getdate_r (text, &result);

  if (!error)
    return &result;
  upcr_getdate_err = error;
  return NULL;
}
