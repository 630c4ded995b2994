/* The driver: reads the switches, looks at the inputs, plans the commands that
   make the program, and runs them one by one.

   A driver lives for one link, so what it allocates lives as long as it does. */

#ifndef UPCC_H
#define UPCC_H

#include "tools/common/common.h"

#include <gelf.h>
#include <stdio.h>

enum
{
  MAX_THREADS = 1024
}; /* the packed pointer-to-shared has 10 bits for the thread */

/* words.c: lists of words, and names made from others. */

struct words
{
  char **item; /* item[count] is NULL, so that item is an argument vector */
  size_t count;
  size_t capacity;
};

void words_add (struct words *words, const char *word);
void words_add_these (struct words *words, ...) __attribute__ ((sentinel));
bool words_have (const struct words *words, const char *word);
void words_add_all (struct words *words, const struct words *more);
void words_add_split (struct words *words, const char *text, const char *separators);
const char *replace_suffix (const char *path, const char *suffix);

/* options.c: the command line as the user meant it. */

enum mode
{
  MODE_LINK,
  MODE_COMPILE,    /* -c */
  MODE_ASSEMBLY,   /* -S */
  MODE_PREPROCESS, /* -E, -M, -MM */
  MODE_CHECK,      /* -fsyntax-only */
  MODE_TRANSLATE   /* -trans: the C that upc2c writes */
};

/* What a source is written in: -x says it, or else the suffix. */
enum language
{
  LANGUAGE_NONE, /* no source: an object or a library */
  LANGUAGE_UPC,
  LANGUAGE_UPC_HEADER, /* only checked; -o gets a file for make */
  LANGUAGE_UPC_PREPROCESSED,
  LANGUAGE_TRANSLATED, /* the C that upc2c wrote */
  LANGUAGE_C,
  LANGUAGE_C_PREPROCESSED,
  LANGUAGE_ASSEMBLER,
  LANGUAGE_ASSEMBLER_CPP,
  LANGUAGE_CXX,
  LANGUAGE_CXX_PREPROCESSED,
  /* Fortran in fixed and free form, each with and without preprocessor directives. */
  LANGUAGE_FIXED,
  LANGUAGE_FIXED_CPP,
  LANGUAGE_FREE,
  LANGUAGE_FREE_CPP
};

/* What stands in order on the command line, as the order matters. */
enum item_kind
{
  ITEM_FILE,    /* text: a path, or "-" for a source on standard input */
  ITEM_LIBRARY, /* text: foo of -lfoo */
  ITEM_LINKER   /* text: one word for the linker */
};

struct item
{
  enum item_kind kind;
  const char *text;
  enum language language; /* of a file */
  bool is_chosen;         /* -x said the language */
};

/* A depfile: rules for make that say which files an output is made from. */
struct depfile
{
  const char *kind;      /* -M, -MM, -MD or -MMD; NULL: none */
  const char *file;      /* -MF; NULL: a name made from the output's */
  struct words targets;  /* -MT and -MQ, with their values */
  struct words words;    /* -MP, -MG */
  struct words switches; /* those that mean nothing without a kind */
};

/* Instrumentation for a performance tool. */
struct profile
{
  struct words switches; /* --profile, --profile-local, …; none: nothing is instrumented */
  const char *only;      /* --profile-only; NULL: all events */
  bool trace;            /* --trace */
};

/* What upcc is asked about itself. */
enum show
{
  SHOW_NOTHING,
  SHOW_HELP,
  SHOW_MANUAL,
  SHOW_VERSION,
  SHOW_PLACES /* the version, and where headers and libraries are */
};

/* -fdiagnostics-format: how messages are written, and whether to a file. */
enum message_format
{
  MESSAGES_TEXT,
  MESSAGES_JSON,
  MESSAGES_JSON_FILE,
  MESSAGES_SARIF,
  MESSAGES_SARIF_FILE
};

struct options
{
  enum mode mode;
  enum message_format message_format;
  enum show shows;
  const char *output; /* NULL: a name made from each source's */
  bool names_output;  /* -o stands on the command line */
  bool verbose;
  bool dry_run; /* -###: commands are printed and not run */
  bool save_temps;
  bool saves_beside; /* -save-temps=obj: in the folder of the result, as gcc has it */
  bool uses_mpi;
  bool smart_output;    /* -smart-output: the program is named after the first file */
  bool is_preprocessed; /* C and UPC sources are */
  bool is_static;
  bool is_pie;
  bool is_shared; /* -shared: the result is a library, and no program */
  bool is_plugin; /* -fupc-plugin: one that UPC programs load */
  bool struct_pts;
  bool report;            /* -fupc-report */
  bool check;             /* -fupc-check */
  bool race;              /* -fupc-check=race */
  bool bupc;              /* -fbupc */
  bool chooses_pts;       /* -fupc-pts stands on the command line */
  int threads;            /* -fupc-threads-N; 0: as the run says */
  const char *network;    /* -network=, but mpi; NULL or smp: what a run has */
  const char *lto;        /* -flto; NULL: without */
  bool has_fat_lto;       /* -ffat-lto-objects */
  bool has_network;       /* -fupc-network=mpi: the program runs in several processes */
  const char *linker;     /* -link-with: the command of the last link; NULL: the C compiler's */
  enum language language; /* -x, for the files behind it */
  bool chooses_language;
  struct depfile depfile;
  const char *database; /* -MJ; NULL: none */
  struct profile profile;
  struct words sanitizers; /* of -fsanitize */
  struct words queries;    /* what the compiler is asked: -dumpmachine, -print-… */
  struct words compile;    /* switches for each compilation */
  struct words preprocess; /* those that only the preprocessor understands */
  struct words appearance; /* those that say how -E prints */
  struct words link;       /* switches for the last link */
  struct words folders;    /* -L */
  struct item *items;
  size_t item_count, item_capacity;
  size_t source_count;
};

void parse_options (struct options *options, const struct words *arguments);

/* language.c: which language a source is in. */
void choose_language (struct options *options, const char *name);
enum language language_of_suffix (const char *path);
const char *name_of_language (enum language language);
bool is_cxx (enum language language);
bool is_fortran (enum language language);

/* table.c, options.def: the switches. */

enum option_form
{
  FORM_EXACT,    /* the word itself */
  FORM_JOINED,   /* the value stands in the word */
  FORM_SEPARATE, /* the value is the next word */
  FORM_EITHER,   /* one or the other */
  FORM_VALUE,    /* after "=" in the word, or in the next word */
  FORM_NUMBER    /* the same for a number, which may be left out */
};

struct option_row
{
  const char *name;
  enum option_form form;
  void (*act) (struct options *, const struct option_row *, const char *value);
  const char *argument; /* for --help: how the value is written */
  const char *help;     /* NULL: not listed; of a refused switch the reason */
  const char *manual;   /* sentences for the manual page, or NULL */
  size_t flag;          /* the offset in struct options of what set_flag sets */
};

extern const struct option_row option_rows[];
extern const size_t option_row_count;

bool is_refused (const struct option_row *row);

/* item.c */
void options_add_item (struct options *options, enum item_kind kind, const char *text);

/* help.c: prints what is asked for, and exits. */
_Noreturn void show_text (enum show show);

/* response.c: the arguments with each @FILE replaced by the words in it. */
void expand_responses (struct words *to, char **arguments, int count);

/* layout.c: the components of UPCT, found from where this program is. */

struct layout
{
  const char *translate;
  const char *privatize;
  const char *library;        /* for packed pointers-to-shared */
  const char *library_struct; /* NULL for a shared library */
  const char *engine;         /* of a program of several processes; else NULL */
  const char *refused;        /* what such a program does not have yet */
  const char *far;
  const char *collect; /* for the last link with --gc-sections */
  const char *race;    /* for the linker: what the race detector stands before */
  const char *begin;
  const char *end;
  const char *threads; /* makes the threads of shared libraries known; NULL: not in this link */
  const char *start;   /* of a shared library, in place of a program's main */
  const char *script;  /* for gdb */
  const char *plugin_names; /* for objcopy: the runtime's names of libc's functions */
  const char *plugin_words; /* for the linker: what a program has for plugins */
  const char *trace;        /* the tracing tool, with --trace */
  const char *trace_struct;
  const char *reporter; /* makes a trace's reports */
  const char *include;  /* NULL when no headers are there */
};

void find_layout (struct layout *layout, const struct options *options);
/* Where upc2c is. */
const char *find_translator (void);
/* The folder of the headers, or NULL. */
const char *find_headers (void);
/* That of the libraries, and of the start files. */
const char *find_library_folder (void);

/* What an input is, and whether it can be linked. */

enum file_kind
{
  FILE_OBJECT, /* made private */
  FILE_ARCHIVE,
  FILE_SHARED, /* left to the last link */
  FILE_SCRIPT  /* for the linker: names other files */
};

/* What matters of the inputs: which starting points they define, and whether one takes
   over pthread_create. */
struct mains
{
  bool upc_main;
  bool c_main;
  bool has_races; /* code tells the race detector of its accesses */
};

struct image
{
  const char *name; /* for messages: FILE or ARCHIVE(MEMBER) */
  char *bytes;
  size_t size;
};

/* image.c */
void read_image (struct image *image, const char *path, const char *name);

/* object.c, archive.c */
bool is_shared_library (const struct image *image);
bool is_object (const struct image *image);
void check_object (const struct image *image, struct mains *mains);
void check_archive (const struct image *image, struct mains *mains);

/* script.c: linker scripts as inputs. */

struct script_item
{
  struct item item; /* a file's name as the script has it */
  int line;
};

struct script
{
  const char *name;
  struct script_item *items;
  size_t count, capacity;
};

bool is_linker_script (const struct image *image);
void read_linker_script (struct script *script, const struct image *image);

/* input.c */
void check_source (const struct item *source);
enum file_kind classify_file (const struct image *image, struct mains *mains);

/* program_info.c: the program information that objects of UPC compilers contain. */

void collect_program_info (Elf *elf, const char *object);
/* Whether a UPC compiler made the object. */
bool has_program_info (Elf *elf);
/* An object that asks for a static number of threads, as those of UPC compilers do. */
const char *compile_threads_request (int threads);
/* What the objects of a link agree on. */
struct agreed
{
  const char *pts;     /* the representation of pointers-to-shared */
  const char *threads; /* "0": any number */
};

/* Fails when objects in the one at PATH contradict each other or the switches. */
struct agreed check_program_info (const struct options *options, const char *path);

/* declarations.c: what objects of upc2c say of shared objects. */
void collect_declarations (Elf *elf, const char *object);
/* Fails, or warns, when declarations of one name in the file at PATH differ. THREADS is "0" for any number. */
void check_declarations (const struct options *options, const char *path, const char *threads);

/* The representation that the switches or the inputs say first. */
const char *first_pts (const struct options *options);

/* library.c: the archive, object or linker script that -lNAME means and that belongs to the user, or
   NULL: left to the last link. */
const char *find_library (const struct options *options, const char *name, bool only_static);
/* Whether the linker finds it. */
bool has_library (const struct options *options, const char *name);
/* The file that a linker script in FOLDER means by NAME, or NULL. */
const char *find_input (const struct options *options, const char *name, const char *folder);
/* The C library's files and their kin. */
bool is_system_library (const char *path);

/* linkwords.c: which words for the linker concern the first link, which the last. */

enum link_phase
{
  LINK_LAST = 1,
  LINK_FIRST = 2,
  LINK_BOTH = 3,
  LINK_REFUSED = 0
};

struct link_state
{
  bool only_static; /* after -Bstatic */
  bool pushed[16];  /* --push-state */
  int depth;
  int groups;
};

enum link_phase classify_linker_word (struct link_state *state, const char *word, bool *takes_next);

/* temporaries.c: files that go away with this process, however it ends. */

void begin_temporaries (const struct options *options);
const char *temporary (const char *stem, const char *suffix);
const char *begin_output (const char *path);
void finish_output (void);
void remove_temporaries (void);

/* messages.c: what a command says on standard error, in the program's words. */

/* A file that is to be that of a command; -1 where there can be none. */
int begin_messages (void);
/* In what commands say, NAME stands for FILE, a temporary one. */
void show_file_as (const char *file, const char *name);
/* Shows what is in FILE, and closes it; false if nothing is. DRAWS_SOURCE: with the line of the
   source under each message. */
bool end_messages (int file, bool draws_source);

/* appearance.c: switches of a C compiler, or of upc2c, that say how messages look. */

bool is_color_switch (const char *word);
void add_appearance_of_messages (struct words *command, const struct options *options);

/* structured.c: messages as JSON or SARIF. */
void set_message_format (struct options *options, const struct option_row *row, const char *value);
/* From here on, if the options say so; they are written when the process exits. */
void collect_messages (const struct options *options);

/* lto.c: -flto and -ffat-lto-objects. */
void set_lto (struct options *options, const struct option_row *row, const char *value);
void set_fat_lto (struct options *options, const struct option_row *row, const char *value);
/* Once all switches are known. */
void settle_lto (struct options *options);

/* target.c: --target. */
void set_target (struct options *options, const struct option_row *row, const char *value);
/* Programs are not for this machine. */
bool is_cross (void);
/* Its libraries' folder in the system, and for compilers. */
const char *target_name (void);
/* For messages. */
const char *target_processor (void);
int target_machine (void);
/* The command for ld, objcopy and so on. */
const char *target_tool (const char *name);

/* step.c: one command. */

void begin_steps (const struct options *options);
/* With -###. */
bool is_dry_run (void);
void run_step (const struct words *command);
/* For a command that does not show the lines of the source under its messages: upcc does. */
void run_step_drawing_source (const struct words *command);
int try_step (const struct words *command);
_Noreturn void fail_step (const struct words *command, int status);

/* compiler.c: the C compiler, and what its commands have in common. */

void add_compiler (struct words *command);
bool is_clang (const struct words *command);
/* The one for sources in LANGUAGE. */
void add_compiler_of (struct words *command, enum language language);
/* CC may be upcc itself, as make CC=upcc leaves it, or a wrapper that calls upcc. An upcc within
   the commands of another is the C compiler. */
void become_compiler (char **argv);
void mark_commands (void);
/* Switches for what upc2c says of loops, in pragmas. */
void add_loops (struct words *command, const struct options *options);
/* Switches for programs whose reports name lines. */
void add_lines (struct words *command, const struct options *options);
void add_names_of_files (struct words *command, const struct options *options,
                         const struct item *source);
void add_mode (struct words *command, const struct options *options);
/* Assembles SOURCE, to which FILE was written, and closes that; returns the object. */
const char *assemble (FILE *file, const char *source, const char *stem);

/* compile.c: single sources. */
void compile_source (const struct options *options, const struct layout *layout,
                     const struct item *source, const char *result);
_Noreturn void ask_compiler (const struct options *options);
void make_compilations (const struct options *options, const struct layout *layout);

/* upc.c: the same for UPC. append_file copies FROM, which may be "-"; end_text closes what was written
   to PATH. */
void append_file (FILE *to, const char *from);
void end_text (FILE *file, const char *path);
void compile_upc (const struct options *options, const struct layout *layout,
                  const struct item *source, const char *result);
void compile_translation (const struct options *options, const struct item *source,
                          const char *translated, const char *result);

/* compatibility.c: switches of other UPC drivers. */
void set_pts (struct options *options, const struct option_row *row, const char *value);
void set_threads (struct options *options, const struct option_row *row, const char *value);
/* Makefiles give these, and what they ask for is always so. */
void accept (struct options *options, const struct option_row *row, const char *value);
void accept_number (struct options *options, const struct option_row *row, const char *value);
void accept_order (struct options *options, const struct option_row *row, const char *value);
void set_ibm (struct options *options, const struct option_row *row, const char *value);
void set_threads_of_gnu (struct options *options, const struct option_row *row, const char *value);
void accept_heap (struct options *options, const struct option_row *row, const char *value);
void accept_language (struct options *options, const struct option_row *row, const char *value);
void accept_packed_bits (struct options *options, const struct option_row *row, const char *value);
void set_network (struct options *options, const struct option_row *row, const char *value);
void set_linker (struct options *options, const struct option_row *row, const char *value);

struct program;

/* shared.c: libraries in place of programs. */
void set_shared (struct options *options, const struct option_row *row, const char *value);
void check_shared (const struct options *options);
void add_shared (struct words *command);

/* plugin.c: libraries that UPC programs load. */
void set_plugin (struct options *options, const struct option_row *row, const char *value);
void check_plugin (const struct options *options);
void add_plugin (struct words *command);
/* Of a compiler of C++. */
void add_own_statics (struct words *command);
const char *rename_calls (const struct program *program, const char *all);
/* THREADS is the number that the objects were compiled for, or "0". */
const char *compile_plugin_note (const struct options *options, const char *pts,
                                 const char *threads);
/* Of a library with a runtime of its own, by which UPC programs refuse it. */
const char *compile_library_note (void);
bool loads_plugins (const struct program *program);

/* passed.c: -Wc, -Wp, -Wl, */
void add_preprocessor_words (struct options *options, const struct option_row *row,
                             const char *value);
void add_compiler_words (struct options *options, const struct option_row *row, const char *value);
void add_linker_words (struct options *options, const struct option_row *row, const char *value);

/* queries.c: prints the answer, and exits. */
void print_answer (struct options *options, const struct option_row *row, const char *value);

/* rc.c: the switches that ~/.upccrc asks for, unless the ARGUMENTS are against it; a key's value, or
   NULL. */
void add_settings (struct words *words, const struct words *arguments);
const char *value_of_key (const char *name);

/* mpi.c: the switches that programs of MPI need. */
const char *mpi_compiler (void);
/* BY is the switch that wants them. */
void add_mpi_words (struct words *words, const char *by);

/* network.c: programs of several processes. */
void set_processes (struct options *options, const struct option_row *row, const char *value);
/* Fails where another switch cannot be had with it. */
void check_network (const struct options *options);
/* The engine for the MPI of mpi_compiler. */
const char *find_engine (const char *folder);
/* OBJECT refers to NAME, which it does not define. */
void collect_undefined (const char *name, const char *object);
bool is_referred_to (const char *name);
/* Fails where the object at PATH, all of a program, asks for what such programs do not have: a name that stands
   in the file at REFUSED, or one by which other compilers' code computes addresses itself. */
void check_network_objects (const char *path, const char *refused);

/* profile.c: --profile and its kin. */
void set_profile (struct options *options, const struct option_row *row, const char *value);
void set_profile_only (struct options *options, const struct option_row *row, const char *value);
/* Reads what the switches name, once all are known. */
void settle_profile (struct options *options);
bool is_profiling (const struct options *options);
/* The translator's switches. */
void add_profile (struct words *command, const struct options *options);
const char *compile_wanted_events (void);

/* database.c: -MJ. RESULT: what the source becomes; NULL: nothing that stays. */
void add_to_database (const struct options *options, const struct item *source, const char *result);

/* depfile.c: -MD and its kind. */
void add_depfile (struct words *command, const struct options *options, const struct item *source,
                  const char *result);
bool is_depfile_only (const struct options *options);

/* conflicts.c: names that mean one thing in an object, and another in a second one. */
void collect_definition (Elf *elf, const char *name, const GElf_Sym *symbol, const char *object);
/* OBJECT, which a UPC compiler made, refers to NAME. */
void collect_reference (const char *name, const char *object);
/* OBJECT declares NAME as a shared object. */
void collect_shared_name (const char *name, const char *object);
/* OBJECT, which no UPC compiler made, defines NAME or refers to it. */
void collect_c_name (const char *name, const char *object);
bool may_conflict (void);
/* Fails if there are such names in the link that the linker's MAP is of. */
void check_conflicts (const char *map);

/* link_inputs.c: what goes into which link. */

struct program
{
  const struct options *options;
  const struct layout *layout;
  struct mains mains;
  struct link_state state;
  enum link_phase phase;   /* of the last word for the linker */
  bool is_value;           /* the next one is its value */
  struct words compiled;   /* the objects of the sources, in order */
  struct words first;      /* for ld -r, in order */
  struct words last;       /* for the last link, in order */
  const char *merged_map;  /* of ld -r, */
  const char *private_map; /* and of upc-privatize, or NULL */
};

void sort_link_inputs (struct program *program);
/* Whether an object is made of the file for a link. */
bool is_compiled (const struct item *file);
void refuse_overwriting (const char *output, const char *input);

/* map.c: the linker's map. */

/* The file that the LINK's words name for it, or NULL. */
const char *wanted_map (const struct words *link);
/* Adds to MAP which PRIVATE data the program has, and the map of the MERGED objects. */
void complete_map (const char *map, const char *private, const char *merged);

/* names.c: an object that names files of this installation to the program. */
const char *compile_names (const struct program *program);

/* plan.c: the commands. */
void make_program (const struct options *options, const struct layout *layout);

/* sanitizers.c: those of the program. */

void set_sanitizers (struct options *options, const struct option_row *row, const char *value);
void unset_sanitizers (struct options *options, const struct option_row *row, const char *value);
bool has_sanitizer (const struct options *options, const char *name);
/* One that looks after malloc and threads. */
bool has_sanitizer_of_memory (const struct options *options);
/* Beside libupc.a, the folder of the libraries for the sanitizers, or "". */
const char *sanitizer_folder (const struct options *options);
/* Switches of an upcc all of whose programs have sanitizers. */
void add_sanitizers (struct words *command);

/* runtime.c: what libupc.a stands on. */

void add_runtime (struct words *command, const struct options *options, const char *library_file);
/* Behind a link that failed: which of them are not there. */
void note_missing_libraries (const struct options *options);

/* packages.c: behind that the tool cannot be run, Debian's package of it. */
const char *where_tool_is (const char *name);

#endif
