/* The phases between find_private and writing, each for all objects of a program. */

#include "privatize/program/program.h"

#include "privatize/data/data.h"
#include "privatize/dwarf/dwarf.h"
#include "privatize/text/text.h"

static void
transform_object (struct object *object)
{
  name_got_places (object);
  if (object->wants_report)
    print_private_symbols (object, stdout);
  if (object->map)
    print_private_symbols (object, object->map);
  if (object->is_collected)
    group_sections (object);
  rewrite_text (object);
  add_thunk_frames (object);
  name_thunks (object);
  copy_unwind_pointers (object);
  rewrite_ifuncs (object);
  make_fixups (object);
  collect_constructors (object);
  describe_thunks (object);
  rewrite_debug_info (object);
}

void
transform (struct program *program)
{
  for (size_t i = 0; i < program->object_count; i++)
    transform_object (&program->objects[i]);
}

void
tabulate (struct program *program)
{
  check_size (program->objects, program->object_count);
  for (size_t i = 0; i < program->object_count; i++)
    list_private (&program->objects[i]);
}

void
finalize_indexes (struct program *program)
{
  for (size_t i = 0; i < program->object_count; i++)
    finalize_object (&program->objects[i]);
}

void
rebuild_relocations (struct program *program)
{
  for (size_t i = 0; i < program->object_count; i++)
    rebuild_object_relocations (&program->objects[i]);
}
