/* Opening and closing files, and the list of open files.

   The first thread of a process opens and closes, and the others take the result. */

#include "runtime/io/check.h"
#include "runtime/io/file.h"

#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct upcr_file *files;
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* 0 or an errno. Of what the system keeps no device for, there is nothing to write. */
static int
flush (const struct upcr_file *file)
{
  if (file->flags & UPCR_RDONLY || fsync (file->descriptor) == 0 || errno == EINVAL
      || errno == EROFS)
    return 0;
  return errno;
}

/* What the end of a file needs but its close. 0 or an errno. */
static int
settle (const struct upcr_file *file)
{
  int error = flush (file);

  if (file->path && unlink (file->path) != 0 && !error)
    error = errno;
  return error;
}

/* At the end of the process. The system closes the descriptors: other threads may still be in
   calls, and must not meet another file by one of these numbers. */
static void
settle_all (void)
{
  pthread_mutex_lock (&files_lock);
  for (struct upcr_file *file = files; file; file = file->next)
    settle (file);
  pthread_mutex_unlock (&files_lock);
}

static void
settle_all_at_exit (void)
{
  atexit (settle_all);
}

static struct upcr_file *
find_file (upcr_pts handle)
{
  struct upcr_file *file;

  pthread_mutex_lock (&files_lock);
  for (file = files; file && !upcr_pts_equal (file->handle, handle);)
    file = file->next;
  pthread_mutex_unlock (&files_lock);
  return file;
}

struct upcr_file *
upcr_file_of (upcr_pts handle)
{
  struct upcr_file *file = find_file (handle);

  if (file && upcr_file_part (file)->is_open)
    return file;
  errno = EBADF;
  return NULL;
}

struct upcr_file *
upcr_file_at_rest (upcr_pts handle)
{
  struct upcr_file *file = upcr_file_of (handle);

  if (file && upcr_file_part (file)->pending)
    {
      errno = EBUSY;
      return NULL;
    }
  return file;
}

static bool
is_one_of (int flags, int group)
{
  flags &= group;
  return flags != 0 && (flags & (flags - 1)) == 0;
}

static bool
are_open_flags (int flags)
{
  return is_one_of (flags, UPCR_RDONLY | UPCR_WRONLY | UPCR_RDWR)
         && is_one_of (flags, UPCR_INDIVIDUAL_FP | UPCR_COMMON_FP)
         && (!(flags & UPCR_EXCL) || flags & UPCR_CREATE)
         && !(flags & UPCR_TRUNC && flags & UPCR_RDONLY)
         && (flags & ~(2 * UPCR_DELETE_ON_CLOSE - 1)) == 0;
}

static int
system_flags (int flags)
{
  return (flags & UPCR_RDWR     ? O_RDWR
          : flags & UPCR_WRONLY ? O_WRONLY
                                : O_RDONLY)
         | (flags & UPCR_CREATE ? O_CREAT : 0) | (flags & UPCR_EXCL ? O_EXCL : 0)
         | (flags & UPCR_TRUNC ? O_TRUNC : 0) | O_CLOEXEC;
}

static void
free_file (struct upcr_file *file)
{
  for (int t = 0; t < THREADS; t++)
    free (file->parts[t].name);
  upcr_hints_free (file);
  free (file->path);
  pthread_mutex_destroy (&file->strong);
  if (MYTHREAD == 0)
    upcr_heap_free (file->handle, "upc_all_fclose");
  free (file);
}

/* 0 or an errno. */
static int
set_hints (struct upcr_file *file, size_t count, const struct upcr_hint *hints)
{
  int error = count && !hints ? EINVAL : 0;

  for (size_t i = 0; i < count && !error; i++)
    error = upcr_hint_set (file, &hints[i]);
  return error;
}

/* A file that is not open; NULL: no memory. */
static struct upcr_file *
make_file (int flags, upcr_pts handle)
{
  size_t bytes = sizeof (struct upcr_file) + THREADS * sizeof (struct upcr_file_part);
  struct upcr_file *file = aligned_alloc (64, (bytes + 63) & -64ul);

  if (!file)
    return NULL;
  memset (file, 0, bytes);
  file->flags = flags;
  file->handle = handle;
  pthread_mutex_init (&file->strong, NULL);
  return file;
}

/* 0 or an errno. FLAGS: what is to be done of what the file is opened with. */
static int
open_descriptor (struct upcr_file *file, const char *name, int flags)
{
  file->descriptor = open (name, system_flags (flags), upcr_hints_mode (file));
  if (file->descriptor < 0)
    return errno;
  upcr_hints_advise (file);
  if (flags & UPCR_APPEND)
    file->first_position = lseek (file->descriptor, 0, SEEK_END);
  /* The program may change its working directory meanwhile. */
  if (flags & UPCR_DELETE_ON_CLOSE)
    file->path = realpath (name, NULL);
  return 0;
}

static void
list_file (struct upcr_file *file)
{
  pthread_once (&once, settle_all_at_exit);
  pthread_mutex_lock (&files_lock);
  file->next = files;
  files = file;
  pthread_mutex_unlock (&files_lock);
}

/* Whether FILE, which is open, has NAME too. */
static bool
has_name (const struct upcr_file *file, const char *name)
{
  struct stat own, named;

  return name && fstat (file->descriptor, &own) == 0 && stat (name, &named) == 0
         && own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

/* A file must not be open twice (7.8.3.1): ends the run. Of devices that is no matter. */
static void
refuse_twice (const char *name)
{
  struct stat named;

  if (stat (name, &named) != 0 || !S_ISREG (named.st_mode))
    return;
  /* Only this thread, thread 0, changes the list. */
  for (const struct upcr_file *file = files; file; file = file->next)
    if (has_name (file, name))
      upcr_fatal ("upc_all_fopen: %s is open already", name);
}

/* By thread 0. The file, or NULL and errno. */
static struct upcr_file *
make_first (int flags)
{
  upcr_pts handle = upcr_symmetric_alloc_for (1, 1, "upc_all_fopen");
  struct upcr_file *file = upcr_pts_is_null (handle) ? NULL : make_file (flags, handle);

  if (!file)
    upcr_heap_free (handle, "upc_all_fopen");
  errno = ENOMEM;
  return file;
}

/* Opens FILE, which is freed if that fails: an errno then, else 0. */
static int
open_file (struct upcr_file *file, const char *name, int flags, size_t hint_count,
           const struct upcr_hint *hints)
{
  int error = set_hints (file, hint_count, hints);

  if (!error)
    error = open_descriptor (file, name, flags);
  if (error)
    free_file (file);
  else
    list_file (file);
  return error;
}

/* By thread 0. The file, or NULL and errno. */
static struct upcr_file *
open_first (const char *name, int flags, size_t hint_count, const struct upcr_hint *hints)
{
  struct upcr_file *file;

  errno = EINVAL;
  if (!name || !are_open_flags (flags) || !(file = make_first (flags)))
    return NULL;
  if (upcr_options.check)
    refuse_twice (name);
  errno = open_file (file, name, flags, hint_count, hints);
  return errno ? NULL : file;
}

static void
begin_part (struct upcr_file *file, const char *name)
{
  struct upcr_file_part *part = upcr_file_part (file);

  part->is_open = true;
  part->position = file->first_position;
  part->flags = file->flags;
  part->name = name ? strdup (name) : NULL;
}

/* Ends the run unless the threads open the same file (7.8.3.1: fname may differ). */
static void
check_name (const struct upcr_file *file, const char *name, uint64_t hash_on_0)
{
  if (upcr_io_hash_text (name) != hash_on_0 && !has_name (file, name))
    upcr_fatal ("upc_all_fopen: fname leads to another file than on thread 0");
}

/* The handle, or a null pointer and errno, and the hash of thread 0's NAME. */
static upcr_pts
open_on_0 (const char *name, int flags, size_t hint_count, const struct upcr_hint *hints,
           uint64_t *hash)
{
  struct upcr_broadcast mine = { .what = "upc_all_fopen" };
  const struct upcr_broadcast *first;

  UPCR_IO_CHECK (NULL, "upc_all_fopen", { "flags", flags }, { "numhints", hint_count },
                 { "*hints", upcr_io_hash_hints (hints ? hint_count : 0, hints) });
  if (MYTHREAD == 0)
    {
      struct upcr_file *file = open_first (name, flags, hint_count, hints);

      mine.arguments[1] = upcr_io_hash_text (name);
      if (file)
        mine.result = file->handle;
      else
        mine.arguments[0] = errno;
    }
  first = upcr_broadcast_from_0 (&mine);
  *hash = first->arguments[1];
  if (upcr_pts_is_null (first->result))
    errno = first->arguments[0];
  return first->result;
}

static void
begin (upcr_pts handle, const char *name, uint64_t hash_on_0)
{
  struct upcr_file *file = find_file (handle);

  if (upcr_options.check)
    check_name (file, name, hash_on_0);
  begin_part (file, name);
}

upcr_pts
upcr_file_open (const char *name, int flags, size_t hint_count, const struct upcr_hint *hints)
{
  uint64_t hash_on_0;
  upcr_pts handle = open_on_0 (name, flags, hint_count, hints, &hash_on_0);

  if (!upcr_pts_is_null (handle))
    begin (handle, name, hash_on_0);
  return handle;
}

static void
forget_file (struct upcr_file *file)
{
  struct upcr_file **link = &files;

  pthread_mutex_lock (&files_lock);
  while (*link && *link != file)
    link = &(*link)->next;
  if (*link)
    *link = file->next;
  pthread_mutex_unlock (&files_lock);
}

/* 0 or an errno. */
static int
close_file (struct upcr_file *file)
{
  int error;

  forget_file (file);
  error = settle (file);
  if (close (file->descriptor) != 0 && !error)
    error = errno;
  free_file (file);
  return error;
}

static bool
is_first_here (void)
{
  return MYTHREAD == UPCR_FIRST_THREAD;
}

int
upcr_file_close (upcr_pts handle)
{
  struct upcr_file *file = upcr_file_at_rest (handle);

  if (!file)
    return -1;
  UPCR_IO_CHECK (file, "upc_all_fclose");
  upcr_file_part (file)->is_open = false;
  /* All threads have done with it. */
  upcr_collective_barrier ("upc_all_fclose");
  return upcr_file_outcome ("upc_all_fclose", is_first_here () ? close_file (file) : 0);
}

/* What is not on the device of other processes' writes must be there before the file is cut. */
int
upcr_file_change (struct upcr_file *file, const char *what, upcr_change *change,
                  const void *argument)
{
  upcr_collective_barrier (what);
  if (upcr_file_outcome (what, is_first_here () ? flush (file) : 0) != 0)
    return -1;
  return change ? upcr_file_outcome (what, is_first_here () ? change (file, argument) : 0) : 0;
}

int
upcr_file_sync (upcr_pts handle)
{
  struct upcr_file *file = upcr_file_at_rest (handle);

  if (!file)
    return -1;
  UPCR_IO_CHECK (file, "upc_all_fsync");
  return upcr_file_change (file, "upc_all_fsync", NULL, NULL);
}
