/* The objects of a program. */

#include "privatize/program/program.h"

struct object *
add_object (struct program *program, const char *path, unsigned char *image, size_t size)
{
  struct object *object;

  if (program->object_count == program->object_capacity)
    {
      program->object_capacity += program->object_capacity / 2 + 16;
      program->objects = resize (program->objects, program->object_capacity,
                                 sizeof *program->objects);
    }
  object = &program->objects[program->object_count++];
  *object = (struct object){ .path = path };
  load_object (object, image, size);
  return object;
}
