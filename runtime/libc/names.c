/* Names of files, of terminals and of the user who logged in, returned in memory of the library. */

#include "runtime/libc/buffer.h"
#include "runtime/libc/libc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *
upcr_tmpnam (char *name)
{
  static char own[L_tmpnam];
  char result[L_tmpnam];

  if (!tmpnam_r (result))
    return NULL;
  return strcpy (name ? name : own, result);
}

char *
upcr_ttyname (int fd)
{
  static struct upcr_buffer name;

  if (!name.memory && !upcr_buffer_resize (&name, PATH_MAX))
    return NULL;
  return ttyname_r (fd, name.memory, name.bytes) ? NULL : name.memory;
}

char *
upcr_ptsname (int fd)
{
  static char name[32];

  return ptsname_r (fd, name, sizeof name) ? NULL : name;
}

char *
upcr_getlogin (void)
{
  static char name[LOGIN_NAME_MAX + 1];

  return getlogin_r (name, sizeof name) ? NULL : name;
}
