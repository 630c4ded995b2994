/* switches: the command line.

   upc2c turns a preprocessed UPC file into C. Its folders, lowest first; each needs only
   those before it, and tools/common:

     switches     the command line
     lex          text to tokens, where they stand in their files, messages
     ast          types and the syntax tree
     events       which constructs raise events of a performance tool (GASP)
     sema         scopes, types of expressions, constraints of UPC
     parse        tokens to the tree
     plan         plans for loops and shared accesses, kept on the tree
     write        the tree to C
     instrument   events around constructs, in C

   main.c runs the phases. There is one unit a run, and what is allocated lives as long as
   it does.

   Each folder has one header for the others, which bears its name; the other headers in it
   are its own. Only parse/, sema/initializer.c and write/ recurse as the program nests. */

#ifndef UPC2C_SWITCHES_H
#define UPC2C_SWITCHES_H

#include <gasp_upc.h>

#include <stdbool.h>
#include <stdint.h>

struct switches
{
  const char *input;
  const char *output;
  bool struct_pts;          /* -fupc-pts=struct */
  uint32_t threads;         /* -fupc-threads-N; 0: dynamic THREADS */
  bool iso_c;               /* -std=c11 and its kind, -fno-asm: asm and typeof are names */
  bool iso_c90;             /* -std=c90 and its kind: inline is a name too */
  bool gnu_inline;          /* -std=gnu89, -fgnu89-inline: inline without extern is a definition */
  bool c23;                 /* -std=c23 and its kind, or the compiler's default */
  bool short_enums;         /* -fshort-enums */
  bool arm;                 /* --target=aarch64-linux-gnu */
  bool unsigned_char;       /* -funsigned-char */
  bool tagged_members;      /* -fms-extensions: `struct tag;` is a member without a name */
  uint32_t pack;            /* -fpack-struct=N; 0: none */
  bool no_common;           /* -fno-common */
  bool red_zones;           /* behind static shared objects */
  bool outlines;            /* -fsanitize=address: strips that are functions of their own */
  bool plugin;              /* for a library that UPC programs open */
  bool clang;               /* what compiles the C */
  bool masks;               /* vectors of the processor have them: some elements may be left out */
  bool report;              /* -fupc-report */
  bool check;               /* -fupc-check */
  bool race;                /* -fupc-check=race */
  bool network;             /* -fupc-network=mpi: other processes have shared data, too */
  bool ignores_bounds;      /* -Wno-array-bounds */
  bool inhibit_warnings;    /* -w */
  bool warnings_are_errors; /* -Werror */
  bool parseable_fixes;     /* -fdiagnostics-parseable-fixits */

  struct
  {
    bool is_on;        /* any events */
    bool functions;    /* GASP_C_FUNC */
    bool local;        /* accesses to data of the accessing thread */
    bool is_selective; /* --profile-events: only those that are selected */
    bool selected[GASP_UPC_USEREVT_START];
  } profile;
};

extern struct switches switches;

/* Fills in SWITCHES from the words of the command line. */
void read_switches (char **word);

#endif
