/* The input files of a program. */

#include "privatize/program/program.h"

#include <stdlib.h>
#include <string.h>

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
  program->inputs = xcalloc (count, sizeof *program->inputs);
  program->input_count = count;
  for (size_t i = 0; i < count; i++)
    {
      for (size_t j = 0; j < i; j++)
        if (strcmp (path_base (paths[i]), path_base (paths[j])) == 0)
          fail_file (paths[i], "would be written to the same file as %s", paths[j]);
      load_input (program, &program->inputs[i], paths[i]);
    }
}
