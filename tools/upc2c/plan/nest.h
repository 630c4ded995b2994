/* Nests of loops that may run in private copies of the arrays that they access, or in a function without checks. Part of
   plan.h. */

#ifndef UPC2C_PLAN_NEST_H
#define UPC2C_PLAN_NEST_H

#include "tools/upc2c/ast/ast.h"

struct loop;

/* nest.c: a loop and those inside it, if it is known which elements they access of each array. */
struct nest
{
  int number;
  bool may_copy;    /* its arrays may be in private copies, … */
  bool is_in_place; /* … or, at least, itself where one block has all of each array */
  bool
      is_outlined; /* without checks, it is a separate function, with the arguments of the outermost loop */
  bool is_asked;           /* a loop in it leaves it to the nest to test whether arrays are apart */
  struct nest_loop *loops; /* the outermost one first, each before those inside it */
  struct nest_array *arrays;
  struct nest_access *accesses;
  struct nest_state *in_copies; /* if it MAY_COPY: has no checks, either */
  struct nest_state *unchecked; /* if it IS_OUTLINED: without copies */
};

struct nest_loop
{
  struct loop *loop;        /* its header */
  struct expr *first;       /* what its induction variable starts from */
  struct nest_loop *around; /* NULL: the outermost one */
  /* No more iterations, if its bound tells so whatever the loops around it do, as that of a tile; or 0. */
  uint64_t most;
  int number;
  struct nest_loop *next;
};

/* An array of a nest, as the source has it: its root, and an element of it. COPY is the pointer that
   takes the place of the root in the copied state. */
struct nest_array
{
  struct expr *root, *l;
  struct decl *copy;
  bool is_written;
  int number;
  struct nest_array *next;
};

struct nest_access
{
  struct expr *l;
  struct nest_array *array;
  struct nest_loop *around;
  struct nest_access *next;
};

/* A node of the tree, and its contents in another state of the nest. */
struct nest_state
{
  struct expr *e;
  struct stmt *s; /* if E is NULL */
  struct expr other_expr;
  struct stmt other_stmt;
  struct nest_state *next;
};

/* nest_state.c: exchanges the states of the tree: that of the program, and STATE. */
void exchange_state (struct nest_state *state);
/* The loop of a nest, AROUND or one around that, whose induction variable is D; or NULL. */
struct nest_loop *nest_loop_of (struct nest_loop *around, const struct decl *d);

#endif
