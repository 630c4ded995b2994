/* Where the lexer is, and the lines that begin with #, which may change that. */

#ifndef UPC2C_DIRECTIVE_H
#define UPC2C_DIRECTIVE_H

#include "tools/upc2c/front.h"

/* What pragmas of UPC set; saved at each { and restored at its }. */
struct mode
{
  bool is_strict;
  bool is_c_code;
  bool is_unwatched;
};

struct source_position
{
  uint32_t line, file;
  struct mode mode;
};

/* Of the next token. */
extern struct source_position scanned;

/* The number of the file NAME. */
uint32_t enter_file (const char *name, size_t length, bool is_system);
/* A line that begins with # at START; returns where its line feed is, or END. */
const char *read_directive (const char *start, const char *end);

#endif
