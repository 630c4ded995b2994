/* The planner: nests of loops that may have their arrays in private copies. */

#include "tests/unit/upc2c/planned.h"

/* The nest that the others are variants of. */
#define NEST(name, parameters, statement)                                                          \
  "void " name " (int n" parameters ") { for (int t = 0; t < n; t++) for (int i = 0; i < n; i++) " \
  "for (int j = 0; j < n; j++) " statement " }\n"

#define SEVEN(x)                                                                             \
  "B[" x "][0] + B[" x "][1] + B[" x "][2] + B[" x "][3] + B[" x "][4] + B[" x "][5] + B[" x \
  "][6] + "
#define EIGHT(x) SEVEN (x) "B[" x "][7] + "

#define FORALL(name, affinity)                                           \
  "void " name " (int n) { upc_forall (int i = 0; i < n; i++; " affinity \
  ") for (int t = 0; t < n; t++) "                                       \
  "for (int j = 0; j < n; j++) A[i][j] += 1; }\n"

#define FORALLS                                \
  FORALL ("forall", "&A[i][0]")                \
  FORALL ("forall_by_integer", "i")            \
  FORALL ("forall_of_all", "")                 \
  FORALL ("forall_that_continues", "continue") \
  FORALL ("forall_by_element", "c[i]") FORALL ("forall_that_counts", "s++")

/* Statements in such a nest. */
#define NESTS                                                                                     \
  NEST ("in_rows", "", "R[i][j] += t;")                                                           \
  NEST ("in_whole_rows", "", "R[i][j] += t;")                                                     \
  NEST ("lines_again", "", "line[i + j] += line[j];")                                             \
  NEST ("in_split_rows", "", "S[i][j] += t;")                                                     \
  NEST ("in_large_blocks", "", "L[i + j] += t;")                                                  \
  NEST ("in_one_block", "", "X[i][j] += A[i][j];")                                                \
  NEST ("plain", "", "A[i][j] += B[j][i];")                                                       \
  NEST ("of_line", "", "line[i * n + j] += line[j];")                                             \
  NEST ("squared", "", "line[i * i] += A[i][j];")                                                 \
  NEST ("scattered", "", "line[at[i]] += A[i][j];")                                               \
  NEST ("divided", "", "line[i / 2] += A[i][j];")                                                 \
  NEST ("narrow", "", "line[(unsigned char) i] += A[i][j];")                                      \
  NEST ("converted", "", "line[(long) i + 2u] += A[i][j];")                                       \
  NEST ("chosen", "", "line[i < 3 ? i : j] += A[i][j];")                                          \
  NEST ("shared_index", "", "line[c[i]] += A[i][j];")                                             \
  NEST ("by_global", "", "line[hidden] += A[i][j];")                                              \
  NEST ("changes_global", "", "{ line[hidden] += A[i][j]; hidden = j; }")                         \
  NEST ("threads_behind", "", "A[i][j] += column[i][j];")                                         \
  NEST ("of_characters", "", "text[i][j] += 1;")                                                  \
  NEST ("of_wide", "", "A[i][j] += wide[i][j];")                                                  \
  NEST ("of_records", "", "A[i][j] += pairs[i][j].x;")                                            \
  NEST ("of_volatile", "", "A[i][j] += vol[i][j];")                                               \
  NEST ("of_shared_pointers", "", "A[i][j] += owned[i] == 0;")                                    \
  NEST ("characters_too", "", "{ text[i][j] = 1; p[i] = 2; }")                                    \
  NEST ("is_strict", "", "A[i][j] += st[i][j];")                                                  \
  NEST ("of_scalar", "", "A[i][j] += one;")                                                       \
  NEST ("reads_volatile", "", "A[i][j] += v;")                                                    \
  NEST ("math_calls", "", "A[i][j] = sqrt (A[i][j]);")                                            \
  NEST ("pure_calls", "", "A[i][j] = pure (j);")                                                  \
  NEST ("calls", "", "{ f (); A[i][j] = 1; }")                                                    \
  NEST ("of_pointers", "", "A[i][j] += pointers[i][j];")                                          \
  NEST ("of_address", "", "A[i][j] += &B[i][j] == 0;")                                            \
  NEST ("changed_pointer", ", shared double (*x)[48]", "{ A[i][j] += x[i][j]; x = B; }")          \
  NEST ("named_pointer", ", shared double (*x)[48]", "A[i][j] += x[i][j] + (x == 0);")            \
  NEST ("own_pointer", ", shared double (*x)[48]",                                                \
        "{ shared double (*y)[48] = x + i; A[i][j] += y[i][j]; }")                                \
  NEST ("of_table", "", "A[i][j] += table[i][j];")                                                \
  NEST ("to_table", "", "table[i][j] += A[i][j];")                                                \
  NEST ("by_private_pointer", "", "A[i][j] += private[i][j];")                                    \
  NEST ("to_private_pointer", "", "p[i] = A[i][j];")                                              \
  NEST ("to_bytes", "", "bytes[i] = A[i][j];")                                                    \
  NEST ("of_integers", ", int *w", "A[i][j] += w[i];")                                            \
  NEST ("by_arrow", ", struct pair *w", "A[i][j] += w->x;")                                       \
  NEST ("pointed", ", double *w", "A[i][j] += *w;")                                               \
  NEST ("stops", "", "{ if (A[i][j] > 3) break; A[i][j] = 1; }")                                  \
  NEST ("returns", "", "{ if (A[i][j] > 3) return; A[i][j] = 1; }")                               \
  NEST ("waits", "", "{ upc_fence; A[i][j] += 1; }")                                              \
  NEST ("has_while", "", "{ while (A[i][j] > 3) A[i][j]--; }")                                    \
  NEST ("labelled", "", "{ again: A[i][j] += 1; if (n < 0) goto again; }")                        \
  NEST ("with_asm", "", "{ __asm__ (\"\"); A[i][j] += 1; }")                                      \
  NEST ("with_static", "", "{ static int z; z++; A[i][j] += z; }")                                \
  NEST ("with_pointer", "", "{ double *z = p; A[i][j] += 1; (void) z; }")                         \
  NEST ("statement", "", "A[i][j] += ({ double z = B[i][j]; z; });")                              \
  NEST ("sized", "", "A[i][j] += sizeof (double);")                                               \
  NEST ("sizes_shared", "", "A[i][j] += sizeof A;")                                               \
  NEST ("many", "", "a1[j] = a2[j] + a3[j] + a4[j] + a5[j] + a6[j] + a7[j] + a8[j];")             \
  NEST ("too_many", "", "a1[j] = a2[j] + a3[j] + a4[j] + a5[j] + a6[j] + a7[j] + a8[j] + a9[j];") \
  NEST ("many_accesses", "", "A[i][j] = " EIGHT ("0") EIGHT ("1") SEVEN ("2") "0;")               \
  NEST ("too_many_accesses", "", "A[i][j] = " EIGHT ("0") EIGHT ("1") EIGHT ("2") "0;")           \
  NEST ("of_processes", "", "A[i][j] += 1;")                                                      \
  NEST ("raced", "", "A[i][j] += 1;")                                                             \
  NEST ("plugged", "", "A[i][j] += 1;")                                                           \
  NEST ("checked", "", "A[i][j] += 1;")                                                           \
  NEST ("alone", "", "A[i][j] += 1;")

const char source[] = PLANNED_DECLARATIONS
    "shared double A[48 * THREADS][48], B[48 * THREADS][48], C[48 * THREADS][48];\n"
    "shared [48] double R[48 * THREADS][48]; shared [64] double S[48 * THREADS][48], L[4800 * THREADS]; shared [] double X[48][48], *row; shared double line[4800 * THREADS];\n"
    "shared double column[48][THREADS]; shared [2] char text[48 * THREADS][48]; shared long double wide[48 * THREADS][48];\n"
    "shared double *pointers[48]; strict shared double st[48 * THREADS][48]; volatile int v;\n"
    "struct pair { double x; }; shared struct pair pairs[48 * THREADS][48]; shared double one;\n"
    "shared double *shared owned[48 * THREADS]; shared volatile double vol[48 * THREADS][48];\n"
    "shared double a1[99], a2[99], a3[99], a4[99], a5[99], a6[99], a7[99], a8[99], a9[99];\n"
    "double (*private)[48], table[48][48], *p; char *bytes; static int hidden;\n" NESTS FORALLS
    "void product (int n) { int i, j, k; for (i = 0; i < n; i++) for (k = 0; k < n; k++) for (j = 0; j < n; j++)\n"
    "  C[i][j] += A[i][k] * B[k][j]; }\n"
    "void columns (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)\n"
    "  C[i][j] += A[i][k] * B[k][j]; }\n"
    "void by_pointers (int n, shared double (*x)[48], shared double (*y)[48])\n"
    "{ for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) x[i][j] += y[i][k] * B[k][j]; }\n"
    "void triangle (int n) { for (int k = 0; k < n; k++) for (int i = k + 1; i < n; i++) for (int j = k; j < n; j++)\n"
    "  C[i][j] -= C[i][k] * C[k][j]; }\n"
    "void with_scalar (int n) { for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) { double r = A[i][k];\n"
    "  for (int j = 0; j < n; j++) C[i][j] += r * B[k][j]; } }\n"
    "void inner (int n) { for (int l = 0; l < n; l++) { f (); for (int i = 0; i < n; i++) for (int k = 0; k < n; k++)\n"
    "  for (int j = 0; j < n; j++) C[i][j] += A[i][k] * B[k][j]; } }\n"
    "void transposed (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) C[i][j] = B[j][i]; }\n"
    "void vector_product (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) line[i] += A[i][j] * line[j]; }\n"
    "void deep (int n) { for (int t = 0; t < n; t++) for (int i = 0; i < n; i++) for (int k = 0; k < n; k++)\n"
    "  for (int j = 0; j < n; j++) C[i][j] += A[i][k] * B[k][j]; }\n"
    "void lanes_around (int n, int j) { for (; j < n; j++) for (int t = 0; t < n; t++) for (int i = 0; i < n; i++)\n"
    "  for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j]; }\n"
    "void few (void) { for (int t = 0; t < 13; t++) for (int i = 11; i >= 0; i--) for (int j = 0; j <= 12; j++) A[i][j] += 1; }\n"
    "void few_and_fewer (void) { for (int t = 0; t < 26; t += 2) for (int i = 0; i < 12; i++) for (int j = 0; j < 13; j++) A[i][j] += 1; }\n"
    "void enough (void) { for (int t = 0; t < 14; t++) for (int i = 11; i >= 0; i--) for (int j = 0; j <= 12; j++) A[i][j] += 1; }\n"
    "void enough_together (void) { for (int t = 0; t < 8; t++) for (int i = 0; i < 12; i++) for (int j = 0; j < 12; j++) A[i][j] += B[j][i]; }\n"
    "void tiles (int n) { for (int l = 0; l < n; l += 8) for (int i = 0; i < n; i++) for (int j = l; j < l + 8; j++) R[i][j] += 1; }\n"
    "void wide_tiles (int n) { for (int l = 0; l < n; l += 33) for (int i = 0; i < n; i++) for (int j = l; j < l + 33; j++) R[i][j] += 1; }\n"
    "void tiles_of_rows (int n) { for (int l = 0; l < n; l += 8) for (int j = 0; j < n; j++) for (int i = l; i < l + 8; i++) R[i][j] += 1; }\n"
    "void tiles_of_block (int n) { for (int l = 0; l < n; l += 8) for (int i = 0; i < n; i++) for (int j = l; j < l + 8; j++) X[i][j] += R[j][i]; }\n"
    "void ends (int n, int m) { for (int t = 0; t < n; t++) for (int l = 0; l < n; l += 8) for (int i = l + 7; i >= l; i -= 3)\n"
    "  for (int j = l; j <= (l + 7 < n ? l + 7 : n - 1); j++) for (int k = j; k < (m ? j + 4 : j + 2); k++) for (int o = j; o < j + m; o++)\n"
    "  for (int z = j + 3; z < j; z++) A[i][k] += j + o; }\n"
    "void few_in_tiles (int l) { for (int t = 0; t < 13; t++) for (int i = l; i < l + 12; i++) for (int j = l; j < l + 13; j++) A[i][j] += 1; }\n"
    "void steps (int n) { for (int t = 0; t < n; t++) for (int i = 0; i < n; i += 2) for (int j = n; j > 0; j--) A[i][j] += 1; }\n"
    "void by_variable (int n) { for (int t = 0; t < n; t++) for (int i = 0; i < n; i += n) A[i][0] += 1; }\n"
    "void until (int n) { for (int t = 0; t != n; t++) for (int i = 0; i < n; i++) A[i][0] += 1; }\n"
    "void short_variable (int n) { for (short t = 0; t < n; t++) for (int i = 0; i < n; i++) A[i][0] += 1; }\n"
    "void no_first (int n) { int t = 0; for (; t < n; t++) for (int i = 0; i < n; i++) A[i][0] += 1; }\n"
    "void shared_first (int n) { for (int t = c[0]; t < n; t++) for (int i = 0; i < n; i++) A[i][0] += 1; }\n"
    "void shared_bound (int n) { for (int t = 0; t < c[0]; t++) for (int i = 0; i < n; i++) A[i][0] += 1; }\n"
    "void inner_bound (int n) { for (int t = 0; t < n; t++) for (int i = 0; i < at[t]; i++) A[i][0] += 1; }\n"
    "void late_bound (int n) { for (int t = 0; t < n; t++) { int m = at[t]; for (int i = 0; i < m; i++) A[i][0] += 1; } }\n"
    "void two_variables (int n) { for (int t = 0, m = 3; t < n; t++) for (int i = 0; i < m; i++) A[i][0] += 1; }\n"
    "void last_value (int n) { int i; for (int t = 0; t < n; t++) { for (i = 0; i < n; i++) A[i][0] += 1; A[i][1] += 1; } }\n"
    "void by_element_pointer (int n, shared double *e) { for (int t = 0; t < n; t++) for (shared double *w = line; w < e; w++) *w += 1; }\n"
    "void forall_inside (int n) { for (int t = 0; t < n; t++) upc_forall (int i = 0; i < n; i++; i) for (int j = 0; j < n; j++)\n"
    "  A[i][j] += 1; }\n";

static struct nest *
nest_of (const char *name)
{
  return plan_for (name)->nest;
}

static int
count_arrays (const char *name)
{
  int count = 0;

  for (struct nest_array *a = nest_of (name) ? nest_of (name)->arrays : NULL; a; a = a->next)
    count++;
  return count;
}

/* The plan of the outermost loop in the state with copies. */
static struct loop *
plan_in_copies (const char *name)
{
  struct nest *nest = nest_of (name);
  struct stmt *s = plan_for (name)->stmt;
  struct loop *loop;

  assert_non_null (nest);
  exchange_state (nest->in_copies);
  loop = s->plan;
  exchange_state (nest->in_copies);
  assert_ptr_not_equal (loop, s->plan);
  return loop;
}

static void
test_elements_are_accessed_again (void **state)
{
  (void) state;
  assert_int_equal (count_arrays ("product"), 3);
  assert_int_equal (count_arrays ("by_pointers"), 3);
  assert_int_equal (count_arrays ("triangle"), 1);
  assert_int_equal (count_arrays ("with_scalar"), 3);
  assert_null (nest_of ("inner"));
  assert_null (nest_of ("transposed"));
  assert_null (nest_of ("vector_product"));
  assert_int_equal (count_arrays ("in_rows"), 1);
  assert_int_equal (count_arrays ("in_one_block"), 2);
  assert_int_equal (count_arrays ("of_characters"), 1);
}

static void
test_blocks_that_have_whole_rows_are_not_copied (void **state)
{
  (void) state;
  assert_true (nest_of ("in_whole_rows")->is_in_place);
  assert_true (nest_of ("in_large_blocks")->is_in_place);
  assert_false (nest_of ("in_split_rows")->is_in_place);
  assert_false (nest_of ("lines_again")->is_in_place);
  assert_false (nest_of ("columns")->is_in_place);
}

static void
test_tiles_of_whole_rows_are_copied (void **state)
{
  (void) state;
  assert_false (nest_of ("tiles")->is_in_place);
  assert_true (nest_of ("wide_tiles")->is_in_place);
  assert_true (nest_of ("tiles_of_rows")->is_in_place);
  assert_true (nest_of ("tiles_of_block")->is_in_place);
}

/* What the bounds tell of the number of iterations. */
static void
test_tiles_have_so_many_iterations (void **state)
{
  static const uint64_t most[] = { 0, 0, 3, 8, 2, 0, 0 };
  const struct nest_loop *loop = nest_of ("ends")->loops;

  (void) state;
  for (int i = 0; i < 7; i++, loop = loop->next)
    assert_int_equal (loop->most, most[i]);
  assert_null (loop);
  assert_null (nest_of ("few_in_tiles"));
}

static void
test_arrays_that_are_written (void **state)
{
  (void) state;
  for (struct nest_array *a = nest_of ("product")->arrays; a; a = a->next)
    assert_int_equal (a->is_written, strcmp (a->root->decl->name->text, "C") == 0);
}

static bool
is_of_copy (struct expr *e, void *count)
{
  *(int *) count += e->kind == EXPR_NAME && e->decl && e->decl->is_apart;
  return false;
}

static void
test_the_tree_has_two_states (void **state)
{
  struct loop *loop = plan_for ("product");
  int count = 0;

  (void) state;
  any_in_stmt (loop->stmt, is_of_copy, &count);
  assert_int_equal (count, 0);
  exchange_state (loop->nest->in_copies);
  any_in_stmt (loop->stmt, is_of_copy, &count);
  assert_int_equal (count, 3);
  assert_null (loop->stmt->plan->nest);
  exchange_state (loop->nest->in_copies);
  any_in_stmt (loop->stmt, is_of_copy, &count);
  assert_int_equal (count, 3);
  assert_ptr_equal (loop->stmt->plan, loop);
}

static void
test_copies_are_in_one_block_and_apart (void **state)
{
  struct loop *loop = plan_in_copies ("product");
  struct nest *nest = nest_of ("product");
  struct loop *innermost;

  (void) state;
  for (struct nest_array *a = nest->arrays; a; a = a->next)
    {
      assert_true (type_is_pts (a->copy->type));
      assert_int_equal (block_of (a->copy->type->base), 0);
      assert_int_equal (a->copy->type->base->kind, TYPE_ARRAY);
    }
  exchange_state (nest->in_copies);
  innermost = loop->stmt->then->then->plan;
  exchange_state (nest->in_copies);
  assert_true (innermost->is_independent && innermost->is_for_vectors);
  assert_int_equal (innermost->residues, 0);
  assert_null (innermost->meetings);
  /* Pointers that are no copies may lead to one array. */
  assert_false (plan_for ("product")->stmt->then->then->plan->is_independent
                && !plan_for ("product")->stmt->then->then->plan->residues);
}

/* The second loop goes down columns, in both states. */
static void
test_copies_may_have_lanes (void **state)
{
  struct nest *nest = nest_of ("columns");
  struct loop *outer = plan_for ("columns");
  struct loop *inner = outer->stmt->then->plan;

  (void) state;
  assert_non_null (inner->lanes);
  exchange_state (nest->in_copies);
  assert_ptr_not_equal (outer->stmt->then->plan, inner);
  assert_non_null (outer->stmt->then->plan->lanes);
  assert_null (outer->stmt->then->plan->lanes->meetings);
  exchange_state (nest->in_copies);
  assert_null (inner->nest);
}

static void
test_a_loop_is_in_one_nest (void **state)
{
  struct loop *deep = plan_for ("deep"), *lanes = plan_for ("lanes_around");

  (void) state;
  assert_non_null (deep->nest);
  assert_null (deep->stmt->then->plan->nest);
  exchange_state (deep->nest->in_copies);
  assert_null (deep->stmt->then->plan->nest);
  exchange_state (deep->nest->in_copies);
  assert_non_null (lanes->lanes);
  assert_null (lanes->nest);
  assert_null (lanes->lanes->body->plan->nest);
  assert_null (lanes->stmt->then->plan->nest);
}

static void
test_indexes_have_ranges (void **state)
{
  (void) state;
  assert_non_null (nest_of ("plain"));
  assert_non_null (nest_of ("of_line"));
  assert_non_null (nest_of ("squared"));
  assert_non_null (nest_of ("converted"));
  assert_non_null (nest_of ("chosen"));
  assert_non_null (nest_of ("by_global"));
  assert_null (nest_of ("changes_global"));
  assert_null (nest_of ("scattered"));
  assert_null (nest_of ("divided"));
  assert_null (nest_of ("narrow"));
  assert_null (nest_of ("shared_index"));
  assert_null (nest_of ("last_value"));
}

static void
test_arrays_that_copies_may_have (void **state)
{
  (void) state;
  assert_non_null (nest_of ("threads_behind"));
  assert_null (nest_of ("of_wide"));
  assert_null (nest_of ("of_records"));
  assert_null (nest_of ("is_strict"));
  assert_null (nest_of ("of_volatile"));
  assert_null (nest_of ("of_scalar"));
  assert_null (nest_of ("of_pointers"));
  assert_null (nest_of ("of_shared_pointers"));
  assert_null (nest_of ("of_address"));
  assert_null (nest_of ("changed_pointer"));
  assert_null (nest_of ("named_pointer"));
  assert_null (nest_of ("own_pointer"));
  assert_int_equal (count_arrays ("many"), 8);
  assert_null (nest_of ("too_many"));
  assert_non_null (nest_of ("many_accesses"));
  assert_null (nest_of ("too_many_accesses"));
}

static void
test_what_else_is_done (void **state)
{
  (void) state;
  assert_null (nest_of ("reads_volatile"));
  assert_non_null (nest_of ("math_calls"));
  assert_null (nest_of ("pure_calls"));
  assert_null (nest_of ("calls"));
  assert_non_null (nest_of ("stops"));
  assert_null (nest_of ("returns"));
  assert_null (nest_of ("waits"));
  assert_null (nest_of ("has_while"));
  assert_null (nest_of ("labelled"));
  assert_null (nest_of ("with_asm"));
  assert_null (nest_of ("with_static"));
  assert_null (nest_of ("with_pointer"));
  assert_null (nest_of ("statement"));
  assert_non_null (nest_of ("sized"));
  assert_null (nest_of ("sizes_shared"));
}

static void
test_private_pointers_may_lead_to_shared_data (void **state)
{
  (void) state;
  assert_non_null (nest_of ("of_table"));
  assert_non_null (nest_of ("to_table"));
  assert_null (nest_of ("by_private_pointer"));
  assert_null (nest_of ("to_private_pointer"));
  assert_null (nest_of ("to_bytes"));
  assert_null (nest_of ("characters_too"));
  assert_non_null (nest_of ("of_integers"));
  assert_null (nest_of ("by_arrow"));
  assert_null (nest_of ("pointed"));
}

static void
test_headers (void **state)
{
  (void) state;
  assert_non_null (nest_of ("steps"));
  assert_null (nest_of ("by_variable"));
  assert_null (nest_of ("until"));
  assert_null (nest_of ("short_variable"));
  assert_null (nest_of ("no_first"));
  assert_null (nest_of ("shared_first"));
  assert_null (nest_of ("shared_bound"));
  assert_null (nest_of ("inner_bound"));
  assert_null (nest_of ("late_bound"));
  assert_null (nest_of ("two_variables"));
  assert_null (nest_of ("by_element_pointer"));
}

static void
test_short_nests_are_not_worth_while (void **state)
{
  (void) state;
  assert_null (nest_of ("few"));
  assert_null (nest_of ("few_and_fewer"));
  assert_non_null (nest_of ("enough"));
  assert_non_null (nest_of ("enough_together"));
}

static void
test_the_outermost_loop_may_be_a_forall (void **state)
{
  (void) state;
  assert_int_equal (count_arrays ("forall"), 1);
  assert_int_equal (count_arrays ("forall_by_integer"), 1);
  assert_null (nest_of ("forall_of_all"));
  assert_null (nest_of ("forall_that_continues"));
  assert_null (nest_of ("forall_by_element"));
  assert_null (nest_of ("forall_that_counts"));
  assert_null (nest_of ("forall_inside"));
}

static bool
has_checks (const struct stmt *nest)
{
  return nest->then->then->plan->certain;
}

static void
test_copies_are_not_checked (void **state)
{
  struct loop *loop;

  (void) state;
  switches.check = true;
  loop = plan_for ("checked");
  assert_true (switches.check && has_checks (loop->stmt));
  exchange_state (loop->nest->in_copies);
  assert_false (has_checks (loop->stmt));
  exchange_state (loop->nest->in_copies);
  switches.check = false;
}

static void
test_switches (void **state)
{
  static const struct
  {
    bool *is_on;
    const char *function;
  } without[] = { { &switches.network, "of_processes" },
                  { &switches.race, "raced" },
                  { &switches.plugin, "plugged" } };

  (void) state;
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    {
      *without[i].is_on = true;
      assert_null (nest_of (without[i].function));
      *without[i].is_on = false;
    }
  switches.threads = 1;
  assert_null (nest_of ("alone"));
  switches.threads = 4;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_elements_are_accessed_again),
    cmocka_unit_test (test_blocks_that_have_whole_rows_are_not_copied),
    cmocka_unit_test (test_tiles_of_whole_rows_are_copied),
    cmocka_unit_test (test_tiles_have_so_many_iterations),
    cmocka_unit_test (test_arrays_that_are_written),
    cmocka_unit_test (test_the_tree_has_two_states),
    cmocka_unit_test (test_copies_are_in_one_block_and_apart),
    cmocka_unit_test (test_copies_may_have_lanes),
    cmocka_unit_test (test_a_loop_is_in_one_nest),
    cmocka_unit_test (test_indexes_have_ranges),
    cmocka_unit_test (test_arrays_that_copies_may_have),
    cmocka_unit_test (test_what_else_is_done),
    cmocka_unit_test (test_private_pointers_may_lead_to_shared_data),
    cmocka_unit_test (test_headers),
    cmocka_unit_test (test_short_nests_are_not_worth_while),
    cmocka_unit_test (test_the_outermost_loop_may_be_a_forall),
    cmocka_unit_test (test_copies_are_not_checked),
    cmocka_unit_test (test_switches),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
