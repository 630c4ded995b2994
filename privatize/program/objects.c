/* The objects of a program. */

#include "privatize/program/program.h"

struct object *
add_object (struct program *program, const char *path, unsigned char *image, size_t size)
{
  struct object *object;

  program->objects = grow_array (program->objects, program->object_count + 1,
                                 &program->object_capacity, sizeof *program->objects);
  object = &program->objects[program->object_count++];
  *object = (struct object){ .path = path };
  load_object (object, image, size);
  return object;
}
