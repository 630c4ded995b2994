/* The C of a unit: its declarations in order, then what the runtime needs to know about it. */

#include "tools/upc2c/write/internal.h"
#include "tools/upc2c/write/text.h"

#include <string.h>

const struct event_hooks *event_hooks;

void
set_event_hooks (const struct event_hooks *hooks)
{
  event_hooks = hooks;
}

/* The source as line markers name it: the input is most often a temporary file. */
static const char *
source_name (void)
{
  for (uint32_t i = 0; i < unit.file_count; i++)
    {
      const char *name = unit.files[i].name;

      if (name[0] && name[0] != '<' && strcmp (name, switches.input) != 0)
        return name;
    }
  return switches.input;
}

const char *
quoted (const char *text)
{
  char *copy = arena_alloc (2 * strlen (text) + 1), *to = copy;

  for (; *text; text++)
    {
      if (*text == '"' || *text == '\\')
        *to++ = '\\';
      *to++ = *text == '\n' ? '_' : *text;
    }
  *to = 0;
  return copy;
}

const char *
quoted_file (const struct token *t)
{
  static uint32_t file = UINT32_MAX;
  static const char *name;

  if (file != t->file)
    {
      file = t->file;
      name = quoted (unit.files[file].name);
    }
  return name;
}

/* Strings that are checked against each other when programs are linked and when they
   start: section upc_pgm_info. The last word is ours. */
static void
gen_program_info (void)
{
  const char *threads = switches.threads ? arena_format ("staticthreads=%u", switches.threads)
                                         : "dynamicthreads";

  put_line ("static const char __upc_program_info[]");
  put_line ("  __attribute__ ((__section__ (\"upc_pgm_info\"), __used__))");
  put_line ("  = \"$GCCUPCConfig: (%s) %s process%s pts=%s%s$\";", quoted (source_name ()), threads,
            switches.plugin ? " plugin" : "", switches.struct_pts ? "struct" : "packed",
            switches.network ? " network=mpi" : "");
}

struct declaration *
declaration_around (token_index where)
{
  struct declaration *d = tree.declarations;

  while (d->last < where)
    d = d->next;
  return d;
}

/* Copies what stands before the program's own code, as far as the declaration of __upc_pts, and
   returns the next token. */
static token_index
copy_representation (void)
{
  for (struct declaration *d = tree.declarations; d; d = d->next)
    if (d->decls && d->decls->name && strcmp (d->decls->name->text, "__upc_pts") == 0)
      {
        copy (0, d->last);
        mark_place_of_typedefs ();
        return d->last + 1;
      }
  return 0;
}

/* Untouched declarations that follow each other are copied in one piece. */
static void
gen_unit (void)
{
  token_index at = copy_representation ();

  for (struct declaration *d = tree.declarations; d; d = d->next)
    {
      if (d->first < at || (!d->translate && !d->gave_way))
        continue;
      if (d->first > at)
        copy (at, d->first - 1);
      gen_moved (d->moved);
      if (!d->gave_way)
        gen_declaration (d);
      at = d->last + 1;
    }
  copy (at, unit.token_count - 1);
  gen_initialising_function ();
  gen_far_objects ();
  gen_object_addresses ();
  gen_pointer_types ();
  gen_declared ();
  gen_program_info ();
}

void
generate (FILE *out)
{
  keep_fallthrough_comments ();
  complete_labels ();
  make_inline_definitions_static ();
  gen_unit ();
  while (error_count == 0 && begin_again ())
    {
      forget_initialised ();
      gen_unit ();
    }
  write_output (out);
}
