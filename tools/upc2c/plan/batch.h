/* Loops that run in batches of their iterations, for which far elements are gathered at once. Part of plan.h. */

#ifndef UPC2C_PLAN_BATCH_H
#define UPC2C_PLAN_BATCH_H

#include "tools/upc2c/ast/ast.h"

struct loop;

/* batch.c: how a loop runs in batches of its iterations. LOOP has its header. */
struct batch
{
  struct loop *loop;
  struct batched *accesses;
  struct run_loop *runs;
  int count, levels;
};

/* batch_run.c: an inner loop whose gathered elements are all at constant distances, from one iteration to the next. */
struct run_loop
{
  struct stmt *stmt;
  struct loop *loop; /* its header */
  struct stmt *copy; /* with these elements in private arrays, in the order of the iterations */
  struct run_loop *next;
};

/* A read of L that is gathered for a whole batch, after the reads of lower levels. */
struct batched
{
  struct expr *l;
  int number, level;
  struct sliced *around;
  struct stmt *inner;   /* the innermost loop around it, if that is not the batch's own */
  struct run_loop *run; /* of that; or NULL: it is gathered by itself */
  int64_t
      blocks; /* of a run: from one element to the next, or elements where there are no blocks */
  struct batched *next;
};

/* The gathered read of BATCH whose lvalue is L; or NULL. */
struct batched *batched_in (const struct batch *batch, const struct expr *l);

/* An expression that a loop or condition around a gathered access evaluates, and the variable that
   gets its value, or NULL. */
struct sliced
{
  struct expr *e;
  struct decl *decl;
  bool is_hoisted; /* the variable is a generated one */
  struct sliced *around;
};

#endif
