/* What a user event's format says of its arguments (GASP 1.4, 5.3): a printf format, which
   the recorder follows to fetch them and upc-trace to show them.

   Each conversion's values are words in order: for each `*` an int, then the value. Integers
   and pointers are one word, sign-extended where the conversion is signed; a floating-point
   number is the word of a double; a string is a word with its length and then its bytes,
   padded to whole words. */

#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_value
{
  TRACE_INT,
  TRACE_UNSIGNED,
  TRACE_LONG, /* any 64-bit integer: l, ll, j, z, t */
  TRACE_UNSIGNED_LONG,
  TRACE_CHAR,
  TRACE_POINTER,
  TRACE_DOUBLE,
  TRACE_LONG_DOUBLE,
  TRACE_STRING,
  TRACE_WIDE_STRING, /* fetched, and shown as a pointer */
  TRACE_COUNT        /* %n: fetched, and nothing done */
};

enum
{
  TRACE_STRING_MOST = 240
}; /* bytes of a string that are recorded */

struct trace_conversion
{
  const char *start; /* its % */
  const char *end;   /* behind its letter */
  enum trace_value value;
  unsigned stars; /* 0, 1 or 2 */
  int precision;  /* of a string: -1 none, -2 a star */
};

/* Finds the next conversion at or behind *TEXT and moves *TEXT behind it. False at the end,
   or at what is no conversion of C: nothing is known of the arguments from there on. */
bool trace_next_conversion (const char **text, struct trace_conversion *conversion);

/* Writes FORMAT with the values of WORDS to TEXT, as printf would, cut to SIZE bytes with
   the end. Values that are not there are shown as `?`. Trusts neither of the two. */
void trace_print_values (char *text, size_t size, const char *format, const uint64_t *words,
                         unsigned count);

#endif
