/* The output files. They are written beside their final places, and renamed when all are
   complete. */

#include "privatize/program/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file on its way. */
struct output
{
  const char *path;
  char *temporary;
};

/* A file beside PATH, to be renamed when it is whole; -1 with errno. */
static int
open_temporary (const char *path, char **temporary)
{
  struct stat status;
  int fd;

  /* A device must not be replaced. */
  if (stat (path, &status) == 0 && !S_ISREG (status.st_mode))
    fail_file (path, "not a regular file");
  *temporary = arena_format ("%s.XXXXXX", path);
  fd = mkstemp (*temporary);
  if (fd < 0)
    *temporary = NULL;
  return fd;
}

/* Returns -1 with errno when not all was written. */
static int
close_temporary (int fd)
{
  mode_t mask = umask (0);
  int result;

  umask (mask);
  result = fchmod (fd, 0666 & ~mask);
  return close (fd) < 0 ? -1 : result;
}

/* Takes away what has been written so far. */
static _Noreturn void
abandon (const struct output *outputs, size_t count, const char *path, int error)
{
  for (size_t i = 0; i < count; i++)
    if (outputs[i].temporary)
      unlink (outputs[i].temporary);
  fail_file (path, "%s", strerror (error));
}

static void
write_input (const struct program *program, size_t i, struct output *outputs)
{
  const struct input *input = &program->inputs[i];
  int fd = open_temporary (outputs[i].path, &outputs[i].temporary);

  if (fd < 0)
    abandon (outputs, i, outputs[i].path, errno);
  errno = 0;
  if (!(input->is_archive ? write_archive (program, input, fd)
                          : write_object (&program->objects[input->first], fd))
      || close_temporary (fd) < 0)
    abandon (outputs, i + 1, outputs[i].path, errno ? errno : EIO);
}

void
write_program (struct program *program, const char *folder)
{
  struct output *outputs = xcalloc (program->input_count, sizeof *outputs);

  if (mkdir (folder, 0777) < 0 && errno != EEXIST)
    fail_file (folder, "%s", strerror (errno));
  for (size_t i = 0; i < program->input_count; i++)
    {
      outputs[i].path = arena_format ("%s/%s", folder, path_base (program->inputs[i].path));
      write_input (program, i, outputs);
    }
  for (size_t i = 0; i < program->input_count; i++)
    if (rename (outputs[i].temporary, outputs[i].path) < 0)
      abandon (outputs, program->input_count, outputs[i].path, errno);
  free (outputs);
}

void
write_single (struct program *program, const char *path)
{
  struct output output = { .path = path };
  int fd = open_temporary (path, &output.temporary);

  if (fd < 0)
    fail_file (path, "%s", strerror (errno));
  errno = 0;
  if (!write_object (&program->objects[0], fd) || close_temporary (fd) < 0
      || rename (output.temporary, path) < 0)
    abandon (&output, 1, path, errno ? errno : EIO);
}
