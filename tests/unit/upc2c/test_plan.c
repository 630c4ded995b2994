/* The planner: what is the plan for this loop? Each test asks about a function of one unit. */

#include "tools/upc2c/parse/parse.h"
#include "tools/upc2c/plan/plan.h"
#include "tools/upc2c/sema/sema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

const char program_name[] = "test_plan";

static const char source[]
    = "shared [16] int a[1600], b[1600]; shared [64] int m[160][16]; shared int c[1600];\n"
      "void f (); shared [16] int *p0;\n"
      "void sum (int n, int k) { int s = 0, i; for (i = 0; i < n; i++) s += a[4 * k + 2 * i + 3]; }\n"
      "void equal (int n) { int i; for (i = 0; i < n; i++) { a[i + 1] += b[i]; a[1 + i] = 2; } }\n"
      "void down (int n) { int s = 0, i; for (i = n - 1; i >= 0; i--) s += a[i] + c[i]; }\n"
      "void wraps (unsigned n) { int s = 0; for (unsigned u = 1; u < n; u++) s += a[u - 1]; }\n"
      "void square (int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i * i]; }\n"
      "void calls (int n, shared [16] int *p) { for (int i = 0; i < n; i++) { p[i] = 1; f (); } }\n"
      "shared [16] int *q;\n"
      "void global (int n) { for (int i = 0; i < n; i++) { q[i] = 1; f (); } }\n"
      "int pure (int) __attribute__ ((pure)); __attribute__ ((__const__)) int fixed_value (int);\n"
      "double sqrt (double); double cbrt (double x) { q = 0; return x; }\n"
      "static int near_by (int x) { int y = x; y += pure (x); return y; }\n"
      "static int far_out (int x) { q = 0; return x; } static int by_far (int x) { return far_out (x); }\n"
      "static int itself (int x) { return x ? itself (x - 1) : 0; } static int stores (int *x) { return *x = 1; }\n"
      "void attributes (int n) { for (int i = 0; i < n; i++) q[i] = pure (i) + fixed_value (i); }\n"
      "void roots (int n) { for (int i = 0; i < n; i++) q[i] = sqrt (i); }\n"
      "void bodies (int n) { for (int i = 0; i < n; i++) q[i] = near_by (i); }\n"
      "void rounds (int n) { for (int i = MYTHREAD; i < n; i += THREADS) a[i] = c[i + 1]; }\n"
      "void two_rounds (int n) { for (int i = n; i > 0; i -= 2 * THREADS) c[i] = 1; }\n"
      "shared [4] int four[400 * THREADS]; shared [6] int six[600 * THREADS]; shared [16] int z[160 * THREADS];\n"
      "shared [1000] int big[1000 * THREADS], vast[1000 * THREADS];\n"
      "void free_order (int n) { for (int i = 0; i < n; i++) c[i] = four[0]; }\n"
      "void fours (int n) { for (int i = n; i > 0; i--) four[i - 1] = c[2 * i] + a[0]; }\n"
      "void fours_by_2 (int n) { for (int i = 0; i < n; i += 2) four[i] = 1; }\n"
      "void twelve (int n) { for (int i = 0; i < n; i++) four[i] = six[i]; }\n"
      "void long_strips (int n) { for (int i = 0; i < n; i++) z[i] = a[i] + 1; }\n"
      "void cut_strips (int n) { for (int i = 1; i < n; i++) z[i] = a[i - 1] + a[i] + a[i + 1]; }\n"
      "void large (int n) { for (int i = 0; i < n; i++) four[i] = big[i]; }\n"
      "void ordered (int n) { for (int i = 1; i < n; i++) four[i] = four[i - 1]; }\n"
      "void few (void) { for (int i = 0; i < 15; i++) four[i] = 1; }\n"
      "void by_pointers (int n, shared int *x, shared int *y, shared int *z)\n"
      "{ for (int i = 1; i < n; i++) { x[i] = y[i - 1] + y[i]; z[i] = x[i] + c[i]; } }\n"
      "void by_one_pointer (int n, shared int *x) { for (int i = 0; i < n; i++) x[i] = x[i + 1]; }\n"
      "void by_element (int n, shared int *x, shared int *y) { for (int i = 0; i < n; i++) x[i] = y[3]; }\n"
      "void by_indefinite (int n, shared int *x, shared [] int *y) { for (int i = 0; i < n; i++) x[i] = y[i]; }\n"
      "void scan (int n) { for (int i = 1; i < n; i++) four[i] += four[i - 1]; }\n"
      "void scan_down (int n) { for (int i = n; i >= 0; i--) { int t = a[2 * i + 2]; a[2 * i] = t + c[i]; } }\n"
      "void scan_by_2 (int n) { for (int i = 2; i < n; i += 2) a[i] = a[i - 2] + a[i - 1]; }\n"
      "void sums (int n, int k) { for (int i = 0; i < n; i++) a[k] += c[i]; }\n"
      "void sums_too (int n, int k) { for (int i = 0; i < n; i++) a[k + 1] = a[k + 1] + c[i]; }\n"
      "void sums_two (int n, int k) { for (int i = 0; i < n; i++) a[k] = a[k + 1] + c[i]; }\n"
      "void not_scan (int n) { for (int i = 2; i < n; i++) a[i] = a[i - 2]; }\n"
      "void maybe_scan (int n) { for (int i = 1; i < n; i++) a[i] = i > 1 ? a[i - 1] : 0; }\n"
      "void two_stores (int n) { for (int i = 1; i < n; i++) { a[i] = a[i - 1]; c[i] = 0; } }\n"
      "void maybe_stores (int n) { for (int i = 1; i < n; i++) if (a[i - 1]) a[i] = 1; }\n"
      "void by_pointer (int n, int *o) { for (int i = 1; i < n; i++) { a[i] = a[i - 1]; o[i] = 0; } }\n"
      "void by_names (int n) { int o[9]; for (int i = 1; i < n; i++) { a[i] = a[i - 1]; o[i] = 0; } }\n"
      "strict shared int flag;\n"
      "static int at[9], own[9], s;\n"
      "void sparse (int n)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; z[i] = 1; } }\n"
      "void sparse_calls (int n)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; f (); } }\n"
      "void sparse_in_place (int n)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; c[i] = 1; } }\n"
      "void sparse_by_name (int n)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; own[i] = 1; } }\n"
      "void sparse_by_pointer (int n, shared [16] int *o)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; o[i] = 1; } }\n"
      "void sparse_before (int n, shared [16] int *o)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; o[i - 3] = 1; } }\n"
      "void sparse_by_walk (int n, shared int *o)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; *o++ = 1; } }\n"
      "void sparse_by_private (int n, int *o)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; o[i] = 1; } }\n"
      "void sparse_by_type (int n, double *o)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; o[i] = 1; } }\n"
      "void sparse_barrier (int n)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; upc_barrier; } }\n"
      "void sparse_strict (int n)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; flag = 1; } }\n"
      "void sparse_asm (int n)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; __asm__ (\"\"); } }\n"
      "void sparse_pure (int n)\n"
      "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; own[i] = pure (i); } }\n"
      "void sparse_label (int n)\n"
      "{ for (int i = 0; i < n; i++) for (int k = at[i]; k < at[i + 1]; k++) { s += c[at[k]]; more: if (s) goto more; } }\n"
      "void look_up (int n) { for (int i = 0; i < n; i++) s += c[at[i]]; }\n"
      "void look_on (void) { for (int i = 0; i < at[0]; i++) s += c[at[i]]; }\n"
      "void moved (int n, shared int *o)\n"
      "{ for (int i = 0; i < n; i++, o++) for (int k = at[i]; k < n; k++) s += o[at[k]]; }\n"
      "void row_by_row (int n, shared int *o)\n"
      "{ for (int i = 0; i < n; i++) for (int k = at[i]; k < n; k++) s += o[at[k]]; }\n"
      "void waits (int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1] + flag; }\n"
      "void calls_out (int n) { for (int i = 1; i < n; i++) { a[i] = a[i - 1]; f (); } }\n"
      "void continues (int n) { for (int i = 1; i < n; i++) { if (i == 7) continue; a[i] = a[i - 1]; } }\n"
      "void own_roots (int n) { for (int i = 0; i < n; i++) q[i] = cbrt (i); }\n"
      "void two_calls (int n) { for (int i = 0; i < n; i++) q[i] = by_far (i); }\n"
      "void recursion (int n) { for (int i = 0; i < n; i++) q[i] = itself (i); }\n"
      "void by_address (int n) { for (int i = 0; i < n; i++) q[i] = stores (&n); }\n"
      "void labelled (int n) { for (int i = 0; i < n; i++) { goto in; in: a[i] = 1; } }\n"
      "void rows (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < 16; j++) m[i][j] = i; }\n"
      "void rowp (shared [64] int (*r)[16], int n)\n"
      "{ for (int i = 0; i < n; i++) for (int j = 0; j < 16; j++) r[i][j] = i; }\n"
      "void rowpn (shared [64] int (*r)[16], int n)\n"
      "{ for (int i = 0; i < n; i++) for (int j = 0; j < 17; j++) r[i][j] = r[j][i]; }\n"
      "void near (int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; }\n"
      "void apart (void) { for (int i = 0; i < 16; i++) a[i] = a[i + 16]; }\n"
      "void even (int n) { for (int i = 0; i < n; i += 2) a[i] = a[i + 1]; }\n"
      "void odd (int n) { for (int i = 0; i < n; i += 2) a[i] = a[i + 4]; }\n"
      "void last (void) { for (int i = 0; i < 16; i++) a[i] = a[i + 15]; }\n"
      "void down16 (void) { for (int i = 31; i >= 16; i--) a[i] = a[i - 15]; }\n"
      "void down15 (void) { for (int i = 30; i >= 16; i--) a[i] = a[i - 15]; }\n"
      "void by2 (void) { for (int i = 0; i < 16; i += 2) a[i] = a[i + 14]; }\n"
      "void by2far (void) { for (int i = 0; i < 16; i += 2) a[i] = a[i + 16]; }\n"
      "void pairs (int n) { for (int i = 0; i < n; i++) a[2 * i] = a[2 * i + 1]; }\n"
      "void pairs2 (int n) { for (int i = 0; i < n; i++) a[2 * i] = a[2 * i + 4]; }\n"
      "void mixed (int n) { for (int i = 0; i < n; i++) a[i] = a[2 * i + 1]; }\n"
      "void same (int n, int k) { for (int i = 0; i < n; i++) a[i + k] += a[k + i]; }\n"
      "void next (int n, int k) { for (int i = 0; i < n; i++) a[i + k] = a[i + k + 1]; }\n"
      "void other (int n, int k, int l) { for (int i = 0; i < n; i++) a[i + k] = a[i + l]; }\n"
      "void fixed (int n) { for (int i = 0; i < n; i++) a[i] = a[3]; }\n"
      "void round (void) { for (unsigned u = 0; u < 16; u++) a[u] = a[u + 16]; }\n"
      "void twice (void) { for (int i = 0; i < 4; i++) a[2 * i] = a[2 * i + 6]; }\n"
      "void mirror (void) { for (int i = 0; i < 16; i++) a[20 - i] = a[40 - i]; }\n"
      "void alias2 (int n, shared [16] int *p) { for (int i = 0; i < n; i++) a[i] = p[i]; }\n"
      "void less (int n) { for (int i = 0; i < n; i++) a[i - 3] = 1; }\n"
      "void divided (int n, int k) { for (int i = 0; i < n; i++) a[i + n / k] = 1; }\n"
      "void alias (int n, shared [16] int *p) { for (int i = 0; i < n; i++) p[i] = a[i]; }\n"
      "void copy (int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }\n"
      "void own (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + 1; }\n"
      "void index (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + i; }\n"
      "void shift (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i + 1]; }\n"
      "void block (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i + 32]; }\n"
      "void both (int n, shared [16] int *x, shared [16] int *y)\n"
      "{ int i; upc_forall (i = 0; i < n; i++; &x[i]) x[i] = y[i]; }\n"
      "void cyclic (int n, shared int *x) { int i; upc_forall (i = 0; i < n; i++; i) c[i] = x[i]; }\n"
      "void walk (shared [16] int *p, shared [16] int *e) { for (; p < e; p++) f (*p, p[1]); }\n"
      "void until (shared [16] int *p) { for (; *p != 0; p++) f (p); }\n"
      "void leaps (shared [16] int *p, shared [16] int *e) { for (; p < e; p += 2) f (*p); }\n"
      "void cells (shared int *p, shared int *e) { for (; p < e; p++) f (*p); }\n"
      "void drain (int n, shared [16] int *p, shared [16] int *q) { while (n--) *p++ = *--q; }\n"
      "void fill (shared [16] int *p, shared [16] int *e) { while (p < e) { f (p[1]); *p++ = 1; } }\n"
      "void pair (shared [16] int *p, shared [16] int *q) { for (; p != q; p++, q--) f (*p, *q); }\n"
      "void long_way (shared [] int *p, int n) { for (int i = 0; i < n; i++) f (*p++); }\n"
      "void skips (shared [16] int *p, int n) { while (n--) { if (n & 1) continue; f (*p++); } }\n"
      "void sees (shared [16] int *p, int n) { while (n--) { f (*p++); f (p); } }\n"
      "void some (shared [16] int *p, int n) { while (n--) if (n & 1) f (*p++); }\n"
      "void again (shared [16] int *p, int n) { while (n--) { f (*p++); p++; } }\n"
      "void given_on (shared [16] int *p, int n) { while (n--) f (p++); }\n"
      "void inner (shared [16] int *p, int n) { while (n--) for (int k = n; k; k--) f (*p++); }\n"
      "void next_of (shared [16] int *p, int n) { while (n--) f (*++p); }\n"
      "void leaves (shared [16] int *p, int n) { while (n--) { if (*p++) goto out; } out: f (p); }\n"
      "void counted (shared [16] int *p, int n) { while (n--) { f (*p++); n--; } }\n"
      "void mine (shared [16] int *p, shared [16] int *e) { upc_forall (; p < e; p++; p) *p = 1; }\n"
      "void each (shared int *p, shared int *e) { upc_forall (; p < e; p++; p) *p = 1; }\n"
      "void alone (shared [16] int *p, shared [16] int *e)\n"
      "{ upc_forall (; p < e; p++; p + 1) *p = 1; }\n"
      "void ahead (shared [16] int *p, shared [16] int *e)\n"
      "{ upc_forall (; p < e; p++; p + 1) f (*p); }\n"
      "void given (shared [16] int *p, shared [16] int *e) { upc_forall (; p < e; p++; &a[3]) f (*p); }\n"
      "void global_end (int n) { upc_forall (; p0 < q; p0++; p0) f (*p0); }\n"
      "void by_two (int n) { int i; upc_forall (i = 0; i < n; i++; 2 * i) c[2 * i] = i; }\n"
      "void shares (int n) { int i; upc_forall (i = 0; i < n; i++; i * THREADS / n) a[i] = b[i]; }\n"
      "void thirds (int n) { int i; upc_forall (i = 0; i < n; i++; i / 3) a[i] = b[i]; }\n"
      "void jumps (int n) { int i; upc_forall (i = 0; i < n; i++; &a[7 * i]) b[i] = 1; }\n"
      "void pairs3 (int n) { int i; upc_forall (i = 0; i < n; i++; &a[2 * i]) b[i] = 1; }\n"
      "void single (int n) { int i; upc_forall (i = 0; i < n; i++; 3) a[i] = b[i]; }\n"
      "void modulo (int n, int k) { int i; upc_forall (i = k; i < n; i++; i % THREADS) c[i] = 1; }\n"
      "void shift_p (int n, shared [16] int *x, shared [16] int *y)\n"
      "{ int i; upc_forall (i = 0; i < n; i++; &x[i]) x[i] = y[i + 1]; }\n"
      "void shift_sum (int n) { int i, t = 0; upc_forall (i = 0; i < n; i++; &a[i]) t += b[i + 1]; }\n"
      "void shift_in_place (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = a[i + 1]; }\n"
      "void shift_big (int n) { int i; upc_forall (i = 0; i < n; i++; &big[i]) big[i] = vast[i + 1]; }\n"
      "void beside (int n) { int t = 0; for (int i = 1; i < n; i++) t += a[i] + b[i - 1] + b[i] + z[i + 15] + z[i + 64]; }\n"
      "void beside_2 (int n) { int t = 0; for (int i = 0; i < n; i++) t += a[i] + a[2 * i] + b[2 * i]; }\n"
      "void beside_p (int n, shared [16] int *p) { int t = 0; for (int i = 0; i < n; i++) t += p[i] + p[i + 16] + a[i]; }\n"
      "void apart_p (int n, shared [16] int *p, shared [16] int *q) { int t = 0; for (int i = 0; i < n; i++) t += p[i] + q[i]; }\n"
      "void apart_4 (int n) { int t = 0; for (int i = 0; i < n; i++) t += a[i] + four[i]; }\n"
      "void thirds_of_16 (int n) { int t = 0; for (int i = 0; i < n; i++) t += a[3 * i] + b[i]; }\n"
      "void twos (int n) { int t = 0; for (int i = 0; i < n; i++) t += four[2 * i] + six[i]; }\n"
      "void wraps_too (shared [] int *w) { int t = 0; for (unsigned u = 5; w[u]; u++) t += a[u]; }\n"
      "void on_and_on (shared [] int *w) { int t = 0; for (int i = 5; w[i]; i++) t += a[i]; }\n"
      "void up_and_down (int n) { int t = 0; for (int i = 0; i < n; i++) t += a[i] + b[n - i]; }\n"
      "void looks_up (int n) { for (int i = 0; i < n; i++) a[at[i]]++; }\n"
      "void looks_up_twice (int n, shared [16] int *p)\n"
      "{ for (int i = 0; i < n; i++) for (int k = at[i]; k < n; k++) { a[at[k]]++; a[at[i]]++; b[at[k]]++; p[at[k]]++; } }\n"
      "void looks_cyclic (int n) { for (int i = 0; i < n; i++) c[at[i]]++; }\n"
      "void odds (int n) { int i; upc_forall (i = 0; i < n; i++; i * i) c[i] = i; }\n";

static int
set_up (void **state)
{
  (void) state;
  unit.text = source;
  unit.size = strlen (source);
  switches.input = "plan.upc";
  switches.threads = 4;
  lex ();
  parse_unit ();
  return (int) error_count;
}

static struct decl *
function_named (const char *name)
{
  for (struct declaration *d = tree.declarations; d; d = d->next)
    if (d->kind == DECLARATION_FUNCTION && strcmp (d->decls->name->text, name) == 0)
      return d->decls;
  return NULL;
}

static bool
is_loop (struct stmt *s, void *found)
{
  if (s->kind != STMT_FOR && s->kind != STMT_FORALL)
    return false;
  *(struct loop **) found = s->plan;
  return true;
}

/* The plan of the outermost loop of FUNCTION. */
static struct loop *
plan_for (const char *function)
{
  struct decl *f = function_named (function);
  struct loop *loop = NULL;

  assert_non_null (f);
  plan_function (f, false);
  any_stmt (f->body, is_loop, &loop);
  assert_non_null (loop);
  return loop;
}

struct wanted
{
  const char *root;
  struct access_plan *plan;
};

static bool
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
static struct access_plan *
access_by (struct loop *loop, const char *root)
{
  struct wanted w = { root, NULL };

  any_in_stmt (loop->stmt->then, is_wanted, &w);
  assert_non_null (w.plan);
  return w.plan;
}

static void
test_form_has_all_variables (void **state)
{
  struct loop *loop = plan_for ("sum");
  struct reference *r = loop->references;

  (void) state;
  assert_int_equal (loop->form, LOOP_STRIPS);
  assert_non_null (loop->bound);
  assert_string_equal (loop->induction->name->text, "i");
  assert_non_null (r);
  assert_int_equal (r->at.constant, 3);
  assert_int_equal (r->at.count, 2);
  assert_int_equal (induction_factor (&r->at, loop), 2);
  assert_int_equal (fixed_divisor (&r->at, loop), 4);
  assert_true (r->at.is_early);
  assert_int_equal (r->stride_kind, STRIDE_IN_BLOCK);
  assert_int_equal (r->stride, 2);
  assert_false (r->stays);
}

/* The reference of LOOP that is AT that distance from the array ROOT. */
static struct reference *
reference_at (struct loop *loop, const char *root, int64_t at)
{
  struct reference *r = loop->references;

  while (r && !(r->at.constant == at && strcmp (r->root->decl->name->text, root) == 0))
    r = r->next;
  assert_non_null (r);
  return r;
}

static void
test_references_in_phase_cross_blocks_together (void **state)
{
  struct loop *loop = plan_for ("beside");
  struct reference *a = reference_at (loop, "a", 0), *b = reference_at (loop, "b", 0);
  struct reference *back = reference_at (loop, "b", -1), *on = reference_at (loop, "z", 15);
  struct reference *round = reference_at (loop, "z", 64);

  (void) state;
  assert_true (loop->crosses_blocks);
  assert_true (a->crosses && b->crosses && back->crosses && on->crosses && round->crosses);
  /* The first of the list leads; b[i - 1] and z[i + 15] are a block apart, in two threads. */
  assert_null (round->crosses_with);
  assert_ptr_equal (a->crosses_with, round);
  assert_ptr_equal (b->crosses_with, round);
  assert_true (a->is_beside && b->is_beside);
  assert_null (on->crosses_with);
  assert_ptr_equal (back->crosses_with, on);
  assert_false (back->is_beside);
}

static void
test_strides_and_pointers_cross_apart (void **state)
{
  struct loop *loop = plan_for ("beside_2");
  struct reference *twice = NULL;

  (void) state;
  assert_true (loop->crosses_blocks);
  for (struct reference *r = loop->references; r; r = r->next)
    {
      assert_true (r->crosses);
      if (r->stride == 1)
        assert_null (r->crosses_with);
      else if (twice)
        assert_ptr_equal (r->crosses_with, twice);
      else
        twice = r;
    }
  loop = plan_for ("beside_p");
  assert_null (reference_at (loop, "p", 16)->crosses_with);
  assert_ptr_equal (reference_at (loop, "p", 0)->crosses_with, reference_at (loop, "p", 16));
  assert_false (reference_at (loop, "p", 0)->is_beside);
  assert_null (reference_at (loop, "a", 0)->crosses_with);
  assert_null (reference_at (plan_for ("apart_p"), "p", 0)->crosses_with);
  assert_null (reference_at (plan_for ("apart_p"), "q", 0)->crosses_with);
  assert_null (reference_at (plan_for ("apart_4"), "a", 0)->crosses_with);
  assert_null (reference_at (plan_for ("apart_4"), "four", 0)->crosses_with);
  assert_null (plan_for ("up_and_down")->references->crosses_with);
  assert_null (plan_for ("up_and_down")->references->next->crosses_with);
}

static void
test_where_blocks_are_not_crossed (void **state)
{
  (void) state;
  /* Strips of 3 do not divide a block; an index, or the induction variable, may wrap around; rows. */
  assert_false (plan_for ("thirds_of_16")->crosses_blocks);
  assert_false (plan_for ("wraps")->crosses_blocks);
  assert_false (plan_for ("wraps_too")->crosses_blocks);
  assert_true (plan_for ("on_and_on")->crosses_blocks);
  assert_true (plan_for ("rounds")->crosses_blocks);
  assert_false (plan_for ("own")->crosses_blocks);
  /* Strips of 2 are worth while. */
  assert_true (plan_for ("twos")->crosses_blocks);
  assert_int_equal (plan_for ("twos")->reference_count, 2);
}

static void
test_other_phases_have_constant_strides (void **state)
{
  struct loop *loop = plan_for ("shift");

  (void) state;
  assert_int_equal (loop->residues, 16);
  assert_true (loop->is_independent);
  assert_false (loop->is_consecutive);
  assert_non_null (loop->in_order);
  assert_true (loop->in_order->is_consecutive);
  for (struct reference *r = loop->references; r; r = r->next)
    {
      assert_false (r->is_own);
      assert_true (r->is_by_rounds && r->stays);
      assert_int_equal (r->stride, 16);
    }
  assert_int_equal (plan_for ("shift_p")->residues, 16);
  assert_non_null (plan_for ("shift_p")->meetings);
  /* The order counts; the same phase; large blocks. */
  assert_int_equal (plan_for ("shift_sum")->residues, 0);
  assert_int_equal (plan_for ("shift_in_place")->residues, 0);
  assert_int_equal (plan_for ("block")->residues, 0);
  assert_int_equal (plan_for ("index")->residues, 0);
  assert_int_equal (plan_for ("shift_big")->residues, 0);
}

static void
test_scattered_elements_have_tables (void **state)
{
  struct loop *loop = plan_for ("looks_up");
  struct tabled *t = access_by (loop, "a")->tabled;

  (void) state;
  assert_non_null (t);
  assert_ptr_equal (t->loop, loop);
  assert_string_equal (t->array->decl->name->text, "a");
  loop = plan_for ("looks_up_twice");
  assert_int_equal (loop->tabled_count, 3);
  assert_ptr_equal (access_by (loop, "a")->tabled->loop, loop);
  assert_ptr_not_equal (access_by (loop, "a")->tabled, access_by (loop, "b")->tabled);
  assert_null (access_by (loop, "p")->tabled->array);
  assert_null (access_by (plan_for ("looks_cyclic"), "c")->tabled);
}

static void
test_equal_forms_are_one_reference (void **state)
{
  struct loop *loop = plan_for ("equal");

  (void) state;
  assert_int_equal (loop->reference_count, 2);
  assert_ptr_equal (access_by (loop, "a")->loop, loop);
  assert_int_equal (access_by (loop, "a")->address, ADDRESS_REFERENCE);
}

static bool
is_while (struct stmt *s, void *found)
{
  if (s->kind == STMT_WHILE)
    *(struct loop **) found = s->plan;
  return s->kind == STMT_WHILE;
}

static struct loop *
plan_for_while (const char *function)
{
  struct decl *f = function_named (function);
  struct loop *loop = NULL;

  plan_function (f, false);
  any_stmt (f->body, is_while, &loop);
  assert_non_null (loop);
  return loop;
}

static void
test_pointers_walk_once_in_each_iteration (void **state)
{
  static const char *const others[] = { "skips",    "sees",  "some",    "again",
                                        "given_on", "inner", "next_of", "leaves" };
  struct loop *loop = plan_for_while ("drain");

  (void) state;
  assert_int_equal (loop->form, LOOP_STRIPS);
  assert_string_equal (loop->counter->decl->name->text, "n");
  assert_int_equal (loop->references->next->stride, 1);
  assert_int_equal (loop->references->stride, -1);
  assert_int_equal (loop->references->at.constant, -1);
  loop = plan_for_while ("fill");
  assert_string_equal (loop->induction->name->text, "p");
  assert_non_null (loop->bound);
  assert_null (loop->counter);
  assert_int_equal (access_by (loop, "p")->reference->at.constant, 1);
  loop = plan_for ("pair");
  assert_string_equal (loop->induction->name->text, "p");
  assert_null (loop->bound);
  assert_int_equal (loop->reference_count, 2);
  assert_true (plan_for ("long_way")->references->stays);
  assert_null (plan_for_while ("counted")->counter);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal (plan_for_while (others[i])->form, LOOP_AS_WRITTEN);
}

static void
test_strides (void **state)
{
  struct loop *loop = plan_for ("down");

  (void) state;
  assert_true (loop->is_down);
  assert_int_equal (access_by (loop, "a")->reference->stride, -1);
  assert_int_equal (access_by (loop, "c")->reference->stride_kind, BLOCK_STRIDE);
  assert_int_equal (access_by (plan_for ("wraps"), "a")->reference->at.wrap, WRAPS_DOWN);
  assert_int_equal (access_by (plan_for ("less"), "a")->reference->at.constant, -3);
}

static void
test_steps_by_rounds_stay_in_a_thread (void **state)
{
  struct reference *r = access_by (plan_for ("rounds"), "c")->reference;

  (void) state;
  assert_true (r->stride_kind == STRIDE_IN_BLOCK && r->stays && r->stride == 1);
  assert_false (access_by (plan_for ("rounds"), "a")->reference->stays);
  assert_int_equal (access_by (plan_for ("two_rounds"), "c")->reference->stride, -2);
}

static void
test_values_are_carried (void **state)
{
  static const char *const carried[] = { "scan",     "scan_down", "scan_by_2",
                                         "by_names", "sums",      "sums_too" };
  static const char *const others[] = { "not_scan",   "sums_two",     "maybe_scan",
                                        "two_stores", "maybe_stores", "by_pointer",
                                        "waits",      "calls_out",    "continues" };

  (void) state;
  for (size_t i = 0; i < sizeof carried / sizeof *carried; i++)
    assert_non_null (plan_for (carried[i])->carried_to);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_null (plan_for (others[i])->carried_to);
}

/* Modulo how many times THREADS the iterations of a strip are congruent. */
static uint32_t
residues_of (const char *name)
{
  return plan_for (name)->residues;
}

static void
test_free_order_goes_by_residues (void **state)
{
  (void) state;
  assert_int_equal (residues_of ("free_order"), 1);
  assert_true (plan_for ("free_order")->is_for_vectors);
  assert_int_equal (residues_of ("fours"), 4);
  assert_int_equal (access_by (plan_for ("fours"), "four")->reference->stride, -4);
  assert_int_equal (access_by (plan_for ("fours"), "c")->reference->stride, -8);
  assert_int_equal (residues_of ("fours_by_2"), 2);
  assert_int_equal (residues_of ("twelve"), 12);
  assert_int_equal (residues_of ("long_strips"), 0);
  assert_int_equal (residues_of ("cut_strips"), 16);
  assert_int_equal (residues_of ("large"), 0);
  assert_int_equal (residues_of ("ordered"), 0);
  assert_int_equal (residues_of ("few"), 0);
}

static int
meetings_of (const char *name)
{
  int count = 0;

  for (struct meeting *m = plan_for (name)->meetings; m; m = m->next)
    count++;
  return count;
}

static void
test_pointers_may_meet (void **state)
{
  (void) state;
  assert_int_equal (residues_of ("by_pointers"), 1);
  /* x[i] and z[i] with y[i - 1], y[i] and c[i], and with each other. */
  assert_int_equal (meetings_of ("by_pointers"), 7);
  assert_int_equal (meetings_of ("free_order"), 0);
  assert_int_equal (residues_of ("by_one_pointer"), 0);
  assert_int_equal (residues_of ("by_element"), 0);
  assert_int_equal (residues_of ("by_indefinite"), 0);
}

static void
test_reasons (void **state)
{
  static const char *const pure[] = { "attributes", "roots", "bodies" };
  static const char *const effects[] = { "own_roots", "two_calls", "recursion", "by_address" };

  (void) state;
  assert_string_equal (access_by (plan_for ("square"), "a")->reason,
                       "'i * i' is no affine expression of 'i'");
  assert_int_equal (access_by (plan_for ("calls"), "p")->address, ADDRESS_REFERENCE);
  assert_int_equal (access_by (plan_for ("global"), "q")->address, ADDRESS_COMPUTED);
  for (int i = 0; i < 3; i++)
    assert_int_equal (access_by (plan_for (pure[i]), "q")->address, ADDRESS_REFERENCE);
  for (int i = 0; i < 4; i++)
    assert_int_equal (access_by (plan_for (effects[i]), "q")->address, ADDRESS_COMPUTED);
  assert_string_equal (access_by (plan_for ("divided"), "a")->reason,
                       "'i + n / k' cannot be evaluated before the loop");
  assert_int_equal (plan_for ("labelled")->form, LOOP_AS_WRITTEN);
  assert_string_equal (plan_for ("labelled")->reason, "a label or case leads into it");
  assert_int_equal (plan_for ("odds")->form, LOOP_CHECKED);
}

static void
test_rows_are_hoisted (void **state)
{
  struct loop *outer = plan_for ("rows");
  struct access_plan *p = access_by (outer, "m");

  (void) state;
  assert_true (is_row (outer->references));
  assert_ptr_equal (p->loop->outer, outer);
  assert_ptr_equal (p->reference->row->loop, outer);
  assert_true (p->reference->stays_in_row);
}

static void
test_rows_of_pointers_are_hoisted (void **state)
{
  struct loop *outer = plan_for ("rowp");
  struct access_plan *p = access_by (outer, "r");

  (void) state;
  assert_true (is_row (outer->references));
  assert_true (is_pointer (outer->references));
  assert_ptr_equal (p->reference->row->loop, outer);
  assert_true (p->reference->stays_in_row);
  assert_false (p->reference->stays);
  outer = plan_for ("rowpn");
  p = access_by (outer, "r");
  assert_ptr_equal (p->reference->row->loop, outer);
  assert_false (p->reference->stays_in_row);
}

static void
test_dependences (void **state)
{
  (void) state;
  assert_false (plan_for ("near")->is_independent);
  assert_true (plan_for ("apart")->is_independent);
  assert_true (plan_for ("even")->is_independent);
  assert_false (plan_for ("odd")->is_independent);
  assert_false (plan_for ("last")->is_independent);
  assert_false (plan_for ("down16")->is_independent);
  assert_true (plan_for ("down15")->is_independent);
  assert_false (plan_for ("by2")->is_independent);
  assert_true (plan_for ("by2far")->is_independent);
  assert_true (plan_for ("pairs")->is_independent);
  assert_false (plan_for ("pairs2")->is_independent);
  assert_false (plan_for ("mixed")->is_independent);
  assert_true (plan_for ("same")->is_independent);
  assert_false (plan_for ("next")->is_independent);
  assert_false (plan_for ("other")->is_independent);
  assert_false (plan_for ("fixed")->is_independent);
  assert_false (plan_for ("round")->is_independent);
  assert_false (plan_for ("alias")->is_independent);
  assert_false (plan_for ("alias2")->is_independent);
  assert_false (plan_for ("twice")->is_independent);
  assert_true (plan_for ("mirror")->is_independent);
  assert_non_null (plan_for ("copy")->copy_to);
}

static void
test_owned_blocks_are_one_piece (void **state)
{
  (void) state;
  assert_int_equal (plan_for ("own")->form, LOOP_STRIPS);
  assert_true (plan_for ("own")->may_be_flat);
  assert_true (access_by (plan_for ("own"), "a")->reference->is_own);
  assert_false (access_by (plan_for ("block"), "b")->reference->is_own);
  assert_false (plan_for ("index")->may_be_flat);
  assert_false (plan_for ("shift")->may_be_flat);
  assert_true (plan_for ("block")->may_be_flat);
  assert_true (access_by (plan_for ("block"), "b")->reference->is_in_phase);
}

static void
test_pointers_are_compared_at_run_time (void **state)
{
  struct loop *loop = plan_for ("both");

  (void) state;
  assert_true (loop->may_be_flat);
  assert_true (access_by (loop, "x")->reference->is_in_phase);
  assert_false (access_by (loop, "y")->reference->is_in_phase);
  assert_false (loop->is_independent);
  loop = plan_for ("cyclic");
  assert_int_equal (access_by (loop, "x")->reference->stride_kind, STRIDE_IN_BLOCK);
  assert_true (access_by (loop, "x")->reference->stays);
}

static void
test_pointers_step_from_strip_to_strip (void **state)
{
  struct loop *loop = plan_for ("walk");

  (void) state;
  assert_int_equal (loop->form, LOOP_STRIPS);
  assert_true (is_by_pointer (loop));
  assert_int_equal (loop->reference_count, 2);
  assert_int_equal (access_by (loop, "p")->reference->stride_kind, STRIDE_IN_BLOCK);
  assert_int_equal (access_by (loop, "p")->reference->at.constant, 1);
  assert_int_equal (plan_for ("until")->form, LOOP_STRIPS);
  assert_null (plan_for ("until")->bound);
  assert_int_equal (plan_for ("leaps")->form, LOOP_AS_WRITTEN);
  assert_int_equal (plan_for ("cells")->form, LOOP_AS_WRITTEN);
}

static void
test_pointers_find_their_own_elements (void **state)
{
  (void) state;
  assert_true (plan_for ("mine")->may_be_flat);
  assert_true (plan_for ("mine")->references->is_own);
  assert_true (plan_for ("each")->references->is_own);
  assert_int_equal (plan_for ("ahead")->form, LOOP_STRIPS);
  assert_false (plan_for ("ahead")->references->is_own);
  assert_int_equal (plan_for ("given")->form, LOOP_ONE_BY_ONE);
  assert_int_equal (plan_for ("global_end")->form, LOOP_ONE_BY_ONE);
  assert_false (plan_for ("by_two")->is_by_one);
  assert_true (access_by (plan_for ("by_two"), "c")->reference->is_own);
  /* One thread has all blocks in a row, but a pointer's phase goes round in them. */
  switches.threads = 1;
  assert_false (plan_for ("alone")->references->stays);
  switches.threads = 4;
}

static bool
copies (const char *name)
{
  return plan_for (name)->copied;
}

static void
test_arrays_are_copied (void **state)
{
  struct loop *loop = plan_for ("sparse");

  (void) state;
  assert_non_null (loop->copied);
  assert_ptr_equal (access_by (loop, "c")->copied, loop->copied);
  assert_null (loop->reads);
  assert_null (loop->copied->stores);
  assert_false (copies ("sparse_calls"));
  assert_false (copies ("sparse_in_place"));
  assert_true (copies ("sparse_by_name"));
  assert_true (copies ("sparse_by_pointer"));
  assert_true (plan_for ("sparse_by_pointer")->copied->stores->is_forward);
  assert_false (plan_for ("sparse_before")->copied->stores->is_forward);
  assert_false (copies ("sparse_by_walk"));
  assert_false (copies ("sparse_by_private"));
  assert_true (copies ("sparse_by_type"));
  assert_false (copies ("sparse_barrier"));
  assert_false (copies ("sparse_strict"));
  assert_false (copies ("sparse_asm"));
  assert_true (copies ("sparse_pure"));
  assert_false (copies ("sparse_label"));
  assert_true (copies ("look_up"));
  assert_ptr_equal (plan_for ("look_up")->reads->copied->loop, plan_for ("look_up"));
  assert_false (copies ("look_on"));
  assert_false (copies ("moved"));
  assert_true (copies ("row_by_row"));
}

static void
test_steps_have_strips (void **state)
{
  (void) state;
  assert_true (plan_for ("shares")->is_consecutive);
  assert_true (plan_for ("shares")->is_independent);
  assert_int_equal (access_by (plan_for ("shares"), "a")->reference->stride_kind, STRIDE_IN_BLOCK);
  assert_int_equal (access_by (plan_for ("thirds"), "b")->address, ADDRESS_REFERENCE);
  assert_false (plan_for ("jumps")->is_consecutive);
  assert_int_equal (access_by (plan_for ("jumps"), "b")->address, ADDRESS_COMPUTED);
  assert_true (plan_for ("pairs3")->is_consecutive);
  assert_false (plan_for ("pairs3")->may_be_flat);
  assert_int_equal (access_by (plan_for ("single"), "a")->address, ADDRESS_REFERENCE);
  assert_true (access_by (plan_for ("modulo"), "c")->reference->is_own);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_form_has_all_variables),
    cmocka_unit_test (test_references_in_phase_cross_blocks_together),
    cmocka_unit_test (test_strides_and_pointers_cross_apart),
    cmocka_unit_test (test_where_blocks_are_not_crossed),
    cmocka_unit_test (test_other_phases_have_constant_strides),
    cmocka_unit_test (test_scattered_elements_have_tables),
    cmocka_unit_test (test_equal_forms_are_one_reference),
    cmocka_unit_test (test_pointers_walk_once_in_each_iteration),
    cmocka_unit_test (test_strides),
    cmocka_unit_test (test_steps_by_rounds_stay_in_a_thread),
    cmocka_unit_test (test_free_order_goes_by_residues),
    cmocka_unit_test (test_pointers_may_meet),
    cmocka_unit_test (test_values_are_carried),
    cmocka_unit_test (test_arrays_are_copied),
    cmocka_unit_test (test_reasons),
    cmocka_unit_test (test_rows_are_hoisted),
    cmocka_unit_test (test_rows_of_pointers_are_hoisted),
    cmocka_unit_test (test_dependences),
    cmocka_unit_test (test_owned_blocks_are_one_piece),
    cmocka_unit_test (test_pointers_are_compared_at_run_time),
    cmocka_unit_test (test_pointers_step_from_strip_to_strip),
    cmocka_unit_test (test_pointers_find_their_own_elements),
    cmocka_unit_test (test_steps_have_strips),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
