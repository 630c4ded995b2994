/* upc_all_fcntl. */

#include "runtime/io/check.h"
#include "runtime/io/file.h"

#include <errno.h>

static const char name[] = "upc_all_fcntl";

/* Of what the program gives no place for, or nothing. */
static int
refuse_null (void)
{
  errno = EFAULT;
  return -1;
}

static int
get_name (const struct upcr_file_part *part, const char **result)
{
  if (!result)
    return refuse_null ();
  *result = part->name;
  return 0;
}

static int
get_hints (const struct upcr_file *file, const struct upcr_hint **hints)
{
  if (!hints)
    return refuse_null ();
  *hints = file->hints;
  return file->hint_count;
}

static int
change_hint (struct upcr_file *file, const void *hint)
{
  int error = hint ? upcr_hint_set (file, hint) : EFAULT;

  if (!error)
    upcr_hints_advise (file);
  return error;
}

/* Flags OFF go and ON come, in each thread's copy. */
static int
change_flags (struct upcr_file *file, int off, int on)
{
  struct upcr_file_part *part = upcr_file_part (file);

  if (upcr_file_change (file, name, NULL, NULL) != 0)
    return -1;
  part->flags = (part->flags & ~off) | on;
  return 0;
}

static int
set_position_kind (struct upcr_file *file, int kind)
{
  if (change_flags (file, UPCR_COMMON_FP | UPCR_INDIVIDUAL_FP, kind) != 0)
    return -1;
  upcr_file_part (file)->position = 0;
  return 0;
}

static int
control (struct upcr_file *file, int command, void *argument)
{
  struct upcr_file_part *part = upcr_file_part (file);

  switch (command)
    {
    case UPCR_GET_CA_SEMANTICS:
      return part->flags & UPCR_STRONG_CA;
    case UPCR_SET_WEAK_CA_SEMANTICS:
      return change_flags (file, UPCR_STRONG_CA, 0);
    case UPCR_SET_STRONG_CA_SEMANTICS:
      return change_flags (file, 0, UPCR_STRONG_CA);
    case UPCR_GET_FP:
      return part->flags & (UPCR_COMMON_FP | UPCR_INDIVIDUAL_FP);
    case UPCR_SET_COMMON_FP:
      return set_position_kind (file, UPCR_COMMON_FP);
    case UPCR_SET_INDIVIDUAL_FP:
      return set_position_kind (file, UPCR_INDIVIDUAL_FP);
    case UPCR_GET_FL:
      return part->flags;
    case UPCR_GET_FN:
      return get_name (part, argument);
    case UPCR_GET_HINTS:
      return get_hints (file, argument);
    case UPCR_SET_HINT:
      return upcr_file_change (file, name, change_hint, argument);
    case UPCR_ASYNC_OUTSTANDING:
      return part->pending != NULL;
    default:
      errno = upcr_io_error (EINVAL, name, "cmd is none of the commands");
      return -1;
    }
}

int
upcr_file_control (upcr_pts handle, int command, void *argument)
{
  struct upcr_file *file = command == UPCR_ASYNC_OUTSTANDING ? upcr_file_of (handle)
                                                             : upcr_file_at_rest (handle);

  if (!file)
    return -1;
  UPCR_IO_CHECK (
      file, name, { "cmd", command },
      { "*arg", command == UPCR_SET_HINT ? upcr_io_hash_hints (argument != NULL, argument) : 0 });
  return control (file, command, argument);
}
