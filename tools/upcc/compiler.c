/* The compilers: their names, and what the commands of the C compiler have in common. */

#include "tools/upcc/upcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
is_clang (const struct words *command)
{
  for (size_t i = 0; i < command->count; i++)
    if (starts_with (path_base (command->item[i]), "clang"))
      return true;
  return false;
}

/* Clang makes code for any processor; gcc is there once for each. */
static const char *
default_compiler (void)
{
  if (!is_cross () || starts_with (path_base (UPCC_CC), "clang"))
    return UPCC_CC;
  return target_tool ("gcc");
}

/* In the environment of what upcc runs: the compiler that upcc is there, if CC or UPCC_CC name it. */
#define INNER "UPCC_INNER"

/* The one for the target: gcc has no switch for it. Returns how many words say which that is. */
static int
words_of_target (char *const *words)
{
  if (starts_with (words[0], "--target="))
    return 1;
  return (strcmp (words[0], "--target") == 0 || strcmp (words[0], "-target") == 0) && words[1] ? 2
                                                                                               : 0;
}

void
become_compiler (char **argv)
{
  const char *compiler = getenv (INNER);
  struct words command = { 0 };
  int skipped;

  if (!compiler)
    return;
  words_add_split (&command, compiler, " ");
  for (argv++; *argv; argv += skipped ? skipped : 1)
    {
      skipped = words_of_target (argv);
      if (!skipped)
        words_add (&command, *argv);
    }
  execvp (command.item[0], command.item);
  fail ("cannot run '%s': %m", command.item[0]);
}

void
mark_commands (void)
{
  const char *compiler = default_compiler ();

  if (is_cross () && starts_with (path_base (compiler), "clang"))
    compiler = arena_format ("%s --target=%s", compiler, target_name ());
  if (setenv (INNER, compiler, 1) != 0)
    fail ("%s: %m", INNER);
}

/* gcc and gcc-12 make code for this machine: whoever names one means its kin for the target. */
static const char *
compiler_for_target (const char *chosen)
{
  static const char *const ours[] = { "gcc", "g++", "gfortran" };

  for (size_t i = 0; is_cross () && i < sizeof ours / sizeof *ours; i++)
    if (starts_with (chosen, ours[i]))
      return target_tool (chosen);
  return chosen;
}

/* Whether the command CHOSEN is upcc itself, by one of its names, and switches: `CC="upc -x upc" ./configure`. */
static bool
names_upcc (const char *chosen)
{
  static const char *const names[] = { "upcc", "upc", "gupc" };
  struct words words = { 0 };

  words_add_split (&words, chosen, " ");
  for (size_t i = 0; i < words.count && words.item[i][0] != '-'; i++)
    for (size_t j = 0; j < sizeof names / sizeof *names; j++)
      if (strcmp (path_base (words.item[i]), names[j]) == 0)
        return true;
  return false;
}

/* CC and its kin, which make and configure set for the whole build, unless they say to call upcc. */
static const char *
compiler_of_build (const char *variable)
{
  const char *chosen = getenv (variable);

  return chosen && *chosen && !names_upcc (chosen) ? chosen : NULL;
}

void
add_compiler (struct words *command)
{
  const char *chosen = getenv ("UPCC_CC");

  if (!chosen || !*chosen)
    chosen = compiler_of_build ("CC");
  chosen = chosen ? compiler_for_target (chosen) : default_compiler ();
  words_add_split (command, chosen, " ");
  if (is_cross () && is_clang (command))
    words_add (command, arena_format ("--target=%s", target_name ()));
  /* DWARF 5 locations, as Clang writes them, leave no room to make them thread-local. */
  if (is_clang (command))
    words_add (command, "-fdebug-default-version=4");
}

void
add_compiler_of (struct words *command, enum language language)
{
  const char *chosen = is_fortran (language) ? compiler_of_build ("FC")
                       : is_cxx (language)   ? compiler_of_build ("CXX")
                                             : NULL;

  if (chosen)
    words_add_split (command, compiler_for_target (chosen), " ");
  else if (is_fortran (language))
    words_add (command, target_tool ("gfortran"));
  else
    /* gcc and clang compile C++, too: g++ and clang++ differ in how they link. */
    add_compiler (command);
}

void
add_loops (struct words *command, const struct options *options)
{
  words_add (command, "-fopenmp-simd");
  /* Clang warns of loops that it does not make vectors of. */
  if (is_clang (command))
    words_add (command, "-Wno-pass-failed");
  /* gcc 12 -O3 goes through the parts of some loops in another order than their dependences allow: where it asks at run time
     whether two arrays overlap, as it must here. Loops over shared data are as fast without that. */
  if (!is_clang (command))
    words_add (command, "-fno-tree-loop-distribution");
  /* Addresses of shared data are sums of integers. gcc 12 computes one of two of these without a pointer as its base, takes it
     for an access to address 0 then, and the function for one that never gets there: it drops calls of that. */
  if (!is_clang (command))
    words_add (command, "-fno-delete-null-pointer-checks");
  /* By how chance places them, loops with a branch at each access take up to 1.5 times as long. */
  if (!is_clang (command) && (options->check || has_sanitizer (options, "address")))
    words_add (command, "-falign-loops=32");
  /* A strip that has constant bounds has none where a tool may hear of a part of it: gcc -O2 makes no vectors then. */
  if (!is_clang (command) && options->profile.switches.count)
    words_add (command, "-fvect-cost-model=dynamic");
}

/* Compilers make one of equal calls and accesses with different lines, and a report would name either, or none. */
void
add_lines (struct words *command, const struct options *options)
{
  if (options->check || has_sanitizer (options, "address"))
    {
      if (is_clang (command))
        words_add (command, "-mllvm");
      words_add (command, is_clang (command) ? "-enable-tail-merge=false" : "-fno-crossjumping");
    }
  /* With its statement frontiers `next` stops in the inline functions of include/upct. */
  if (words_have (&options->compile, "-Og") && !is_clang (command))
    words_add (command, "-gno-statement-frontiers");
}

static bool
leaves_files (const struct options *options)
{
  for (size_t i = 0; i < options->compile.count; i++)
    {
      const char *word = options->compile.item[i];

      if (strcmp (word, "--coverage") == 0 || strcmp (word, "-ftest-coverage") == 0
          || strcmp (word, "-fstack-usage") == 0 || starts_with (word, "-fprofile-"))
        return true;
    }
  return false;
}

/* What the compiler leaves for other tools, such as counts, is beside its result and has that
   one's name. Where programs are made in one step that would be a temporary; so gcc is told
   the names that it would choose itself. Clang cannot be told. */
void
add_names_of_files (struct words *command, const struct options *options, const struct item *source)
{
  const char *name = path_base (source->text), *suffix = strrchr (name, '.');
  const char *program = options->names_output ? options->output : "a";

  if (options->mode != MODE_LINK || is_clang (command) || !leaves_files (options))
    return;
  words_add_these (command, "-dumpdir", arena_format ("%s-", program), "-dumpbase", name, NULL);
  if (suffix)
    words_add_these (command, "-dumpbase-ext", suffix, NULL);
}

void
add_mode (struct words *command, const struct options *options)
{
  static const char *const modes[] = { "-c", "-c", "-S", "-E", "-fsyntax-only", NULL };

  words_add (command, modes[options->mode]);
  if (options->mode == MODE_PREPROCESS)
    words_add_all (command, &options->appearance);
}

const char *
assemble (FILE *file, const char *source, const char *stem)
{
  const char *object = temporary (stem, ".o");
  struct words command = { 0 };

  if (ferror (file) | (fclose (file) != 0))
    fail ("cannot write %s: %m", source);
  add_compiler (&command);
  words_add_these (&command, "-c", source, "-o", object, NULL);
  run_step (&command);
  return object;
}
