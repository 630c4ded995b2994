/* UPC sources: preprocessed with UPC's macros and the access code in front, made C by
   upc2c, and compiled. What -E shows is the program's alone, as scripts that read it expect;
   where such a text is compiled the access code is put before it. */

#include "tools/upcc/upcc.h"
#include "tools/version.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Libraries that are there are announced (UPC 1.3, library part, 7), by 1, or with -fbupc by what
   Berkeley UPC has: UPC-IO with the flag UPC_ASYNC is 2. */
static const struct
{
  const char *macro, *header, *berkeley;
} libraries[] = {
  { "__UPC_COLLECTIVE__", "upc_collective.h", "1" },
  { "__UPC_ATOMIC__", "upc_atomic.h", "1" },
  { "__UPC_CASTABLE__", "upc_castable.h", "1" },
  { "__UPC_IO__", "upc_io.h", "2" },
  { "__UPC_NB__", "upc_nb.h", "1" },
  { "__UPC_TICK__", "upc_tick.h", "1" },
  { "__UPC_PUPC__", "pupc.h", "1" },
};

/* By which programs recognise Berkeley UPC, its release and how it is configured: the last
   release, for one node with threads, which preprocesses once. */
static void
add_berkeley_macros (struct words *command, const struct options *options)
{
  words_add_these (command, "-D__BERKELEY_UPC__=2022", "-D__BERKELEY_UPC_MINOR__=10",
                   "-D__BERKELEY_UPC_PATCHLEVEL__=0", "-D__BERKELEY_UPC_RUNTIME__=1",
                   "-D__BERKELEY_UPC_SMP_CONDUIT__=1", "-D__BERKELEY_UPC_PTHREADS__=1",
                   "-D__BERKELEY_UPC_ONLY_PREPROCESS__=1", NULL);
  if (words_have (&options->compile, "-g"))
    words_add (command, "-D__BERKELEY_UPC_RUNTIME_DEBUG__=1");
}

static void
add_macros (struct words *command, const struct options *options, const struct layout *layout)
{
  words_add_these (command, "-D__UPC__=1", "-D__UPC_VERSION__=201311L",
                   "-D__UPCT__=" UPCT_TEXT (UPCT_MAJOR), "-D__UPCT_MINOR__=" UPCT_TEXT (UPCT_MINOR),
                   options->struct_pts ? "-DUPC_MAX_BLOCK_SIZE=4294967295"
                                       : "-DUPC_MAX_BLOCK_SIZE=1048575",
                   NULL);
  /* The second is GNU UPC's name. */
  if (options->struct_pts)
    words_add_these (command, "-D__UPC_PTS_STRUCT__=1", "-D__UPC_PTS_STRUCT_REP__=1", NULL);
  else
    words_add (command, "-D__UPC_PTS_PACKED_REP__=1");
  if (options->threads)
    words_add_these (command, "-D__UPC_STATIC_THREADS__=1",
                     arena_format ("-DTHREADS=%d", options->threads), NULL);
  else
    words_add (command, "-D__UPC_DYNAMIC_THREADS__=1");
  if (options->check)
    words_add (command, "-D__UPC_CHECK__=1");
  if (options->race)
    words_add (command, "-D__UPC_RACE__=1");
  if (options->is_plugin)
    words_add (command, "-D__UPC_PLUGIN__=1");
  if (options->has_network)
    words_add (command, "-D__UPC_NETWORK__=1");
  if (options->bupc)
    add_berkeley_macros (command, options);
  /* GNU UPC's name. */
  if (is_profiling (options))
    words_add (command, "-D__UPC_PUPC_INST__=1");
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (access (arena_format ("%s/%s", layout->include, libraries[i].header), R_OK) == 0)
      words_add (command, arena_format ("-D%s=%s", libraries[i].macro,
                                        options->bupc ? libraries[i].berkeley : "1"));
}

static bool
is_current_folder (const char *path)
{
  struct stat here, there;

  return stat (".", &here) == 0 && stat (path, &there) == 0 && here.st_dev == there.st_dev
         && here.st_ino == there.st_ino;
}

static const char *
folder_of (const struct item *source)
{
  const char *slash = strrchr (source->text, '/');

  return slash ? arena_format ("%.*s", (int) (slash - source->text + 1), source->text) : ".";
}

/* Berkeley's driver searches the folder of the source for <x.h> too, behind those of the command
   line and before UPC's own headers; and the current folder where <x.h> is nowhere else. Not
   where that one is named already: for gcc it would no longer be the user's, and the
   headers in it no part of what -MMD writes. */
static void
add_folders (struct words *command, const struct options *options, const struct item *source)
{
  const struct words *words = &options->preprocess;
  const char *own = folder_of (source);

  words_add_these (command, "-I", own, NULL);
  if (is_current_folder (own))
    return;
  for (size_t i = 0; i < words->count; i++)
    {
      const char *word = words->item[i];
      if (strcmp (word, "-I") == 0 && i + 1 < words->count)
        word = words->item[++i];
      else if (starts_with (word, "-I"))
        word += 2;
      else
        continue;
      if (is_current_folder (word))
        return;
    }
  words_add_these (command, "-idirafter", ".", NULL);
}

static void
add_headers (struct words *command, const struct options *options, const struct layout *layout,
             bool has_access_code)
{
  words_add_these (command, "-isystem", layout->include, NULL);
  if (has_access_code)
    words_add_these (command, "-include", "upct/access.h", "-include", "upct/watch.h", "-include",
                     "upct/types.h", NULL);
  if (has_access_code && options->check)
    words_add_these (command, "-include", "upct/check.h", NULL);
  if (has_access_code && options->has_network)
    words_add_these (command, "-include", "upct/network.h", NULL);
  if (has_access_code && options->race)
    words_add_these (command, "-include", "upct/race.h", NULL);
}

/* The result may be NULL: standard output. */
static void
preprocess (const struct options *options, const struct layout *layout, const struct item *source,
            const char *depfile_result, const char *result)
{
  struct words command = { 0 };

  add_compiler (&command);
  add_sanitizers (&command);
  add_macros (&command, options, layout);
  words_add_all (&command, &options->compile);
  /* gcc has no __seg_gs then, but the macro that says so. */
  if (words_have (&options->compile, "-fno-asm"))
    words_add (&command, "-U__SEG_GS");
  /* -g3 would list the macros. */
  words_add (&command, "-g0");
  add_headers (&command, options, layout, options->mode != MODE_PREPROCESS);
  words_add_all (&command, &options->preprocess);
  add_folders (&command, options, source);
  add_depfile (&command, options, source, depfile_result);
  words_add (&command, "-E");
  /* Tells which folders are searched for headers. */
  if (options->verbose)
    words_add (&command, "-v");
  if (options->mode == MODE_PREPROCESS)
    words_add_all (&command, &options->appearance);
  add_appearance_of_messages (&command, options);
  words_add_these (&command, "-x", "c", source->text, NULL);
  if (result)
    words_add_these (&command, "-o", result, NULL);
  run_step (&command);
}

static bool
mentions (const char *path, const char *text)
{
  struct image image;

  read_image (&image, path, path);
  return image.size && memmem (image.bytes, image.size, text, strlen (text));
}

void
append_file (FILE *to, const char *from)
{
  FILE *file = strcmp (from, "-") == 0 ? stdin : fopen (from, "r");
  char bytes[1 << 14];
  size_t count;

  if (!file)
    fail ("%s: %m", from);
  while ((count = fread (bytes, 1, sizeof bytes, file)) > 0)
    fwrite (bytes, 1, count, to);
  if (ferror (file))
    fail ("%s: %m", from);
  if (file != stdin)
    fclose (file);
}

static FILE *
begin_text (const char *path)
{
  FILE *file = fopen (path, "w");

  if (!file)
    fail ("cannot write %s: %m", path);
  return file;
}

void
end_text (FILE *file, const char *path)
{
  if (ferror (file) | (fclose (file) != 0))
    fail ("cannot write %s: %m", path);
}

/* INPUT, which comes from SOURCE, with the access code before it. */
static const char *
with_access_code (const struct options *options, const struct layout *layout,
                  const struct item *source, const char *input)
{
  const char *stem = path_base (replace_suffix (source->text, ""));
  const char *name = strcmp (source->text, "-") == 0 ? "<stdin>" : source->text;
  const char *code, *whole;
  struct words command = { 0 };
  FILE *file;

  if (strcmp (input, "-") == 0)
    {
      const char *copy = temporary (stem, ".stdin.upci");

      file = begin_text (copy);
      append_file (file, input);
      end_text (file, copy);
      input = copy;
    }
  if (is_dry_run () || mentions (input, "__upc_make ("))
    return input;
  code = temporary (stem, ".access.upci");
  whole = temporary (stem, ".whole.upci");
  add_compiler (&command);
  add_sanitizers (&command);
  add_macros (&command, options, layout);
  add_headers (&command, options, layout, true);
  words_add_these (&command, "-E", "-x", "c", "/dev/null", "-o", code, NULL);
  run_step (&command);
  file = begin_text (whole);
  append_file (file, code);
  fprintf (file, "# 1 \"%s\"\n", name);
  append_file (file, input);
  end_text (file, whole);
  return whole;
}

/* C whose names are UPC's keywords gets messages that nobody expects of C. */
static void
explain_language (const struct item *source, const char *input)
{
  if (source->is_chosen || !ends_with (source->text, ".c") || mentions (input, "/upc.h\""))
    return;
  note ("%s was compiled as UPC; use -x c for plain C", source->text);
}

/* Switches of the C compiler that say what C is, and how large its types are. */
static bool
concerns_translation (const char *word)
{
  static const char *const words[] = { "-w",
                                       "-fno-asm",
                                       "-fshort-enums",
                                       "-funsigned-char",
                                       "-fsigned-char",
                                       "-fpack-struct",
                                       "-fms-extensions",
                                       "-fplan9-extensions",
                                       "-fcommon",
                                       "-fgnu89-inline",
                                       "-fno-gnu89-inline",
                                       "-Warray-bounds",
                                       "-Wno-array-bounds",
                                       "-fno-common" };

  if (starts_with (word, "-mlong-double-") || strcmp (word, "-fshort-wchar") == 0
      || strcmp (word, "-mms-bitfields") == 0 || strcmp (word, "-funsigned-bitfields") == 0)
    fail_usage ("'%s': not possible for UPC, which needs the types of the ABI", word);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp (word, words[i]) == 0)
      return true;
  return starts_with (word, "-std=") || strcmp (word, "-fdiagnostics-parseable-fixits") == 0
         || starts_with (word, "-fpack-struct=");
}

static void
translate (const struct options *options, const struct layout *layout, const struct item *source,
           const char *input, const char *result)
{
  struct words command = { 0 };
  int status;

  words_add_these (&command, layout->translate, arena_format ("--target=%s", target_name ()), NULL);
  if (options->threads)
    words_add (&command, arena_format ("-fupc-threads-%d", options->threads));
  if (options->struct_pts)
    words_add (&command, "-fupc-pts=struct");
  if (options->report)
    words_add (&command, "-fupc-report");
  if (options->check)
    words_add (&command, "-fupc-check");
  if (options->race)
    words_add (&command, "-fupc-check=race");
  if (options->has_network)
    words_add (&command, "-fupc-network=mpi");
  for (size_t i = 0; i < options->compile.count; i++)
    if (concerns_translation (options->compile.item[i]))
      words_add (&command, options->compile.item[i]);
    else if (strcmp (options->compile.item[i], "-ansi") == 0)
      words_add (&command, "-std=c90");
  add_profile (&command, options);
  add_appearance_of_messages (&command, options);
  words_add_these (&command, input, "-o", result, NULL);
  status = try_step (&command);
  if (!status)
    return;
  explain_language (source, input);
  fail_step (&command, status);
}

/* What `#include` finds is the header itself; the result is there for make. */
static void
check_header (const struct options *options, const struct layout *layout, const struct item *source,
              const char *input, const char *result)
{
  const char *translated = temporary (path_base (source->text), ".trans.i");
  FILE *file;

  translate (options, layout, source, input, translated);
  if (is_dry_run ())
    return;
  file = begin_text (result);
  fprintf (file, "%s has no errors.\n", source->text);
  end_text (file, result);
}

/* Clang shows the text that it compiles, C of upc2c's, where gcc reads the file that a line marker
   names. */
static void
run_on_translation (struct words *command, const struct options *options)
{
  bool shows_code = is_clang (command) && options->message_format == MESSAGES_TEXT
                    && !words_have (&options->compile, "-fno-caret-diagnostics");

  if (!shows_code)
    {
      run_step (command);
      return;
    }
  words_add (command, "-fno-caret-diagnostics");
  run_step_drawing_source (command);
}

/* Compiles the C that upc2c wrote. */
void
compile_translation (const struct options *options, const struct item *source,
                     const char *translated, const char *result)
{
  struct words command = { 0 };

  add_compiler (&command);
  add_sanitizers (&command);
  add_loops (&command, options);
  add_lines (&command, options);
  /* Tentative definitions in headers, as old programs have them. AddressSanitizer guards no
     common symbols: there bounds are worth more. */
  if (!has_sanitizer (options, "address"))
    words_add (&command, "-fcommon");
  words_add_all (&command, &options->compile);
  /* Cleanups say when a function ends, by an exception too. */
  if (is_profiling (options))
    words_add (&command, "-fexceptions");
  add_mode (&command, options);
  add_appearance_of_messages (&command, options);
  words_add_these (&command, "-x", "cpp-output", translated, NULL);
  add_names_of_files (&command, options, source);
  if (result)
    words_add_these (&command, "-o", result, NULL);
  run_on_translation (&command, options);
}

void
compile_upc (const struct options *options, const struct layout *layout, const struct item *source,
             const char *result)
{
  const char *stem = path_base (replace_suffix (source->text, ""));
  const char *input = source->text;

  if (!layout->include)
    fail ("incomplete installation of UPCT: no headers");
  if (options->mode == MODE_PREPROCESS)
    {
      preprocess (options, layout, source, result, result);
      return;
    }
  if (source->language != LANGUAGE_UPC_PREPROCESSED)
    {
      input = temporary (stem, ".upci");
      preprocess (options, layout, source, result, input);
    }
  input = with_access_code (options, layout, source, input);
  if (source->language == LANGUAGE_UPC_HEADER)
    check_header (options, layout, source, input, result);
  else if (options->mode == MODE_TRANSLATE)
    translate (options, layout, source, input, result);
  else
    {
      /* Clang believes the first line mark of what ends in .i, so that debug information
         names the source. Kept, it must not be x.i, which may be a source. */
      const char *translated = temporary (stem, ".trans.i");

      translate (options, layout, source, input, translated);
      compile_translation (options, source, translated, result);
    }
}
