/* Plans of the functions of one unit, for the tests that ask the planner. Each test asks about one function. */

#ifndef UPCT_TEST_PLANNED_H
#define UPCT_TEST_PLANNED_H

#include "tools/upc2c/parse/parse.h"
#include "tools/upc2c/plan/plan.h"
#include "tools/upc2c/sema/sema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

const char program_name[] = "test_plan";

/* What all units begin with. */
#define PLANNED_DECLARATIONS                                                                                                          \
  "shared [16] int a[1600], b[1600]; shared [64] int m[160][16]; shared int c[1600];\n"                                               \
  "void f (); shared [16] int *p0;\n"                                                                                                 \
  "shared [16] int *q;\n"                                                                                                             \
  "int pure (int) __attribute__ ((pure)); __attribute__ ((__const__)) int fixed_value (int);\n"                                       \
  "double sqrt (double); double cbrt (double x) { q = 0; return x; }\n"                                                               \
  "static int near_by (int x) { int y = x; y += pure (x); return y; }\n"                                                              \
  "static int far_out (int x) { q = 0; return x; } static int by_far (int x) { return far_out (x); }\n"                               \
  "static int itself (int x) { return x ? itself (x - 1) : 0; } static int stores (int *x) { return *x = 1; }\n"                      \
  "shared [4] int four[400 * THREADS], fours2[400 * THREADS]; shared [6] int six[600 * THREADS]; shared [16] int z[160 * THREADS];\n" \
  "shared [1000] int big[1000 * THREADS], vast[1000 * THREADS];\n"                                                                    \
  "strict shared int flag;\n"                                                                                                         \
  "static int at[9], own[9], s;\n"

/* The unit of the test. */
extern const char source[];

/* Parses it for so many THREADS; 0: any. */
static inline int
parse_for (int threads)
{
  unit.text = source;
  unit.size = strlen (source);
  switches.input = "plan.upc";
  switches.threads = threads;
  lex ();
  parse_unit ();
  return (int) error_count;
}

static inline int
set_up (void **state)
{
  (void) state;
  return parse_for (4);
}

static inline struct decl *
function_named (const char *name)
{
  for (struct declaration *d = tree.declarations; d; d = d->next)
    if (d->kind == DECLARATION_FUNCTION && strcmp (d->decls->name->text, name) == 0)
      return d->decls;
  return NULL;
}

static inline bool
is_loop (struct stmt *s, void *found)
{
  if (s->kind != STMT_FOR && s->kind != STMT_FORALL)
    return false;
  *(struct loop **) found = s->plan;
  return true;
}

/* Plans FUNCTION; what IS_WANTED has found in it. */
static inline void *
find_planned (const char *function, stmt_question *is_wanted)
{
  struct decl *f = function_named (function);
  void *found = NULL;

  assert_non_null (f);
  plan_function (f, false);
  any_stmt (f->body, is_wanted, &found);
  assert_non_null (found);
  return found;
}

/* The plan of the outermost loop of FUNCTION. */
static inline struct loop *
plan_for (const char *function)
{
  return find_planned (function, is_loop);
}

/* Of the outermost while, which may have become a for. */
static inline bool
is_while (struct stmt *s, void *found)
{
  if (s->kind != STMT_WHILE && !s->is_while)
    return false;
  *(struct stmt **) found = s;
  return true;
}

static inline struct stmt *
while_in (const char *function)
{
  return find_planned (function, is_while);
}

struct wanted
{
  const char *root;
  struct access_plan *plan;
};

static inline bool
is_wanted (struct expr *e, void *data)
{
  struct wanted *w = data;

  if (e->kind != EXPR_INDEX || !e->plan)
    return false;
  if (!token_is (token_at (e->first), w->root))
    return false;
  w->plan = e->plan;
  return true;
}

/* The plan of the first access by ROOT in the body of LOOP. */
static inline struct access_plan *
access_by (struct loop *loop, const char *root)
{
  struct wanted w = { root, NULL };

  any_in_stmt (loop->stmt->then, is_wanted, &w);
  assert_non_null (w.plan);
  return w.plan;
}

#endif
