/* Opening files if other processes have threads. Each process opens the file for itself, after process 0
   has created it. The file is open if all processes could open it. */

#include "runtime/io/file.h"

static __attribute__ ((unused)) upcr_pts open_alone (const char *name, int flags, size_t hint_count,
                                                     const struct upcr_hint *hints);
#define upcr_file_open open_alone
#include "runtime/io/file.c"
#undef upcr_file_open

/* What has no meaning once thread 0 has opened the file. */
enum
{
  ONCE = UPCR_CREATE | UPCR_EXCL | UPCR_TRUNC | UPCR_APPEND | UPCR_DELETE_ON_CLOSE
};

/* So many files were opened in process 0: which is as many in each process that numbers them. */
static uint32_t numbers;

/* What tells a file from another one of the file system; 0 of what is not in one. */
static uint64_t
identity_of (const struct upcr_file *file)
{
  struct stat status;

  return fstat (file->descriptor, &status) == 0 && S_ISREG (status.st_mode) ? status.st_ino : 0;
}

/* By the first thread of a process other than 0; as thread 0 has it. 0 or an errno. */
static int
open_here (upcr_pts handle, const char *name, int flags, size_t hint_count,
           const struct upcr_hint *hints, const struct upcr_broadcast *first)
{
  struct upcr_file *file = name ? make_file (flags, handle) : NULL;
  int error;

  if (!file)
    return name ? ENOMEM : EINVAL;
  file->first_position = first->arguments[0];
  file->tree.number = numbers;
  error = open_file (file, name, flags & ~ONCE, hint_count, hints);
  if (!error && identity_of (file) != first->arguments[1])
    upcr_fatal ("upc_all_fopen: fname leads to another file than on thread 0");
  return error;
}

/* By the first thread of each process: its part of opening a file. 0 or an errno. */
static int
open_in_process (upcr_pts handle, const char *name, int flags, size_t hint_count,
                 const struct upcr_hint *hints, const struct upcr_broadcast *first)
{
  numbers++;
  if (MYTHREAD != 0)
    return open_here (handle, name, flags, hint_count, hints, first);
  find_file (handle)->tree.number = numbers;
  return 0;
}

/* What another process could not open stays as it is. */
static void
give_up (upcr_pts handle)
{
  struct upcr_file *file = find_file (handle);

  if (!file)
    return;
  free (file->path);
  file->path = NULL;
  close_file (file);
}

upcr_pts
upcr_file_open (const char *name, int flags, size_t hint_count, const struct upcr_hint *hints)
{
  struct upcr_broadcast mine = { .what = "upc_all_fopen" };
  const struct upcr_broadcast *first;
  uint64_t hash_on_0;
  upcr_pts handle = open_on_0 (name, flags, hint_count, hints, &hash_on_0);
  int error = 0;

  if (upcr_pts_is_null (handle))
    return handle;
  if (MYTHREAD == 0)
    {
      mine.arguments[0] = find_file (handle)->first_position;
      mine.arguments[1] = identity_of (find_file (handle));
    }
  first = upcr_broadcast_from_0 (&mine);
  if (is_first_here ())
    error = open_in_process (handle, name, flags, hint_count, hints, first);
  if (upcr_file_outcome ("upc_all_fopen", error) == 0)
    {
      begin (handle, name, hash_on_0);
      return handle;
    }
  error = errno;
  if (is_first_here ())
    give_up (handle);
  errno = error;
  return (upcr_pts){ 0 };
}

void
upcr_file_visit (uint32_t number, void (*function) (struct upcr_file *file, void *argument),
                 void *argument)
{
  struct upcr_file *file;

  pthread_mutex_lock (&files_lock);
  for (file = files; file && file->tree.number != number;)
    file = file->next;
  if (file)
    function (file, argument);
  pthread_mutex_unlock (&files_lock);
}
