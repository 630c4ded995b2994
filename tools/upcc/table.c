/* Every switch is a row: its name, how its value is written, what it does, and
   its line of --help. */

#include "tools/upcc/upcc.h"
#include "tools/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The switch as the user wrote it goes to the compilations, the last link, or both. */

static void
add_switch (struct words *words, const struct option_row *row, const char *value)
{
  if (row->form == FORM_SEPARATE)
    words_add_these (words, row->name, value, NULL);
  else if (row->form == FORM_EXACT)
    words_add (words, row->name);
  else
    words_add (words, arena_format ("%s%s", row->name, value));
}

static void
to_compile (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->compile, row, value);
}

static void
to_preprocess (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->preprocess, row, value);
}

static void
to_link (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->link, row, value);
}

static void
to_both (struct options *options, const struct option_row *row, const char *value)
{
  to_compile (options, row, value);
  to_link (options, row, value);
}

static void
set_mode (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  options->mode = row->name[1] == 'c' ? MODE_COMPILE
                  : row->name[1] == 'S' ? MODE_ASSEMBLY
                  : row->name[1] == 'E' ? MODE_PREPROCESS : MODE_CHECK;
}

static void
set_output (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  if (!*value)
    fail_usage ("'-o' needs a value");
  options->names_output = true;
  /* "-" is what it means to the compiler: standard output, but to -c. */
  options->output = (*value == '-' && value[1]) || *value == '@' ? arena_format ("./%s", value) : value;
}

static void
set_verbose (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  options->verbose = true;
}

static void
set_save_temps (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  options->save_temps = true;
}

static void
set_static (struct options *options, const struct option_row *row, const char *value)
{
  options->is_static = true;
  to_link (options, row, value);
}

static void
set_pie (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  options->is_pie = strcmp (row->name, "-pie") == 0;
}

static void
set_language (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  choose_language (options, value);
}

static void
set_rules (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  options->rules.kind = row->name;
}

static void
add_rule_target (struct options *options, const struct option_row *row, const char *value)
{
  words_add_these (&options->rules.targets, row->name, value, NULL);
  words_add (&options->rules.switches, row->name);
}

static void
add_rule_switch (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  words_add (&options->rules.words, row->name);
  words_add (&options->rules.switches, row->name);
}

static void
set_rule_file (struct options *options, const struct option_row *row, const char *value)
{
  options->rules.file = value;
  words_add (&options->rules.switches, row->name);
}

static void
to_appearance (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->appearance, row, value);
}

/* The C compiler answers, and nothing is compiled. */
static void
ask (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->queries, row, value);
}

static void
add_folder (struct options *options, const struct option_row *row, const char *value)
{
  words_add (&options->folders, value);
  to_link (options, row, value);
}

static void
add_library (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  options_add_item (options, ITEM_LIBRARY, value);
}

static void
add_linker_word (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  options_add_item (options, ITEM_LINKER, value);
}

static void
add_linker_switch (struct options *options, const struct option_row *row, const char *value)
{
  options_add_item (options, ITEM_LINKER, row->name);
  if (row->form != FORM_EXACT)
    options_add_item (options, ITEM_LINKER, value);
}

static void
add_linker_words (struct options *options, const struct option_row *row, const char *value)
{
  struct words words = { 0 };

  (void) row;
  words_add_split (&words, value, ",");
  for (size_t i = 0; i < words.count; i++)
    options_add_item (options, ITEM_LINKER, words.item[i]);
}

/* A sanitizer with a runtime of its own needs a libupc.a that was built with it. */
static void
set_sanitizers (struct options *options, const struct option_row *row, const char *value)
{
  static const char *const own[] = { "address", "thread", "leak", "memory", "hwaddress" };
  struct words names = { 0 };

  words_add_split (&names, value, ",");
  for (size_t i = 0; i < names.count; i++)
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
      if (strcmp (names.item[i], own[k]) == 0 && !runtime_has_sanitizer (own[k]))
        fail_usage ("'%s%s': this libupc.a was built without it; 'scons sanitize=%s' makes an upcc that has it",
                    row->name, value, own[k]);
  to_both (options, row, value);
}

static void
optimise (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  words_add (&options->compile, "-O2");
}

static void
add_compiler_words (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  words_add_split (&options->compile, value, ",");
}

static void
set_standard (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  words_add (&options->compile, arena_format ("-std=%s", value));
}

static void
set_preprocessed (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  options->is_preprocessed = true;
}

static _Noreturn void
refuse (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  fail_usage ("'%s%s': %s", row->name, row->form == FORM_JOINED ? value : "", row->help);
}

static _Noreturn void
refuse_unknown (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  fail_usage ("unknown switch '%s%s'", row->name, value);
}

static _Noreturn void
show_help (struct options *options, const struct option_row *row, const char *value)
{
  (void) options, (void) row, (void) value;
  print_help ();
}

static _Noreturn void
show_version (struct options *options, const struct option_row *row, const char *value)
{
  (void) options, (void) row, (void) value;
  print_version ();
}

const struct option_row option_rows[] = {
  { "-o", FORM_EITHER, set_output, " FILE", "write the result to FILE" },
  { "-c", FORM_EXACT, set_mode, "", "compile sources to objects, do not link" },
  { "-S", FORM_EXACT, set_mode, "", "compile sources to assembly" },
  { "-E", FORM_EXACT, set_mode, "", "preprocess sources only" },
  { "-fsyntax-only", FORM_EXACT, set_mode, "", "look for errors in sources only" },
  { "-x", FORM_EITHER, set_language, " LANGUAGE", "of the files behind it: upc, c, assembler, …; none: by suffix" },
  { "-v", FORM_EXACT, set_verbose, "", "print each command before it runs" },
  { "-save-temps", FORM_EXACT, set_save_temps, "", "keep intermediate files in the current folder" },
  { "-save-temps=cwd", FORM_EXACT, set_save_temps, "", NULL },
  { "--save-temps", FORM_EXACT, set_save_temps, "", NULL },
  { "--help", FORM_EXACT, show_help, "", "print this list" },
  { "--version", FORM_EXACT, show_version, "", "print the version; also -V" },
  { "-V", FORM_EXACT, show_version, "", NULL },
  { "-version", FORM_EXACT, show_version, "", NULL },
  { "-help", FORM_EXACT, show_help, "", NULL },

  { "-fupc-threads-", FORM_JOINED, set_threads, "N", "fix THREADS at N, from 1 to 1024; also -T N" },
  { "-fupc-threads=", FORM_JOINED, set_threads, "N", NULL },
  { "-T", FORM_EITHER, set_threads, "", NULL },
  { "-T=", FORM_JOINED, set_threads, "", NULL },
  { "-THREADS=", FORM_JOINED, set_threads, "", NULL },
  { "-fupc-pts=", FORM_JOINED, set_pts, "packed|struct", "how pointers-to-shared are represented" },
  { "--profile", FORM_EXACT, set_profile, "", "raise events for a performance tool (GASP); give it at link too" },
  { "--profile-local", FORM_EXACT, set_profile, "", "--profile, and for accesses to a thread's own shared data" },
  { "--profile-only", FORM_SEPARATE, set_profile_only, " FILE", "only the events that FILE names, one a line" },
  { "--profile-only=", FORM_JOINED, set_profile_only, "", NULL },
  { "-fupc-instrument", FORM_EXACT, set_profile, "", "GNU UPC's: --profile-local without functions" },
  { "-fupc-instrument-functions", FORM_EXACT, set_profile, "", "GNU UPC's: the same as --profile-local" },
  { "--trace", FORM_EXACT, set_trace, "", "--profile, and link the tracing tool" },
  { "-fupc-inline-lib", FORM_EXACT, accept, "", NULL },
  { "-fno-upc-inline-lib", FORM_EXACT, accept, "", NULL },
  { "-fupc-debug", FORM_EXACT, accept, "", NULL },
  { "-fupc-pre-include", FORM_EXACT, accept, "", NULL },
  { "-fno-upc-pre-include", FORM_EXACT, accept, "", NULL },
  { "-fupc-pthreads-model-tls", FORM_EXACT, accept, "", NULL },
  { "-fupc-pthreads-per-process-", FORM_JOINED, accept_number, "", NULL },
  { "-fupc-", FORM_JOINED, refuse_unknown, "", NULL },
  { "-fno-upc-", FORM_JOINED, refuse_unknown, "", NULL },
  { "-pthreads", FORM_EXACT, accept, "", "accepted, as are -pthreads=N and -network=smp; it is always so" },
  { "-pthreads=", FORM_JOINED, accept_number, "", NULL },
  { "-nopthreads", FORM_EXACT, refuse, "", "UPC threads are POSIX threads" },
  { "-network=", FORM_JOINED, accept_network, "", NULL },
  { "-network", FORM_SEPARATE, accept_network, "", NULL },
  { "-shared-heap=", FORM_JOINED, accept_heap, "SIZE", "accepted: heaps grow as they are used" },
  { "-shared-heap", FORM_SEPARATE, accept_heap, "", NULL },
  { "-shared-heap-max=", FORM_JOINED, accept_heap, "", NULL },
  { "-uses-threads", FORM_EXACT, accept, "", NULL },
  { "--uses-threads", FORM_EXACT, accept, "", NULL },
  { "-uses-mpi", FORM_EXACT, refuse, "", "upcc does not link MPI programs" },
  { "--uses-mpi", FORM_EXACT, refuse, "", "upcc does not link MPI programs" },
  { "-norc", FORM_EXACT, accept, "", NULL },
  { "-lines", FORM_EXACT, accept, "", NULL },
  { "-opt", FORM_EXACT, optimise, "", "the same as -O2" },
  { "-Wc,", FORM_JOINED, add_compiler_words, "WORDS", "for the C compiler" },
  { "-Wu,", FORM_JOINED, refuse_unknown, "", NULL },

  { "-O", FORM_JOINED, to_both, "[LEVEL]", "for the C compiler, as are -g -f… -m… -W… -std=…" },
  { "-g", FORM_JOINED, to_both, "", NULL },
  { "-f", FORM_JOINED, to_both, "", NULL },
  { "-fsanitize=", FORM_JOINED, set_sanitizers, "NAME", "with a sanitizer that libupc.a has too" },
  { "-fpreprocessed", FORM_EXACT, set_preprocessed, "", NULL },
  { "-fdirectives-only", FORM_EXACT, to_appearance, "", NULL },
  { "-m", FORM_JOINED, to_both, "", NULL },
  { "-m32", FORM_EXACT, refuse, "", "UPCT is for x86-64" },
  { "-mx32", FORM_EXACT, refuse, "", "UPCT is for x86-64" },
  { "-B", FORM_EITHER, to_both, "", NULL },
  { "--param", FORM_SEPARATE, to_compile, "", NULL },
  { "--param=", FORM_JOINED, to_compile, "", NULL },
  { "--sysroot=", FORM_JOINED, to_both, "", NULL },
  { "--sysroot", FORM_SEPARATE, to_both, "", NULL },
  { "-isysroot", FORM_SEPARATE, to_both, "", NULL },
  { "-specs=", FORM_JOINED, to_both, "", NULL },
  { "--coverage", FORM_EXACT, to_both, "", NULL },
  { "-pg", FORM_EXACT, to_both, "", NULL },
  { "-p", FORM_EXACT, to_both, "", NULL },
  { "-dumpmachine", FORM_EXACT, ask, "", "the C compiler answers; also -dumpversion, -print-…" },
  { "-dumpversion", FORM_EXACT, ask, "", NULL },
  { "-dumpfullversion", FORM_EXACT, ask, "", NULL },
  { "-dumpspecs", FORM_EXACT, ask, "", NULL },
  { "-dA", FORM_EXACT, to_compile, "", NULL },
  { "-dH", FORM_EXACT, to_compile, "", NULL },
  { "-dP", FORM_EXACT, to_compile, "", NULL },
  { "-dp", FORM_EXACT, to_compile, "", NULL },
  { "-dx", FORM_EXACT, to_compile, "", NULL },
  { "-print-", FORM_JOINED, ask, "", NULL },
  { "--print-", FORM_JOINED, ask, "", NULL },
  { "-W", FORM_JOINED, to_compile, "", NULL },
  { "-w", FORM_EXACT, to_compile, "", NULL },
  { "-std=", FORM_JOINED, to_compile, "", NULL },
  { "--std=", FORM_JOINED, set_standard, "", NULL },
  { "-Xclang", FORM_SEPARATE, to_compile, "", NULL },
  { "-Qunused-arguments", FORM_EXACT, to_both, "", NULL },
  { "-no-canonical-prefixes", FORM_EXACT, to_both, "", NULL },
  { "-pass-exit-codes", FORM_EXACT, to_both, "", NULL },
  { "-pg", FORM_EXACT, to_both, "", NULL },
  { "-ansi", FORM_EXACT, to_compile, "", NULL },
  { "-pedantic", FORM_EXACT, to_compile, "", NULL },
  { "-pedantic-errors", FORM_EXACT, to_compile, "", NULL },
  { "-pipe", FORM_EXACT, to_compile, "", NULL },
  { "-D", FORM_EITHER, to_preprocess, "NAME[=VALUE]", "define a macro" },
  { "-U", FORM_EITHER, to_preprocess, "NAME", "undefine a macro" },
  { "-I", FORM_EITHER, to_preprocess, "FOLDER", "look for headers there" },
  { "-include", FORM_SEPARATE, to_preprocess, "", NULL },
  { "-imacros", FORM_SEPARATE, to_preprocess, "", NULL },
  { "-isystem", FORM_SEPARATE, to_preprocess, "", NULL },
  { "-iquote", FORM_SEPARATE, to_preprocess, "", NULL },
  { "-idirafter", FORM_SEPARATE, to_preprocess, "", NULL },
  { "-iprefix", FORM_SEPARATE, to_preprocess, "", NULL },
  { "-iwithprefix", FORM_SEPARATE, to_preprocess, "", NULL },
  { "-nostdinc", FORM_EXACT, to_preprocess, "", NULL },
  { "-undef", FORM_EXACT, to_preprocess, "", NULL },
  { "-trigraphs", FORM_EXACT, to_preprocess, "", NULL },
  { "-H", FORM_EXACT, to_preprocess, "", NULL },
  { "-P", FORM_EXACT, to_appearance, "", "with -E: no line marks; also -C, -CC, -dD, -dM" },
  { "-C", FORM_EXACT, to_appearance, "", NULL },
  { "-CC", FORM_EXACT, to_appearance, "", NULL },
  { "-dD", FORM_EXACT, to_appearance, "", NULL },
  { "-dI", FORM_EXACT, to_appearance, "", NULL },
  { "-dM", FORM_EXACT, to_appearance, "", NULL },
  { "-dN", FORM_EXACT, to_appearance, "", NULL },
  { "-dU", FORM_EXACT, to_appearance, "", NULL },
  { "-MD", FORM_EXACT, set_rules, "", "write a makefile rule beside the result; also -MMD" },
  { "-MMD", FORM_EXACT, set_rules, "", NULL },
  { "-M", FORM_EXACT, set_rules, "", "print a makefile rule and nothing else; also -MM" },
  { "-MM", FORM_EXACT, set_rules, "", NULL },
  { "-MP", FORM_EXACT, add_rule_switch, "", NULL },
  { "-MG", FORM_EXACT, add_rule_switch, "", NULL },
  { "-MF", FORM_EITHER, set_rule_file, "", NULL },
  { "-MT", FORM_EITHER, add_rule_target, "", NULL },
  { "-MQ", FORM_EITHER, add_rule_target, "", NULL },
  { "-Xpreprocessor", FORM_SEPARATE, to_preprocess, "", NULL },
  { "-Xassembler", FORM_SEPARATE, to_compile, "", NULL },
  { "-Wp,", FORM_JOINED, to_preprocess, "WORDS", "for the preprocessor" },
  { "-Wa,", FORM_JOINED, to_compile, "WORDS", "for the assembler" },

  { "-l", FORM_EITHER, add_library, "NAME", "link a library; what is found as an archive becomes private" },
  { "-L", FORM_EITHER, add_folder, "FOLDER", "look for libraries there" },
  { "-Wl,", FORM_JOINED, add_linker_words, "WORDS", "for the linker" },
  { "-Xlinker", FORM_SEPARATE, add_linker_word, " WORD", "for the linker" },
  { "-u", FORM_EITHER, add_linker_switch, "SYMBOL", "take the archive member that defines SYMBOL" },
  { "-z", FORM_EITHER, add_linker_switch, "", NULL },
  { "-(", FORM_EXACT, add_linker_switch, "", "archives up to -) refer to each other in circles" },
  { "-)", FORM_EXACT, add_linker_switch, "", NULL },
  { "--start-group", FORM_EXACT, add_linker_switch, "", NULL },
  { "--end-group", FORM_EXACT, add_linker_switch, "", NULL },
  { "-pthread", FORM_EXACT, to_both, "", "accepted; it is always so" },
  { "-static", FORM_EXACT, set_static, "", "link no shared libraries" },
  { "-s", FORM_EXACT, to_link, "", "leave out symbols and debug information" },
  { "-rdynamic", FORM_EXACT, to_link, "", NULL },
  { "-static-libgcc", FORM_EXACT, to_link, "", NULL },
  { "-static-libstdc++", FORM_EXACT, to_link, "", NULL },
  { "-static-libgfortran", FORM_EXACT, to_link, "", NULL },
  { "-pie", FORM_EXACT, set_pie, "", "make a position-independent program" },
  { "-no-pie", FORM_EXACT, set_pie, "", "the default: objects of UPC compilers need it" },

  { "-flto", FORM_JOINED, refuse, "", "link-time optimisation leaves no instructions to make private" },
  { "-shared", FORM_EXACT, refuse, "", "upcc links programs, not shared libraries" },
  { "-static-pie", FORM_EXACT, refuse, "", "either -static or -pie" },
  { "-r", FORM_EXACT, refuse, "", "upcc links programs, not objects; use ld -r" },
};

const size_t option_row_count = sizeof option_rows / sizeof *option_rows;

void
print_help (void)
{
  puts ("usage: upcc [switches] files\n"
        "Compiles and links UPC programs for threads of one process. Files are UPC, C and\n"
        "assembly sources, objects of UPC and C compilers, archives, shared libraries; @FILE\n"
        "holds more words; after -- all words are files. C sources are UPC, but after -x c.\n");
  for (size_t i = 0; i < option_row_count; i++)
    {
      const struct option_row *row = &option_rows[i];

      if (row->help && row->act != refuse)
        printf ("  %-26s %s\n", arena_format ("%s%s", row->name, row->argument), row->help);
    }
  exit (0);
}

void
print_version (void)
{
  puts ("upcc (UPCT) " UPCT_VERSION);
  exit (0);
}
