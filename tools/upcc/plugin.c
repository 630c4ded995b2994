/* -fupc-plugin: shared libraries that UPC programs open with dlopen. They have no runtime: they
   use the program's, which exports it with -rdynamic. Each UPC thread loads the library for
   itself, so nothing in it is made private. */

#include "tools/upcc/upcc.h"

#include <string.h>

void
set_plugin (struct options *options, const struct option_row *row, const char *value)
{
  set_shared (options, row, value);
  options->is_plugin = true;
}

/* What a library that is loaded later cannot have. */
void
check_plugin (const struct options *options)
{
  const char *other = options->is_static       ? "-static"
                      : options->is_pie        ? "-pie"
                      : options->race          ? "-fupc-check=race"
                      : options->profile.trace ? "--trace"
                      : options->profile.only  ? "--profile-only"
                                               : NULL;

  if (other)
    fail_usage ("-fupc-plugin and %s cannot be combined", other);
}

void
add_plugin (struct words *command)
{
  words_add_these (command, "-shared", "-Wl,-Bsymbolic", NULL);
}

/* Statics of templates and inline functions the loader would make one in the process. clang does not
   ask it to. */
void
add_own_statics (struct words *command)
{
  if (!is_clang (command))
    words_add (command, "-fno-gnu-unique");
}

/* Calls of libc that the runtime has a version of go there. */
const char *
rename_calls (const struct program *program, const char *all)
{
  const char *renamed = temporary (path_base (program->options->output), ".renamed.o");
  struct words command = { 0 };

  words_add_these (&command, target_tool ("objcopy"), NULL);
  words_add (&command, arena_format ("--redefine-syms=%s", program->layout->plugin_names));
  words_add_these (&command, all, renamed, NULL);
  run_step (&command);
  return renamed;
}

/* The one by which addresses of the shared segment differ (include/upct/segment.h). */
static const char *
sanitizer_of (const struct options *options)
{
  return has_sanitizer (options, "address")  ? "address"
         : has_sanitizer (options, "thread") ? "thread"
                                             : "none";
}

/* An object with a note of TYPE that the runtime looks for (runtime/libc/plugin_file.c). */
static const char *
compile_note (int type, const char *text)
{
  const char *source = temporary ("note", ".s");
  FILE *file = fopen (source, "w");

  if (!file)
    fail ("cannot write %s: %m", source);
  fprintf (file,
           "\t.section .note.upct,\"a\",@note\n"
           "\t.balign 4\n"
           "\t.long 5, 2f - 1f, %d\n"
           "\t.asciz \"UPCT\"\n"
           "\t.balign 4\n"
           "1:\t.asciz \"%s\"\n"
           "2:\t.balign 4\n"
           "\t.section .note.GNU-stack,\"\",@progbits\n",
           type, text);
  return assemble (file, source, "note");
}

const char *
compile_plugin_note (const struct options *options, const char *pts, const char *threads)
{
  return compile_note (1, arena_format ("1 %s %s %s", pts, threads, sanitizer_of (options)));
}

const char *
compile_library_note (void)
{
  return compile_note (2, "shared");
}

/* A program exports what it has. For plugins that is the whole runtime. */
bool
loads_plugins (const struct program *program)
{
  const struct words *last = &program->last;

  return !program->options->is_shared && !program->options->is_static
         && (words_have (&program->options->link, "-rdynamic") || words_have (last, "-E")
             || words_have (last, "--export-dynamic") || words_have (last, "-export-dynamic"));
}
