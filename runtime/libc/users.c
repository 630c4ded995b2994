/* Users, groups and mounts. */

#include "runtime/libc/libc.h"
#include "runtime/libc/lookup.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

UPCR_LOOKUP (passwd, getpwnam, (const char *name), getpwnam_r (name, UPCR_ENTRY))
UPCR_LOOKUP (passwd, getpwuid, (uid_t id), getpwuid_r (id, UPCR_ENTRY))
UPCR_LOOKUP (passwd, getpwent, (void), getpwent_r (UPCR_ENTRY))
UPCR_LOOKUP (group, getgrnam, (const char *name), getgrnam_r (name, UPCR_ENTRY))
UPCR_LOOKUP (group, getgrgid, (gid_t id), getgrgid_r (id, UPCR_ENTRY))
UPCR_LOOKUP (group, getgrent, (void), getgrent_r (UPCR_ENTRY))
UPCR_LOOKUP (spwd, getspnam, (const char *name), getspnam_r (name, UPCR_ENTRY))
UPCR_LOOKUP (spwd, getspent, (void), getspent_r (UPCR_ENTRY))
UPCR_LOOKUP (spwd, sgetspent, (const char *text), sgetspent_r (text, UPCR_ENTRY))

/* From a stream: the line that did not fit is the next one again. */
#define STREAM_LOOKUP(type, name)                                                            \
  static int name##_or_back (FILE *stream, struct type *entry, char *text, size_t bytes,     \
                             struct type **result)                                           \
  {                                                                                          \
    fpos_t position;                                                                         \
    int error = fgetpos (stream, &position) ? errno                                          \
                                            : name##_r (stream, entry, text, bytes, result); \
                                                                                             \
    if (error == ERANGE && fsetpos (stream, &position))                                      \
      return errno;                                                                          \
    return error;                                                                            \
  }                                                                                          \
                                                                                             \
  UPCR_LOOKUP (type, name, (FILE * stream), name##_or_back (stream, UPCR_ENTRY))

STREAM_LOOKUP (passwd, fgetpwent)
STREAM_LOOKUP (group, fgetgrent)
STREAM_LOOKUP (spwd, fgetspent)

struct mntent *
upcr_getmntent (FILE *stream)
{
  static struct mntent entry;
  static struct upcr_buffer text;

  if (!text.memory && !upcr_buffer_resize (&text, 4096))
    return NULL;
  return getmntent_r (stream, &entry, text.memory, text.bytes);
}

char *
upcr_cuserid (char *name)
{
  static char own[L_cuserid];
  char text[1024];
  struct passwd entry, *user = NULL;

  getpwuid_r (geteuid (), &entry, text, sizeof text, &user);
  if (!user)
    {
      if (name)
        name[0] = 0;
      return name;
    }
  if (!name)
    name = own;
  name[L_cuserid - 1] = 0;
  return strncpy (name, user->pw_name, L_cuserid - 1);
}
