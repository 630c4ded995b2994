/* Windows: private copies of what a strip accesses, and those that stay from row to row. Part of plan.h. */

#ifndef UPC2C_PLAN_WINDOW_H
#define UPC2C_PLAN_WINDOW_H

#include "tools/upc2c/ast/ast.h"

struct loop;
struct reference;

/* A window: a private copy of the elements of one array that a strip accesses. These are the elements
   of the reference FIRST, and of others that are up to FARTHEST elements further. */
struct window
{
  struct reference *first;
  int64_t farthest;
  bool is_read, is_written;
  int number;
  /* If it is one of the kept rows: the row and the column, relative to those of the first window. */
  struct kept_rows *kept;
  int row;
  int64_t column;
  struct window *next;
};

/* kept_rows.c: rows of an array that stay in windows of the loop with this NUMBER while AROUND runs:
   all from the first to the last one, with the columns of all the windows. */
struct kept_rows
{
  struct loop *around;
  struct expr *root; /* of the array */
  int number, window;
  int first_row, last_row;
  int64_t first_column, last_column; /* last_column is relative to the last iteration */
  bool needs_question;               /* the nest must test whether it writes to the array */
  struct kept_rows *next;
};

/* window.c: the greatest number of bytes of an array in a window, up to the first element of the last
   iteration; and the least number of iterations that is ever worth while. */
enum
{
  WINDOW_BYTES = 2048,
  LEAST_WINDOW = 12
};

/* kept_rows.c: the greatest number of rows that are kept at once, and of bytes in each. */
enum
{
  MOST_KEPT_ROWS = 5, /* include/upct/window.h has it, too */
  KEPT_ROW_BYTES = 16384
};

/* The least number of iterations of LOOP, which is_windowed, that is worth while: several blocks of each
   array. */
int64_t least_in_windows (const struct loop *loop);

#endif
