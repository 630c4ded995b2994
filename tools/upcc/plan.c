/* The commands that make a program, or a shared library:

     cc -c each source
     ld -r                 all objects, and what they need of archives, in one
     upc-privatize         its statics become each thread's own
     cc                    with shared libraries, libupc.a and the C library  */

#include "tools/upcc/upcc.h"

#include <string.h>

static void
compile_sources (struct program *program)
{
  const struct options *options = program->options;

  for (size_t i = 0, done = 0; i < options->item_count; i++)
    {
      const struct item *source = &options->items[i];
      const char *object;
      struct image image;

      if (source->kind != ITEM_FILE || !is_compiled (source))
        continue;
      object = program->compiled.item[done++];
      compile_source (options, program->layout, source, object);
      if (is_dry_run ())
        continue;
      read_image (&image, object, source->text);
      check_object (&image, &program->mains);
    }
}

/* A temporary file that is the program, so that messages call it by its name. -save-temps keeps it. */
static const char *
temporary_program (const struct options *options, const char *suffix)
{
  const char *file = temporary (path_base (options->output), suffix);

  if (!options->save_temps)
    show_file_as (file, options->output);
  return file;
}

static const char *
join_objects (struct program *program)
{
  const char *base = path_base (program->options->output);
  const char *all = temporary_program (program->options, ".all.o");
  const char *map = NULL;
  struct words command = { 0 };

  if (may_conflict () || wanted_map (&program->last))
    map = program->merged_map = temporary (base, ".map");
  /* -u leaves an undefined symbol behind when nothing defines it, so only what
     is there is asked for. Each object's constants stay a section of their own: non-PIC
     code has some that point to private data and so become private as a whole
     section, which jump tables of PIC code cannot. */
  words_add_these (&command, target_tool ("ld"), "-r", "--unique=.rodata", NULL);
  if (!program->options->is_shared)
    words_add_these (&command, "-u", program->mains.upc_main ? "upc_main" : "main", NULL);
  words_add_these (&command, "-o", all, program->layout->begin, NULL);
  words_add_these (&command, "-T", program->layout->far, NULL);
  /* A performance tool out of an archive or a library; libupc.a defines them too. */
  words_add_these (&command, "-u", "gasp_init", "-u", "gasp_event_notify", "-u",
                   "gasp_event_notifyVA", "-u", "gasp_control", "-u", "gasp_create_event", NULL);
  words_add_all (&command, &program->first);
  words_add (&command, program->layout->end);
  if (map)
    words_add_these (&command, "-Map", map, NULL);
  run_step (&command);
  if (map && !is_dry_run ())
    check_conflicts (map);
  return all;
}

/* Whether the last link drops private data, too, that nothing refers to. upc-gc.ld is for GNU ld, not
   for gold or LLVM's. */
static bool
drops_sections (const struct program *program)
{
  const struct words *link = &program->options->link;

  for (size_t i = 0; i < link->count; i++)
    if (starts_with (link->item[i], "-fuse-ld=") && strcmp (link->item[i], "-fuse-ld=bfd") != 0)
      return false;
  return !program->options->is_shared && words_have (&program->last, "--gc-sections");
}

static const char *
privatize (struct program *program, const char *all)
{
  if (program->options->is_plugin)
    return rename_calls (program, all);
  const char *private = temporary_program (program->options, ".private.o");
  struct words command = { 0 };

  words_add_these (&command, program->layout->privatize, all, "-o", private, NULL);
  if (program->options->is_shared)
    words_add (&command, "--shared");
  else if (!program->options->is_pie)
    words_add (&command, "--no-pie");
  if (drops_sections (program))
    words_add (&command, "--gc-sections");
  if (wanted_map (&program->last))
    {
      program->private_map = temporary (path_base (program->options->output), ".private.map");
      words_add_these (&command, "--map", program->private_map, NULL);
    }
  run_step (&command);
  return private;
}

/* libc calls the runtime's main, also where a library has one. To debuggers main is the program's. LLVM's
   linker would have libc call what main is defined as, and would drop tables of which only the bounds
   are referred to. */
static void
add_main (struct words *command, const struct options *options)
{
  if (options->is_shared)
    return;
  words_add (command, "-Wl,--wrap=main");
  words_add (command, words_have (&options->link, "-fuse-ld=lld") ? "-Wl,-z,nostart-stop-gc"
                                                                  : "-Wl,--defsym=main=upc_main");
}

/* What becomes of a shared block that the program frees as a private one; sanitizers tell that themselves. */
static void
add_private_heap (struct words *command, const struct options *options)
{
  if (!options->is_shared && !options->is_plugin && !has_sanitizer_of_memory (options))
    words_add_these (command, "-Wl,--wrap=free", "-Wl,--wrap=realloc", NULL);
}

static void
link_program (const struct program *program, const char *private, const char *pts,
              const char *output)
{
  const struct options *options = program->options;
  bool is_struct = strcmp (pts, "struct") == 0;
  struct words command = { 0 };
  int status;

  if (options->linker)
    words_add_split (&command, options->linker, " ");
  else
    add_compiler (&command);
  add_sanitizers (&command);
  if (options->is_plugin)
    add_plugin (&command);
  else if (options->is_shared)
    add_shared (&command);
  else if (!options->is_static)
    words_add (&command, options->is_pie ? "-pie" : "-no-pie");
  words_add_all (&command, &options->link);
  add_main (&command, options);
  add_private_heap (&command, options);
  if (drops_sections (program))
    words_add (&command, arena_format ("-Wl,-T,%s", program->layout->collect));
  /* It says where shared data is. */
  if (!options->is_plugin)
    words_add (&command, "-Wl,-u,upcr_debugger_layout");
  if (loads_plugins (program))
    words_add (&command, arena_format ("-Wl,@%s", program->layout->plugin_words));
  if (program->mains.has_races || options->race)
    words_add (&command, arena_format ("-Wl,@%s", program->layout->race));
  words_add (&command, private);
  if (program->layout->threads)
    words_add (&command, program->layout->threads);
  if (program->layout->start)
    words_add (&command, program->layout->start);
  if (!options->is_plugin)
    words_add (&command, compile_names (program));
  if (program->layout->engine)
    words_add (&command, program->layout->engine);
  words_add_all (&command, &program->last);
  if (!options->is_plugin)
    add_runtime (&command, options,
                 is_struct ? program->layout->library_struct : program->layout->library);
  words_add_these (&command, "-o", output, NULL);
  status = try_step (&command);
  if (status)
    {
      if (!options->is_plugin)
        note_missing_libraries (options);
      fail_step (&command, status);
    }
  if (program->private_map && !is_dry_run ())
    complete_map (wanted_map (&program->last), program->private_map, program->merged_map);
}

void
make_program (const struct options *options, const struct layout *layout)
{
  static struct program program;
  struct agreed agreed = { first_pts (options), "0" };
  const char *output, *all;

  program.options = options;
  program.layout = layout;
  begin_temporaries (options);
  sort_link_inputs (&program);
  compile_sources (&program);
  if (!options->is_shared && !program.mains.upc_main && !program.mains.c_main && !is_dry_run ())
    fail ("no input file defines main");
  output = is_dry_run () ? options->output : begin_output (options->output);
  if (options->threads)
    words_add (&program.first, compile_threads_request (options->threads));
  if (options->profile.only)
    words_add (&program.last, compile_wanted_events ());
  if (options->profile.trace)
    words_add (&program.first,
               strcmp (first_pts (options), "struct") == 0 ? layout->trace_struct : layout->trace);
  all = join_objects (&program);
  if (!is_dry_run ())
    {
      agreed = check_program_info (options, all);
      check_declarations (options, all, agreed.threads);
    }
  if (options->has_network && !is_dry_run ())
    check_network_objects (all, layout->refused);
  if (options->is_plugin)
    words_add (&program.last, compile_plugin_note (options, agreed.pts, agreed.threads));
  else if (options->is_shared && strcmp (agreed.pts, "struct") == 0)
    fail ("-shared: libraries have packed pointers-to-shared only");
  else if (options->is_shared)
    words_add (&program.last, compile_library_note ());
  link_program (&program, privatize (&program, all), agreed.pts, output);
  finish_output ();
}
