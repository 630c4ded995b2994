/* The inputs of one program, and the outputs: written beside where they will be, and
   renamed when all are whole. */

#include "privatize/privatize.h"
#include "privatize/set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The phases that need no other object. */
void
rewrite_object (struct object *object)
{
  rewrite_text (object);
  describe_thunks (object);
  name_thunks (object);
  copy_unwind_pointers (object);
  rewrite_indirect_functions (object);
  rewrite_data (object);
  collect_constructors (object);
  rewrite_debug_info (object);
}

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

struct object *
add_object (struct set *set, const char *path, unsigned char *image, size_t size)
{
  struct object *object;

  if (set->object_count == set->object_room)
    {
      set->object_room += set->object_room / 2 + 16;
      set->objects = resize (set->objects, set->object_room, sizeof *set->objects);
    }
  object = &set->objects[set->object_count++];
  *object = (struct object) { .path = path };
  load_object (object, image, size);
  return object;
}

void
load_single (struct set *set, const char *path)
{
  size_t size;
  unsigned char *image = read_file (path, &size);

  add_object (set, path, image, size);
}

static void
load_input (struct set *set, struct input *input, const char *path)
{
  size_t size;
  unsigned char *image = read_file (path, &size);

  *input = (struct input) { .path = path, .first = set->object_count,
                            .is_archive = is_archive (image, size) };
  if (input->is_archive)
    {
      add_members (set, input, image, size);
      free (image);
    }
  else
    add_object (set, path, image, size);
  input->count = set->object_count - input->first;
  for (size_t i = input->first; i < set->object_count; i++)
    set->objects[i].is_part = true;
}

void
load_set (struct set *set, const char **paths, size_t count)
{
  set->inputs = allocate (count, sizeof *set->inputs);
  set->input_count = count;
  for (size_t i = 0; i < count; i++)
    {
      for (size_t j = 0; j < i; j++)
        if (strcmp (base_name (paths[i]), base_name (paths[j])) == 0)
          fail (paths[i], "would be written to the same file as %s", paths[j]);
      load_input (set, &set->inputs[i], paths[i]);
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
write_input (const struct set *set, size_t i, struct output *outputs)
{
  const struct input *input = &set->inputs[i];
  int fd = open_temporary (outputs[i].path, &outputs[i].temporary);

  if (fd < 0)
    abandon (outputs, i, outputs[i].path, errno);
  errno = 0;
  if (!(input->is_archive ? write_archive (set, input, fd)
                          : write_object (&set->objects[input->first], fd))
      || close_temporary (fd) < 0)
    abandon (outputs, i + 1, outputs[i].path, errno ? errno : EIO);
}

void
write_set (struct set *set, const char *folder)
{
  struct output *outputs = allocate (set->input_count, sizeof *outputs);
  char *start = join_text (folder, "/");

  if (mkdir (folder, 0777) < 0 && errno != EEXIST)
    fail (folder, "%s", strerror (errno));
  for (size_t i = 0; i < set->input_count; i++)
    {
      outputs[i].path = join_text (start, base_name (set->inputs[i].path));
      write_input (set, i, outputs);
    }
  for (size_t i = 0; i < set->input_count; i++)
    if (rename (outputs[i].temporary, outputs[i].path) < 0)
      abandon (outputs, set->input_count, outputs[i].path, errno);
  for (size_t i = 0; i < set->input_count; i++)
    {
      free (outputs[i].temporary);
      free (outputs[i].path);
    }
  free (start);
  free (outputs);
}

void
write_single (struct set *set, const char *path)
{
  struct output output = { .path = copy_text (path) };
  int fd = open_temporary (path, &output.temporary);

  if (fd < 0)
    fail (path, "%s", strerror (errno));
  errno = 0;
  if (!write_object (&set->objects[0], fd) || close_temporary (fd) < 0
      || rename (output.temporary, path) < 0)
    abandon (&output, 1, path, errno ? errno : EIO);
  free (output.temporary);
  free (output.path);
}
