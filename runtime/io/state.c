/* With UPC_CHECK=1: is a file open and at rest, as a call requires, and are the arguments valid? */

#include "runtime/host/host.h"
#include "runtime/io/check.h"
#include "runtime/io/file.h"
#include "runtime/io/io.h"

void
upcr_io_check_state (upcr_pts handle, enum upcr_file_state state, const char *what)
{
  struct upcr_file *file;
  bool is_in_use;

  if (!upcr_refuses_suspicious ())
    return;
  file = upcr_file_of (handle);
  if (!file)
    upcr_fatal ("%s: %s", what,
                upcr_pts_is_null (handle) ? "null pointer in place of a file"
                                          : "the file is closed, or was never opened");
  is_in_use = upcr_file_part (file)->pending != NULL;
  if (state != UPCR_FILE_OPEN && is_in_use != (state == UPCR_FILE_IN_USE))
    upcr_fatal ("%s: %s asynchronous operation on the file is under way", what,
                is_in_use ? "an" : "no");
}

int
upcr_io_error (int error, const char *what, const char *why)
{
  if (upcr_refuses_suspicious ())
    upcr_fatal ("%s: %s", what, why);
  return error;
}
