/* The planner: strips that AddressSanitizer is asked about once, as functions of their own. */

#include "tests/unit/upc2c/planned.h"

/* A function for each question: a loop is planned once. */
const char source[] = PLANNED_DECLARATIONS
    "shared [] double bd[1000]; shared [] short shorts[1000]; shared [] volatile int bv[1000];\n"
    "strict shared [] int st[1000]; \n"
    "struct pair { int x, y; } one; shared [] struct pair records[1000], others[1000]; shared [] volatile struct pair volatile_records[1000]; struct record { double x[3], y; }; shared [] int *shared [] links[1000];\n"
    "shared [] struct { int x, y[63]; } large[1000]; shared [] struct { int x, y[64]; } larger[1000];\n"
    "shared [] struct { int f : 3; } fields[1000]; shared [] struct { int x[4]; } long_records[1000]; shared [] struct { float f; struct { int x, y[3]; } r[2]; } deep[1000]; shared [] int *indefinite, **to; shared [] int *volatile moving;\n"
    "shared [48] double A[48 * THREADS][48], B[48 * THREADS][48], C[48 * THREADS][48]; shared [] int *ptrs[9]; shared [16] double D[8 * THREADS][16], E[8 * THREADS][16];\n"
    "shared [] int e[1000], g[1000];\n"
    "volatile int v; _Atomic int atom; _Thread_local int mine; int sum; int *private; double d; _Bool flags;\n"
    "static inline int square (int x) { return x * x; } shared [] int rows[8][125]; shared double cyclic[1000 * THREADS];\n"
    "void middles (int n, int k) { int i; upc_forall (i = 1; i < n; i++; &a[i]) a[i] = b[i + 1]; }\n"
    "void phases (int n, int k) { int i; upc_forall (i = 1; i < n; i++; &four[i]) four[i] = fours2[i - 1]; }\n"
    "void store (int n, int k) { for (int i = 0; i < n; i++) { e[i] = k; } }\n"
    "void plain (int n, int k) { for (int i = 0; i < n; i++) { e[i] = k; } }\n"
    "void checked (int n, int k) { for (int i = 0; i < n; i++) { e[i] = k; } }\n"
    "void raced (int n, int k) { for (int i = 0; i < n; i++) { e[i] = k; } }\n"
    "void in_processes (int n, int k) { for (int i = 0; i < n; i++) { e[i] = k; } }\n"
    "void profiled (int n, int k) { for (int i = 0; i < n; i++) { e[i] = k; } }\n"
    "void load_and_store (int n, int k) { for (int i = 0; i < n; i++) { g[i] = e[i] * k + THREADS - MYTHREAD; } }\n"
    "void update (int n, int k) { for (int i = 0; i < n; i++) { e[i] += i; } }\n"
    "void step (int n, int k) { for (int i = 0; i < n; i++) { e[i]++; } }\n"
    "void local (int n, int k) { for (int i = 0; i < n; i++) { int x = g[i], y; y = x; y++; e[i] = y; } }\n"
    "void local_static (int n, int k) { for (int i = 0; i < n; i++) { static int x; e[i] = x++; } }\n"
    "void local_array (int n, int k) { for (int i = 0; i < n; i++) { int x[2]; x[i & 1] = 1; e[i] = 1; } }\n"
    "void local_volatile (int n, int k) { for (int i = 0; i < n; i++) { volatile int x = 1; e[i] = 1; } }\n"
    "void local_pointer (int n, int k) { for (int i = 0; i < n; i++) { int *x = &k; e[i] = 1; } }\n"
    "void local_function (int n, int k) { for (int i = 0; i < n; i++) { int g (void); e[i] = 1; } }\n"
    "void condition (int n, int k) { for (int i = 0; i < n; i++) { if (g[i]) e[i] = g[i]; else e[i] = k ? 2 : -k && i; } }\n"
    "void comma (int n, int k) { for (int i = 0; i < n; i++) { e[i] = (g[i], 3); } }\n"
    "void math (int n, int k) { for (int i = 0; i < n; i++) { bd[i] = sqrt (bd[i]); } }\n"
    "void math_of_private (int n, int k) { for (int i = 0; i < n; i++) { bd[i] = sqrt (*private); } }\n"
    "void inline_call (int n, int k) { for (int i = 0; i < n; i++) { e[i] = square (g[i]); } }\n"
    "void pure_call (int n, int k) { for (int i = 0; i < n; i++) { e[i] = pure (g[i]); } }\n"
    "void any_call (int n, int k) { for (int i = 0; i < n; i++) { f (); e[i] = 1; } }\n"
    "void function_name (int n, int k) { for (int i = 0; i < n; i++) { e[i] = sizeof __func__; } }\n"
    "void function_name_in_sum (int n, int k) { for (int i = 0; i < n; i++) { e[i] = 1 + sizeof __func__; } }\n"
    "void size (int n, int k) { for (int i = 0; i < n; i++) { e[i] = sizeof k; } }\n"
    "void reads_global (int n, int k) { for (int i = 0; i < n; i++) { e[i] = sum; } }\n"
    "void stores_global (int n, int k) { for (int i = 0; i < n; i++) { sum += e[i]; } }\n"
    "void stores_thread_local (int n, int k) { for (int i = 0; i < n; i++) { mine += e[i]; } }\n"
    "void reads_volatile (int n, int k) { for (int i = 0; i < n; i++) { e[i] = v; } }\n"
    "void reads_atomic (int n, int k) { for (int i = 0; i < n; i++) { e[i] = atom; } }\n"
    "void reads_private (int n, int k) { for (int i = 0; i < n; i++) { e[i] = own[i]; } }\n"
    "void reads_pointed (int n, int k) { for (int i = 0; i < n; i++) { e[i] = *private; } }\n"
    "void stores_private (int n, int k) { for (int i = 0; i < n; i++) { own[i] = e[i]; } }\n"
    "void stores_pointed (int n, int k) { for (int i = 0; i < n; i++) { *private = e[i]; } }\n"
    "void stores_parameter (int n, int k) { for (int i = 0; i < n; i++) { k = e[i]; } }\n"
    "void stores_volatile (int n, int k) { for (int i = 0; i < n; i++) { v = e[i]; } }\n"
    "void of_volatile (int n, int k) { for (int i = 0; i < n; i++) { e[i] = bv[i]; } }\n"
    "void to_volatile (int n, int k) { for (int i = 0; i < n; i++) { bv[i] = 1; } }\n"
    "void is_strict (int n, int k) { for (int i = 0; i < n; i++) { st[i] = 1; } }\n"
    "void of_records (int n, int k) { for (int i = 0; i < n; i++) { e[i] = records[i].x; } }\n"
    "void to_records (int n, int k) { for (int i = 0; i < n; i++) { records[i].x = 1; } }\n"
    "void inside_records (int n, int k) { for (int i = 0; i < n; i++) { long_records[i].x[k] = 1; } }\n"
    "void inside_by_constant (int n, int k) { for (int i = 0; i < n; i++) { long_records[i].x[3] = long_records[i].x[0]; } }\n"
    "void behind_member (int n, int k) { for (int i = 0; i < n; i++) { long_records[i].x[4] = 1; } }\n"
    "void before_member (int n, int k) { for (int i = 0; i < n; i++) { long_records[i].x[-1] = 1; } }\n"
    "void nested_members (int n, int k) { for (int i = 0; i < n; i++) { deep[i].r[1].y[2] += deep[i].f; } }\n"
    "void to_fields (int n, int k) { for (int i = 0; i < n; i++) { fields[i].f = 1; } }\n"
    "void of_pointers (int n, int k) { for (int i = 0; i < n; i++) { e[i] = ptrs[0][i]; } }\n"
    "void scattered (int n, int k) { for (int i = 0; i < n; i++) { e[g[i]] = 1; } }\n"
    "void stops (int n, int k) { for (int i = 0; i < n; i++) { if (g[i]) break; e[i] = 1; } }\n"
    "void goes_on (int n, int k) { for (int i = 0; i < n; i++) { if (g[i]) continue; e[i] = 1; } }\n"
    "void ends (int n, int k) { for (int i = 0; i < n; i++) { if (g[i]) return; e[i] = 1; } }\n"
    "void switches (int n, int k) { for (int i = 0; i < n; i++) { switch (k) { default: e[i] = 1; } } }\n"
    "void label (int n, int k) { for (int i = 0; i < n; i++) { e[i] = 1; there: ; } }\n"
    "void inner_loop (int n, int k) { for (int i = 0; i < n; i++) { for (int j = 0; j < 3; j++) e[i] = 1; } }\n"
    "void counts_members (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 4; j++) long_records[i].x[j] = 1; } }\n"
    "void counts_outside (int n) { int j; for (int i = 0; i < n; i++) { for (j = 3; j >= 0; j--) long_records[i].x[j] = 1; } }\n"
    "void counts_by_twos (int n) { for (int i = 0; i < n; i++) { for (int j = 1; j < 4; j += 2) long_records[i].x[j] = 1; } }\n"
    "void counts_apart (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 3; j++) long_records[i].x[j + 1] = long_records[i].x[(j)]; } }\n"
    "void counts_back (int n) { for (int i = 0; i < n; i++) { for (int j = 1; j < 5; j++) long_records[i].x[j - 1] = 1; } }\n"
    "void counts_inside (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 2; j++) for (int m = 0; m < 3; m++) deep[i].r[j].y[m] = 1; } }\n"
    "void counts_behind (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 5; j++) long_records[i].x[j] = 1; } }\n"
    "void counts_behind_by_two (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 5; j += 4) long_records[i].x[j] = 1; } }\n"
    "void counts_down_behind (int n) { for (int i = 0; i < n; i++) { for (int j = 4; j > 1; j--) long_records[i].x[j] = 1; } }\n"
    "void counts_apart_behind (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 4; j++) long_records[i].x[j + 1] = 1; } }\n"
    "void counts_before (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 4; j++) long_records[i].x[j - 1] = 1; } }\n"
    "void counts_down_before (int n) { for (int i = 0; i < n; i++) { for (int j = 3; j >= -1; j--) long_records[i].x[j] = 1; } }\n"
    "void counts_to_any (int n, int k) { for (int i = 0; i < n; i++) { for (int j = 0; j < k; j++) long_records[i].x[j] = 1; } }\n"
    "void counts_other (int n, int k) { for (int i = 0; i < n; i++) { for (int j = 0; j < 4; j++) long_records[i].x[k] = 1; } }\n"
    "void counts_and_changes (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 4; j++) { long_records[i].x[j] = 1; j = 9; } } }\n"
    "void counts_private (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 4; j++) own[j] = e[i]; } }\n"
    "void counts_stored (int n) { for (int i = 0; i < n; i++) { for (sum = 0; sum < 4; sum++) e[i] = 1; } }\n"
    "void counts_planned (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < 400; j++) g[j] += e[i]; } }\n"
    "void counts_and_declares (int n) { for (int i = 0; i < n; i++) { for (int j = 0, m = own[1]; j < 4; j++) e[i] = m; } }\n"
    "void copies_records (int n) { for (int i = 0; i < n; i++) { records[i] = others[i + 1]; e[i] = 1; } }\n"
    "void copies_members (int n) { for (int i = 0; i < n; i++) { deep[i].r[0] = deep[i].r[1]; e[i] = 1; } }\n"
    "void copies_volatile (int n) { for (int i = 0; i < n; i++) { volatile_records[i] = others[i]; e[i] = 1; } }\n"
    "void copies_private (int n) { for (int i = 0; i < n; i++) { records[i] = one; e[i] = 1; } }\n"
    "void copies_to_private (int n) { for (int i = 0; i < n; i++) { one = records[i]; e[i] = 1; } }\n"
    "void gathers (int n) { int s = 0; for (int i = 0; i < n; i++) s += four[g[i]]; }\n"
    "void gathers_by_pointer (int n, shared [4] int *p) { int s = 0; for (int i = 0; i < n; i++) s += p[g[i]]; }\n"
    "void gathers_again (int n, shared [4] int *p) { int s = 0; for (int i = 0; i < n; i++) s += p[g[i]] + p[e[i]] + four[g[i]] + four[e[i]]; }\n"
    "void gathers_members (int n) { int s = 0; for (int i = 0; i < n; i++) s += records[g[i]].y; }\n"
    "void gathers_gathered (int n) { int s = 0; for (int i = 0; i < n; i++) s += four[four[g[i]]]; }\n"
    "void gathers_in_counts (int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s += four[g[i]] + j; }\n"
    "void finds_most (int n) { int k = 0; for (int i = 0; i < n; i++) if (big[i] > big[k]) k = i; }\n"
    "void gathers_and_stores (int n) { for (int i = 0; i < n; i++) e[i] = four[g[i]]; }\n"
    "void gathers_privately (int n) { int s = 0; for (int i = 0; i < n; i++) s += e[i] + four[own[i]]; }\n"
    "void gathers_rows (int n) { double s = 0; for (int i = 0; i < n; i++) s += A[g[i]][e[i]]; }\n"
    "void gathers_volatile (int n) { int s = 0; for (int i = 0; i < n; i++) s += bv[g[i]]; }\n"
    "void gathers_strict (int n) { int s = 0; for (int i = 0; i < n; i++) s += st[g[i]]; }\n"
    "void gathers_fields (int n) { int s = 0; for (int i = 0; i < n; i++) s += fields[g[i]].f; }\n"
    "void gathers_moved (int n) { int s = 0; for (int i = 0; i < n; i++) s += moving[g[i]]; }\n"
    "void gathers_by_member (int n, struct { shared [] int *p; } x) { int s = 0; for (int i = 0; i < n; i++) s += x.p[g[i]]; }\n"
    "void gathers_by_element (int n) { int s = 0; for (int i = 0; i < n; i++) s += ptrs[2][g[i]]; }\n"
    "void gathers_by_two (int n, shared [4] int *p, shared [4] int *t) { int s = 0; for (int i = 0; i < n; i++) s += p[g[i]] + t[g[i]]; }\n"
    "void gathers_and_stays (int n) { int s = 0; for (int i = 0; i < n; i++) s += four[g[i]] + four[n]; }\n"
    "void gathers_by_each (int n) { int s = 0; for (int i = 0; i < n; i++) s += links[i][g[i]]; }\n"
    "void copies_scattered (int n) { for (int i = 0; i < n; i++) { records[g[i]] = others[i]; e[i] = 1; } }\n"
    "void copies_from_scattered (int n) { for (int i = 0; i < n; i++) { records[i] = others[g[i]]; e[i] = 1; } }\n"
    "void copies_pointers (int n) { for (int i = 0; i < n; i++) { links[i] = links[i + 1]; e[i] = 1; } }\n"
    "void walks_in_body (int n, shared [] int *p) { for (int i = 0; i < n; i++) { *p = 1; p++; } }\n"
    "void calls_first (int n, shared [] int *p) { for (int i = 0; i < n; f (), i++, p++) *p = 1; }\n"
    "void stores_in_header (int n, int j) { for (int i = 0; i < n; i++, j = 2) e[i] = j; }\n"
    "void large_records (int n) { for (int i = 0; i < n; i++) large[i].x = 1; }\n"
    "void larger_records (int n) { for (int i = 0; i < n; i++) larger[i].x = 1; }\n"
    "void every_other_record (int n) { for (int i = 0; i < n; i++) large[2 * i].x = 1; }\n"
    "void cyclic_elements (int n, int k) { for (int i = 0; i < n; i++) { if (i == k) cyclic[i] += 1; } }\n"
    "void walks_by_value (int n, shared [] int *p) { for (int i = 0; i < n; i++) *p++ += (long) p; }\n"
    "void walks_cyclic (int n, shared double *p) { for (int i = 0; i < n; i++) *p++ = n; }\n"
    "void walks_records (int n, shared struct record *p) { for (int i = 0; i < n; i++, p++) { for (int j = 0; j < 3; j++) p->x[j] += p->y; } }\n"
    "void walks_strict (int n, strict shared [] int *p) { for (int i = 0; i < n; i++) *p++ = 1; }\n"
    "void steps_in_parts (int n, shared [] int *p, shared [] int *q) { for (int i = 0; i < n; p++, i++, q++) *p = *q; }\n"
    "void calls_in_header (int n, shared [] int *p) { for (int i = 0; i < n; p++, i++, f ()) *p = 1; }\n"
    "void moves_in_body (int n, int j) { for (int i = 0; i < n; i++) { e[j] = i; j++; } }\n"
    "void blocks_and_cyclic (int n) { for (int i = 0; i < n; i++) cyclic[i] = big[i]; }\n"
    "void statement_expression (int n, int k) { for (int i = 0; i < n; i++) { e[i] = ({ k; }); } }\n"
    "void by_asm (int n, int k) { for (int i = 0; i < n; i++) { e[i] = 1; __asm__ (\"\"); } }\n"
    "void by_fence (int n, int k) { for (int i = 0; i < n; i++) { e[i] = 1; upc_fence; } }\n"
    "void down (int n, int k) { for (int i = 0; i < n; i++) { e[999 - i] = 1; } }\n"
    "void close (int n, int k) { for (int i = 0; i < n; i++) { shorts[32 * i] = 1; } }\n"
    "void apart (int n, int k) { for (int i = 0; i < n; i++) { shorts[33 * i] = 1; } }\n"
    "void far_down (int n, int k) { for (int i = 0; i < n; i++) { shorts[999 - 33 * i] = 1; } }\n"
    "void indefinitely (int n, int k) { for (int i = 0; i < n; i++) { indefinite[i] = 1; } }\n"
    "void moved (int n, int k) { for (int i = 0; i < n; i++) { moving[i] = 1; } }\n"
    "void own_bool (int n, int k) { for (int i = 0; i < n; i++) { _Bool b = g[i]; e[i] = b; } }\n"
    "void declares_private (int n, int k) { for (int i = 0; i < n; i++) { int x = own[i]; e[i] = x; } }\n"
    "void stores_private_else (int n, int k) { for (int i = 0; i < n; i++) { if (k) e[i] = 1; else own[i] = 1; } }\n"
    "void declares_type (int n, int k) { for (int i = 0; i < n; i++) { typedef long wide; wide x = g[i]; e[i] = (int) x; } }\n"
    "void walks_around (int n, shared [] int *p) { for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) e[j] = p[0]; p++; } }\n"
    "void nest_apart (int n) { for (int i = 0; i < n; i++) { e[100 * i] = 0; for (int j = 0; j < n; j++) g[j] += e[100 * i]; } }\n"
    "void sums_by_rounds (int n) { double s = 0; for (int i = MYTHREAD; i < n; i += THREADS) s += cyclic[i]; }\n"
    "void others_by_two (int n) { upc_forall (int i = 0; i < n; i += 2; &big[i]) e[i] = n + 1; }\n"
    "void windowed (int n) { for (int i = 1; i < n; i++) four[i] = fours2[i - 1] + fours2[i + 1]; }\n"
    "void block_to_block (int n) { for (int i = 2; i < n; i++) e[i] = (int) cyclic[i] + e[i - 2]; }\n"
    "void nest_by_two (int n) { upc_forall (int i = 0; i < n; i += 2; &big[i]) { big[i] = 0; for (int j = 0; j < n; j++) e[j] += big[i]; } }\n"
    "void reads_bool (int n, _Bool b) { for (int i = 0; i < n; i++) e[i] = b; }\n"
    "void sums (int n) { int s = 0; for (int i = 0; i < n; i++) s += e[i]; }\n"
    "void sums_and_reads (int n, int t) { int s = 0; for (int i = 0; i < n; i++) { s += e[i]; e[i] = s + t; } }\n"
    "void steps_twice (int n, int j) { for (int i = 0; i < n; i++, j++) e[i] = j; }\n"
    "void walks (int n, shared [] int *p) { for (int i = 0; i < n; i++) *p++ = 1; }\n"
    "void walks_in_header (int n, shared [] int *p) { for (int i = 0; i < n; p++, i++) *p = 1; }\n"
    "void by_pointer (shared [1000] int *p) { for (; p < big + 900; p++) p[0] = 1; }\n"
    "void unbounded (int n) { for (int i = 0; e[i]; i++) e[i] = 0; }\n"
    "void counted_down (int n) { for (int i = 0; n--; i++) e[i] = 1; }\n"
    "void by_step (int n, int s) { for (int i = 0; i < n; i += s) e[i] = 1; }\n"
    "void by_threes (int n) { for (int i = 0; i < n; i += 3) e[i] = e[i - 1]; }\n"
    "void crossing (int n) { for (int i = 0; i < n; i++) big[i] = i; }\n"
    "void sums_crossing (int n) { double s = 0; for (int i = 0; i < n; i++) s += big[i]; }\n"
    "void carries (int n) { for (int i = 1; i < n; i++) e[i] = e[i - 1] + 1; }\n"
    "void copies (int n) { for (int i = 0; i < n; i++) e[i] = g[i]; }\n"
    "void owned (int n) { upc_forall (int i = 0; i < n; i++; &big[i]) big[i] = vast[i] + 1; }\n"
    "void owned_by_two (int n) { upc_forall (int i = 0; i < n; i += 2; &big[i]) big[i] = vast[i] + 1; }\n"
    "void owned_by_pointer () { shared [1000] int *p; upc_forall (p = big; p < big + 900; p++; p) p[0] = 1; }\n"
    "void nest (int n) { for (int i = 0; i < n; i++) { int x = e[i]; for (int j = 0; j < n; j++) g[j] += e[i]; } }\n"
    "void blocks_around (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) bd[j] += A[i][0]; }\n"
    "void owned_rows (int n) { int i, j; upc_forall (i = 0; i < n; i++; &D[i][0]) for (j = 1; j < 15; j++) D[i][j] = D[i][j] + 1; }\n"
    "void nest_of_rows (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) D[i][j] = E[i][j] + 1; }\n"
    "void rows_by_pointer (int n, shared [] int (*p)[100]) { for (int i = 0; i < n; i++) for (int j = 0; j < 100; j++) p[i][j] += 1; }\n"
    "void rows_by_pointers (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < 100; j++) to[i][j] += 1; }\n"
    "void columns_apart (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) e[10 * i + j] += 1; }\n"
    "void rows_in_blocks (int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) big[m * i + j] += 1; }\n"
    "void rows_of (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < 125; j++) rows[i][j] += 1; }\n"
    "void lanes (int n, int i) { for (int j = 0; j < n; j++) { double x = 0; for (int k = 0; k < n; k++)\n"
    "  x += A[i][k] * B[k][j]; C[i][j] = x; } }\n";

/* Plans the function as for AddressSanitizer: its outermost loop. */
static struct loop *
plan_outlined (const char *name)
{
  struct loop *loop;

  switches.outlines = true;
  loop = plan_for (name);
  switches.outlines = false;
  return loop;
}

/* Of a loop of which a tool is told some iterations: the rest. */
static bool
is_outlined (const char *name)
{
  struct loop *loop = plan_outlined (name);

  return loop->stmt->sampled ? loop->stmt->sampled->quiet->plan->is_outlined : loop->is_outlined;
}

static void
check_each (bool is_wanted, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (is_outlined (names[i]) != is_wanted)
      fail_msg ("%s", names[i]);
}

#define CHECK_EACH(is_wanted, ...)                             \
  check_each (is_wanted, (const char *const[]){ __VA_ARGS__ }, \
              sizeof (const char *const[]){ __VA_ARGS__ } / sizeof (const char *))
#define assert_outlined(...) CHECK_EACH (true, __VA_ARGS__)
#define assert_left(...) CHECK_EACH (false, __VA_ARGS__)

/* How many references, and variables, the strip uses. */
static int
count_used (const struct loop *loop, bool is_reference)
{
  int count = 0;

  for (const struct outlined *o = loop->outlined; o; o = o->next)
    {
      assert_true ((o->reference != NULL) != (o->decl != NULL));
      count += (o->reference != NULL) == is_reference;
    }
  return count;
}

static const struct outlined *
variable_named (const struct loop *loop, const char *name)
{
  const struct outlined *o = loop->outlined;

  while (o && !(o->decl && strcmp (o->decl->name->text, name) == 0))
    o = o->next;
  return o;
}

static void
test_strips_of_elements_and_scalars (void **state)
{
  struct loop *loop = plan_outlined ("load_and_store");

  (void) state;
  assert_true (loop->is_outlined);
  assert_int_equal (count_used (loop, true), 2);
  assert_int_equal (count_used (loop, false), 1);
  assert_false (variable_named (loop, "k")->is_stored);
  assert_outlined ("store", "update", "step", "condition", "comma", "down", "indefinitely", "size");
}

static void
test_without_the_sanitizer_there_are_none (void **state)
{
  (void) state;
  assert_false (plan_for ("plain")->is_outlined);
}

static void
test_other_instruments_forbid_it (void **state)
{
  bool *const instruments[] = { &switches.check, &switches.race, &switches.network,
                                &switches.profile.is_on };
  static const char *const names[] = { "checked", "raced", "in_processes", "profiled" };

  (void) state;
  for (int i = 0; i < 4; i++)
    {
      *instruments[i] = true;
      assert_false (is_outlined (names[i]));
      *instruments[i] = false;
    }
}

static void
test_what_the_body_declares (void **state)
{
  (void) state;
  assert_true (is_outlined ("local"));
  assert_int_equal (count_used (plan_for ("local"), false), 0);
  assert_outlined ("own_bool", "declares_type");
  assert_left ("local_static", "local_array", "local_volatile", "local_pointer", "local_function");
}

static void
test_private_memory_is_checked (void **state)
{
  (void) state;
  assert_true (is_outlined ("reads_global"));
  assert_left ("reads_private", "reads_pointed", "stores_private", "stores_pointed",
               "stores_private_else", "declares_private", "math_of_private");
}

static void
test_what_is_stored_is_local (void **state)
{
  struct loop *loop = plan_outlined ("sums_and_reads");

  (void) state;
  assert_true (loop->is_outlined);
  assert_true (variable_named (loop, "s")->is_stored);
  assert_false (variable_named (loop, "t")->is_stored);
  assert_outlined ("sums", "stores_parameter");
  assert_left ("stores_global", "stores_thread_local", "reads_volatile", "reads_atomic",
               "stores_volatile", "reads_bool");
}

static void
test_shared_data_is_elements_in_strips (void **state)
{
  (void) state;
  assert_left ("of_volatile", "to_volatile", "is_strict", "to_fields");
  assert_true (is_outlined ("of_pointers"));
  assert_left ("scattered", "moved");
  assert_true (is_outlined ("close"));
  assert_left ("apart", "far_down");
}

static void
test_members_of_elements (void **state)
{
  (void) state;
  assert_outlined ("of_records", "to_records", "inside_by_constant", "nested_members");
  assert_left ("inside_records", "behind_member", "before_member");
}

static void
test_only_calls_of_math (void **state)
{
  (void) state;
  assert_true (is_outlined ("math"));
  assert_left ("inline_call", "pure_call", "any_call");
}

static void
test_names_of_the_function (void **state)
{
  (void) state;
  assert_left ("function_name", "function_name_in_sum");
}

static void
test_control_flow (void **state)
{
  (void) state;
  assert_left ("stops", "goes_on", "ends", "switches", "label", "statement_expression", "by_asm",
               "by_fence");
}

/* How many arguments are of the kind that MEMBER, the place of one in struct outlined, has. */
static int
count_means (const struct loop *loop, size_t member)
{
  int count = 0;

  for (const struct outlined *o = loop->outlined; o; o = o->next)
    count += *(void *const *) ((const char *) o + member) != NULL;
  return count;
}

static void
test_elements_here_and_there (void **state)
{
  struct loop *loop = plan_outlined ("gathers");

  (void) state;
  assert_true (loop->is_outlined);
  assert_int_equal (count_means (loop, offsetof (struct outlined, tabled)), 1);
  loop = plan_outlined ("gathers_by_pointer");
  assert_true (loop->is_outlined);
  assert_non_null (variable_named (loop, "p"));
  assert_int_equal (count_means (loop, offsetof (struct outlined, start)), 1);
  loop = plan_outlined ("gathers_again");
  assert_true (loop->is_outlined);
  assert_int_equal (count_means (loop, offsetof (struct outlined, tabled)), 2);
  assert_int_equal (count_means (loop, offsetof (struct outlined, start)), 1);
  loop = plan_outlined ("gathers_by_two");
  assert_true (loop->is_outlined);
  assert_int_equal (count_means (loop, offsetof (struct outlined, start)), 2);
  loop = plan_outlined ("finds_most");
  assert_true (loop->is_outlined);
  assert_int_equal (count_means (loop, offsetof (struct outlined, recent)), 1);
  assert_outlined ("gathers_members", "gathers_gathered", "gathers_in_counts", "gathers_by_member",
                   "gathers_by_element");
  assert_left ("gathers_and_stores", "gathers_privately", "gathers_rows", "gathers_volatile",
               "gathers_strict", "gathers_fields", "gathers_moved", "gathers_by_each",
               "gathers_and_stays");
}

static void
test_inner_loops (void **state)
{
  (void) state;
  assert_outlined ("inner_loop", "counts_members", "counts_outside", "counts_by_twos",
                   "counts_apart", "counts_back", "counts_inside");
  assert_left ("counts_behind", "counts_behind_by_two", "counts_down_behind", "counts_apart_behind",
               "counts_before", "counts_down_before", "counts_to_any", "counts_other");
  assert_left ("counts_and_changes", "counts_private", "counts_stored", "counts_planned",
               "counts_and_declares");
}

static void
test_copies_of_records (void **state)
{
  (void) state;
  assert_outlined ("copies_records", "copies_members", "copies_pointers");
  assert_left ("copies_from_scattered", "copies_volatile", "copies_private", "copies_to_private",
               "copies_scattered");
}

static void
test_elements_are_close (void **state)
{
  (void) state;
  assert_outlined ("large_records", "cyclic_elements");
  assert_left ("larger_records", "every_other_record");
}

static void
test_walks (void **state)
{
  struct loop *loop = plan_outlined ("walks");

  (void) state;
  assert_true (loop->is_outlined);
  assert_false (variable_named (loop, "p")->is_stored);
  assert_outlined ("walks_in_header", "by_pointer", "walks_cyclic", "walks_records",
                   "walks_in_body", "steps_in_parts");
  assert_left ("walks_by_value", "walks_strict", "calls_in_header", "calls_first",
               "stores_in_header");
  loop = plan_outlined ("counted_down");
  assert_true (loop->is_outlined);
  assert_false (variable_named (loop, "n")->is_stored);
}

static void
test_headers (void **state)
{
  (void) state;
  assert_left ("steps_twice", "moves_in_body", "unbounded", "by_step");
  assert_outlined ("by_threes", "owned");
  assert_left ("owned_by_two", "owned_by_pointer", "others_by_two");
  assert_true (is_outlined ("sums_by_rounds"));
}

static void
test_forms_of_strips (void **state)
{
  (void) state;
  struct loop *loop = plan_outlined ("crossing");

  assert_true (loop->crosses_blocks && loop->is_independent && loop->is_outlined);
  assert_null (variable_named (loop, "i"));
  loop = plan_outlined ("sums_crossing");
  assert_true (loop->crosses_blocks && !loop->is_independent && loop->is_outlined);
  assert_null (variable_named (loop, "i"));
  assert_left ("carries", "windowed", "middles");
  assert_true (is_outlined ("phases"));
  assert_true (is_outlined ("block_to_block"));
  assert_left ("blocks_and_cyclic", "copies");
}

/* The loop inside of the outermost one of the function. */
static struct loop *
inner_loop (const char *name)
{
  struct stmt *s = plan_outlined (name)->stmt->then;
  struct loop *loop = NULL;

  any_stmt (s, is_loop, &loop);
  assert_non_null (loop);
  return loop;
}

static void
test_elements_of_loops_around (void **state)
{
  struct loop *loop = inner_loop ("nest");
  int around = 0;

  (void) state;
  assert_true (loop->is_outlined);
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    around += o->loop && o->loop != loop;
  assert_int_equal (around, 1);
  assert_true (inner_loop ("rows_of")->is_outlined);
  assert_true (inner_loop ("nest_apart")->is_outlined);
  assert_true (inner_loop ("blocks_around")->is_outlined);
  assert_true (inner_loop ("walks_around")->is_outlined);
  assert_false (inner_loop ("nest_by_two")->is_outlined);
}

static void
test_rows_that_are_near (void **state)
{
  static const char *const near[] = { "rows_of", "owned_rows", "rows_by_pointer", "columns_apart" };
  static const char *const others[] = { "nest_of_rows", "blocks_around", "rows_by_pointers",
                                        "rows_in_blocks" };

  (void) state;
  for (int i = 0; i < 4; i++)
    if (!inner_loop (near[i])->has_near_rows)
      fail_msg ("%s", near[i]);
  for (int i = 0; i < 4; i++)
    if (!inner_loop (others[i])->is_outlined || inner_loop (others[i])->has_near_rows)
      fail_msg ("%s", others[i]);
  assert_false (plan_outlined ("store")->has_near_rows);
}

static void
test_lanes (void **state)
{
  struct stmt *s = plan_outlined ("lanes")->lanes->body;

  (void) state;
  for (s = s->items; s; s = s->next)
    {
      struct loop *loop = s->lanes ? s->plan : s->then->plan;

      /* No element begins the sum. */
      assert_true (loop->is_outlined == (loop->reference_count > 0));
      assert_null (variable_named (loop, "x"));
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_strips_of_elements_and_scalars),
    cmocka_unit_test (test_without_the_sanitizer_there_are_none),
    cmocka_unit_test (test_other_instruments_forbid_it),
    cmocka_unit_test (test_what_the_body_declares),
    cmocka_unit_test (test_private_memory_is_checked),
    cmocka_unit_test (test_what_is_stored_is_local),
    cmocka_unit_test (test_shared_data_is_elements_in_strips),
    cmocka_unit_test (test_members_of_elements),
    cmocka_unit_test (test_only_calls_of_math),
    cmocka_unit_test (test_names_of_the_function),
    cmocka_unit_test (test_control_flow),
    cmocka_unit_test (test_elements_here_and_there),
    cmocka_unit_test (test_inner_loops),
    cmocka_unit_test (test_copies_of_records),
    cmocka_unit_test (test_elements_are_close),
    cmocka_unit_test (test_walks),
    cmocka_unit_test (test_headers),
    cmocka_unit_test (test_forms_of_strips),
    cmocka_unit_test (test_elements_of_loops_around),
    cmocka_unit_test (test_rows_that_are_near),
    cmocka_unit_test (test_lanes),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
