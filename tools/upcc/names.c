/* Programs name files of the installation that linked them: to gdb the script that it loads, and to the
   tracing tool what makes its reports. No file of an installation has its folder in it, so that the
   folder can be moved: upcc writes the names at each link. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>

/* As tools/trace/recorder/report.c declares it. */
static const char reporter[] = "upct_trace_reporter";

/* As the assembler reads a string. */
static void
write_string (FILE *file, const char *text)
{
  fputs ("\t.asciz \"", file);
  for (; *text; text++)
    fprintf (file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  fputs ("\"\n", file);
}

/* In .debug_gdb_scripts 1 says that the name of a file in Python follows. */
const char *
compile_names (const struct program *program)
{
  const struct layout *layout = program->layout;
  const char *source = temporary ("names", ".s");
  FILE *file = fopen (source, "w");

  if (!file)
    fail ("cannot write %s: %m", source);
  fputs ("\t.section .debug_gdb_scripts,\"MS\",@progbits,1\n\t.byte 1\n", file);
  write_string (file, layout->script);
  if (program->options->profile.trace || is_referred_to (reporter))
    {
      fprintf (file, "\t.globl %s\n\t.section .rodata,\"a\",@progbits\n%s:\n", reporter, reporter);
      write_string (file, layout->reporter);
    }
  fputs ("\t.section .note.GNU-stack,\"\",@progbits\n", file);
  return assemble (file, source, "names");
}
