/* A line of a file, and what the preprocessor made of it. source.c finds them, source_match.c
   matches them. */

#ifndef UPC2C_SOURCE_H
#define UPC2C_SOURCE_H

#include "tools/upc2c/lex/internal.h"

enum
{
  MAX_WRITTEN = 500,
  MAX_MADE = 2000
};

/* The tokens of one line, as the file has them and as the preprocessor made them. */
struct line
{
  const char *text;
  size_t length;
  struct token written[MAX_WRITTEN];
  bool is_argument[MAX_WRITTEN]; /* or the parenthesis before or behind arguments */
  uint32_t written_count;
  const struct token *made;
  uint32_t made_count;
  uint32_t match[MAX_MADE]; /* of those made: the one written, or NO_TOKEN */
  uint16_t written_depth[MAX_WRITTEN], made_depth[MAX_MADE];
};

/* source_match.c */

/* Fills match, of a line with no more than MAX_MADE tokens made. */
void match_line (struct line *line);

/* The token written that the NUMBERth made comes from; some token is written. */
const struct token *origin_of (const struct line *line, uint32_t number);

#endif
