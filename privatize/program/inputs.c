/* The inputs of one program, and the outputs: written beside where they will be, and
   renamed when all are whole. */

#include "privatize/files.h"
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
  char *path, *temporary;
};

static const char *
base_name (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash ? slash + 1 : path;
}

void
load_single (struct program *program, const char *path)
{
  size_t size;
  unsigned char *image = read_file (path, &size);

  add_object (program, path, image, size);
}

static void
load_input (struct program *program, struct input *input, const char *path)
{
  size_t size;
  unsigned char *image = read_file (path, &size);

  *input = (struct input){ .path = path,
                           .first = program->object_count,
                           .is_archive = is_archive (image, size) };
  if (input->is_archive)
    {
      add_members (program, input, image, size);
      free (image);
    }
  else
    add_object (program, path, image, size);
  input->count = program->object_count - input->first;
  for (size_t i = input->first; i < program->object_count; i++)
    program->objects[i].is_separate = true;
}

void
load_program (struct program *program, const char **paths, size_t count)
{
  program->inputs = allocate (count, sizeof *program->inputs);
  program->input_count = count;
  for (size_t i = 0; i < count; i++)
    {
      for (size_t j = 0; j < i; j++)
        if (strcmp (base_name (paths[i]), base_name (paths[j])) == 0)
          fail (paths[i], "would be written to the same file as %s", paths[j]);
      load_input (program, &program->inputs[i], paths[i]);
    }
}

/* Takes away what has been written so far. */
static _Noreturn void
abandon (const struct output *outputs, size_t count, const char *path, int error)
{
  for (size_t i = 0; i < count; i++)
    if (outputs[i].temporary)
      unlink (outputs[i].temporary);
  fail (path, "%s", strerror (error));
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
  struct output *outputs = allocate (program->input_count, sizeof *outputs);
  char *start = join_text (folder, "/");

  if (mkdir (folder, 0777) < 0 && errno != EEXIST)
    fail (folder, "%s", strerror (errno));
  for (size_t i = 0; i < program->input_count; i++)
    {
      outputs[i].path = join_text (start, base_name (program->inputs[i].path));
      write_input (program, i, outputs);
    }
  for (size_t i = 0; i < program->input_count; i++)
    if (rename (outputs[i].temporary, outputs[i].path) < 0)
      abandon (outputs, program->input_count, outputs[i].path, errno);
  for (size_t i = 0; i < program->input_count; i++)
    {
      free (outputs[i].temporary);
      free (outputs[i].path);
    }
  free (start);
  free (outputs);
}

void
write_single (struct program *program, const char *path)
{
  struct output output = { .path = copy_text (path) };
  int fd = open_temporary (path, &output.temporary);

  if (fd < 0)
    fail (path, "%s", strerror (errno));
  errno = 0;
  if (!write_object (&program->objects[0], fd) || close_temporary (fd) < 0
      || rename (output.temporary, path) < 0)
    abandon (&output, 1, path, errno ? errno : EIO);
  free (output.temporary);
  free (output.path);
}
