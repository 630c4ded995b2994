/* The parts of upcrun. */

#ifndef UPCRUN_H
#define UPCRUN_H

#include "runtime/host/variables.h"

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

/* manual.c */

enum format
{
  HELP,
  ROFF,
  MARKDOWN
};

/* upcrun's own switches: for --help, or entries of upcrun(1). */
void print_switches (FILE *out, enum format format);

/* All variables: entries of upct(7), or a table. */
void print_variables (FILE *out, enum format format);

/* rc.c: ~/.upcrunrc, or the FILE that is chosen instead; NULL: none. APPLY is called with the switches in
   it, and where they stand. */
void choose_settings (const char *file);
void read_settings (void (*apply) (const char *source, const char *switches));

/* switches.c, switches.def: the switches that are no variables. */

enum argument_kind
{
  NONE,
  OPTIONAL, /* a number, or none */
  NUMBER,
  SIZE,
  TEXT
};

struct switch_row
{
  const char *name;
  enum argument_kind argument;
  void (*act) (const struct switch_row *, const char *value);
  const char *help; /* NULL: not listed */
};

extern const struct switch_row switch_rows[];
extern const int switch_row_count;

/* Checks the value, which is NULL where the switch takes none, and acts. */
void apply_row (const struct switch_row *row, const char *value);

/* Variables of other launchers that mean what a switch does. */
void apply_variables (void);

/* What is asked of upcrun besides. */
struct request
{
  bool is_verbose;  /* -v */
  bool is_dry_run;  /* -t */
  bool wants_info;  /* -i */
  bool freezes;     /* -freeze */
  bool watches;     /* --top: the program, */
  int watched;      /* or this process that runs already; 0: none */
  int processes;    /* -N; 0: this one */
  char shows;       /* the letter that --help, --version or --manual begins with, or 0 */
  const char *part; /* of the manual */
};

extern struct request request;

/* -v: the command, the switches that had no effect, and variables of other launchers that have
   none. */
void print_command (char **command);
void print_unused (void);

/* variable.c: the variables that switches set. */
const struct upcr_variable *find_variable (const char *name);
/* SOURCE is the switch, for messages. */
void set_variable (const struct upcr_variable *variable, const char *source, const char *value);
void unset_variable (const struct upcr_variable *variable);
/* The variables that were set, as NAME=VALUE words. */
void print_settings (FILE *out);

/* info.c: what UPC compilers noted in the program. */
void print_info (const char *program);
/* What stands behind WORD in one of the notes; NULL: nothing does. */
const char *find_in_notes (const char *program, const char *word);

/* processes.c: the command that runs PROGRAM, the first of WORDS, in as many processes as are asked
   for. */
char **launch_command (const char *program, char **words);

/* The launcher, a child, runs processes of PROGRAM: follows it, and at SIGQUIT asks one of them what the threads of all
   do. */
_Noreturn void follow_launcher (pid_t launcher, const char *program);

/* child.c: holds what follow_child waits for, before there is a child: a signal then would end upcrun alone. The signals that
   were held before are the child's. */
sigset_t hold_followed (void);
/* Ends as the child does. Calls EACH_SECOND, if that is not NULL, and at SIGQUIT AT_QUIT, or the child gets that. */
_Noreturn void follow_child (pid_t child, void (*each_second) (pid_t), void (*at_quit) (pid_t));

#endif
