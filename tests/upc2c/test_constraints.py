"""Each constraint of the specification: a source that violates it, and the exact
messages, as line:column: kind: text. An empty list says that the source is right."""

import os

from harness import case

CASES = [
    ("threads_assigned", "void f (void) { THREADS = 3; }",
     ["1:25: error: 'THREADS' is an expression, not an object: it cannot be assigned to (UPC 1.3, 6.3.1)"]),
    ("mythread_step", "void f (void) { MYTHREAD++; }",
     ["1:25: error: 'MYTHREAD' is an expression, not an object: it cannot be assigned to (UPC 1.3, 6.3.2)"]),
    ("threads_address", "int *f (void) { return &THREADS; }",
     ["1:24: error: 'THREADS' is an expression, not an object: it has no address (UPC 1.3, 6.3.1)"]),
    ("mythread_compound", "void f (void) { (MYTHREAD) += 1; }",
     ["1:28: error: 'MYTHREAD' is an expression, not an object: it cannot be assigned to (UPC 1.3, 6.3.2)"]),
    ("block_too_large", "shared [1048576] char a[1048576 * THREADS];",
     ["1:9: error: block size 1048576 is larger than UPC_MAX_BLOCK_SIZE, 1048575; -fupc-pts=struct allows up to 4294967295 (UPC 1.3, 6.3.3)"]),
    ("block_star_too_large", "shared [*] char a[1048576 * THREADS];",
     ["1:17: error: block size 1048576 of 'a' is larger than UPC_MAX_BLOCK_SIZE, 1048575; -fupc-pts=struct allows up to 4294967295 (UPC 1.3, 6.3.3)"]),
    ("localsizeof_private", "int x; unsigned long n = upc_localsizeof (x);",
     ["1:26: error: upc_localsizeof of a type that is not shared, 'int' (UPC 1.3, 6.4.1.2)"]),
    ("blocksizeof_private", "unsigned long n = upc_blocksizeof (int);",
     ["1:19: error: upc_blocksizeof of a type that is not shared, 'int' (UPC 1.3, 6.4.1.3)"]),
    ("elemsizeof_private", "int a[3]; unsigned long n = upc_elemsizeof a;",
     ["1:29: error: upc_elemsizeof of a type that is not shared, 'int [3]' (UPC 1.3, 6.4.1.4)"]),
    ("localsizeof_incomplete", "struct s; unsigned long n = upc_localsizeof (shared struct s);",
     ["1:29: error: upc_localsizeof of an incomplete type, 'shared struct s' (UPC 1.3, 6.4.1.2)"]),
    ("elemsizeof_bit_field", "struct s { int x : 3; }; shared struct s v; int n = upc_elemsizeof (v.x);",
     ["1:53: error: upc_elemsizeof of a bit-field (UPC 1.3, 6.4.1.4)"]),
    ("minus_local", "shared int *p; int *q; long f (void) { return p - q; }",
     ["1:49: error: operator - on a pointer-to-shared and a pointer-to-local, 'shared int *' and 'int *' (UPC 1.3, 6.4.2)"]),
    ("equal_local", "shared int *p; int *q; int f (void) { return p == q; }",
     ["1:48: error: operator == on a pointer-to-shared and a pointer-to-local, 'shared int *' and 'int *' (UPC 1.3, 6.4.2)"]),
    ("less_local", "shared int *p; int *q; int f (void) { return q < p; }",
     ["1:48: error: operator < on a pointer-to-shared and a pointer-to-local, 'int *' and 'shared int *' (UPC 1.3, 6.4.2)"]),
    ("relational_generic", "shared void *p, *q; int f (void) { return p > q; }",
     ["1:45: error: operator > on a pointer-to-shared to an incomplete type, 'shared void *' (UPC 1.3, 6.4.2)"]),
    ("relational_incomplete", "struct s; shared struct s *p, *q; int f (void) { return p > q; }",
     ["1:59: error: operator > on a pointer-to-shared to an incomplete type, 'shared struct s *' (UPC 1.3, 6.4.2)"]),
    ("generic_arithmetic", "shared void *p; void f (void) { p = p + 1; }",
     ["1:39: error: arithmetic on a pointer to an incomplete type, 'shared void *' (UPC 1.3, 6.4.2)"]),
    ("generic_dereference", "shared void *p; void f (void) { *p; }",
     ["1:33: error: 'shared void *' cannot be dereferenced: its type is incomplete"]),
    ("generic_index", "shared void *p; void f (void) { p[0]; }",
     ["1:34: error: arithmetic on a pointer to an incomplete type, 'shared void *' (UPC 1.3, 6.4.2)"]),
    ("compare_blocks", "shared [2] int *p; shared [3] int *q; int f (void) { return p == q; }",
     ["1:63: error: operator ==: the block sizes of 'shared [2] int *' and 'shared [3] int *' differ; a cast is needed (UPC 1.3, 6.5.1.1)"]),
    ("assign_blocks", "shared [2] int *p; shared [3] int *q; void f (void) { p = q; }",
     ["1:57: error: assignment: the block sizes of 'shared [3] int *' and 'shared [2] int *' differ; a cast is needed (UPC 1.3, 6.5.1.1)"]),
    ("assign_indefinite", "shared [] int *p; shared int *q; void f (void) { p = q; }",
     ["1:52: error: assignment: the block sizes of 'shared int *' and 'shared [] int *' differ; a cast is needed (UPC 1.3, 6.5.1.1)"]),
    ("initialise_blocks", "shared [3] int a[3 * THREADS]; void f (void) { shared int *p = a; }",
     ["1:64: error: initialisation: the block sizes of 'shared [3] int *' and 'shared int *' differ; a cast is needed (UPC 1.3, 6.5.1.1)"]),
    ("pass_blocks", "void g (shared int *); shared [3] int a[3 * THREADS]; void f (void) { g (a); }",
     ["1:74: error: argument 1: the block sizes of 'shared [3] int *' and 'shared int *' differ; a cast is needed (UPC 1.3, 6.5.1.1)"]),
    ("return_blocks", "shared [3] int *q; shared int *f (void) { return q; }",
     ["1:50: error: return: the block sizes of 'shared [3] int *' and 'shared int *' differ; a cast is needed (UPC 1.3, 6.5.1.1)"]),
    ("assign_elements", "shared int *p; shared long *q; void f (void) { p = q; }",
     ["1:50: warning: assignment: incompatible pointer types 'shared long *' and 'shared int *'"]),
    ("discard_const", "shared int *p; shared const int *q; void f (void) { p = q; }",
     ["1:55: warning: assignment discards 'const' from the type that the pointer points to"]),
    ("local_to_shared", "shared int *p; int *q; void f (void) { p = q; }",
     ["1:42: error: assignment: a pointer-to-local, 'int *', cannot become a pointer-to-shared, 'shared int *' (UPC 1.3, 6.4.3)"]),
    ("local_to_shared_cast", "shared int *p; int *q; void f (void) { p = (shared int *) q; }",
     ["1:44: error: a pointer-to-local, 'int *', cannot be cast to a pointer-to-shared, 'shared int *' (UPC 1.3, 6.4.3)"]),
    ("integer_to_shared_cast", "shared int *p; long q; void f (void) { p = (shared int *) q; }",
     ["1:44: error: 'long' cannot be cast to a pointer-to-shared, 'shared int *' (UPC 1.3, 6.4.3)"]),
    ("shared_to_local", "shared int *p; int *q; void f (void) { q = p; }",
     ["1:42: error: assignment: a pointer-to-shared, 'shared int *', does not become a pointer-to-local, 'int *', without a cast (UPC 1.3, 6.4.3)"]),
    ("shared_to_integer", "shared int *p; long q; void f (void) { q = p; }",
     ["1:42: error: assignment: 'shared int *' where 'long' is wanted"]),
    ("integer_to_shared", "shared int *p; void f (void) { p = 5; }",
     ["1:34: error: assignment: 'int' where 'shared int *' is wanted"]),
    ("inner_level_cast", "int **q; shared int **p; void f (void) { p = (shared int **) q; }",
     ["1:46: warning: the cast makes pointers-to-shared of pointers-to-local (UPC 1.3, 6.4.3)"]),
    ("cast_to_shared", "int x; int f (void) { return (shared int) x; }",
     ["1:30: error: a cast of 'int' to a shared type, 'shared int' (UPC 1.3, 6.4.3)"]),
    ("strict_and_relaxed", "strict relaxed shared int x;",
     ["1:8: error: both 'strict' and 'relaxed' (UPC 1.3, 6.5)"]),
    ("strict_and_relaxed_typedef", "typedef strict shared int T; relaxed T x;",
     ["1:30: error: both 'strict' and 'relaxed' (UPC 1.3, 6.5)"]),
    ("two_blocks", "shared [2] shared [3] int *p;",
     ["1:19: error: more than one block size is specified (UPC 1.3, 6.5)"]),
    ("two_blocks_typedef", "typedef shared [2] int T; shared [3] T *p;",
     ["1:34: error: more than one block size is specified: 'T' has one already (UPC 1.3, 6.5)"]),
    ("strict_alone", "strict int x;",
     ["1:1: error: 'strict' without 'shared' (UPC 1.3, 6.5.1.1)"]),
    ("relaxed_alone", "int *relaxed p;",
     ["1:6: error: 'relaxed' without 'shared' (UPC 1.3, 6.5.1.1)"]),
    ("member", "struct s { shared int x; };",
     ["1:23: error: member 'x' is shared; only what it points to may be (UPC 1.3, 6.5.1.1)"]),
    ("member_pointer", "struct s { char *shared p; };",
     ["1:25: error: member 'p' is shared; only what it points to may be (UPC 1.3, 6.5.1.1)"]),
    ("member_pointee", "struct s { shared char *p; };",
     []),
    ("member_array", "struct s { shared [] int a[4]; };",
     ["1:26: error: member 'a' is shared; only what it points to may be (UPC 1.3, 6.5.1.1)"]),
    ("star_pointer", "shared [*] int *p;",
     ["1:8: error: block size [*] in the type that a pointer points to (UPC 1.3, 6.5.1.1)"]),
    ("star_cast", "shared int *p; void *f (void) { return (shared [*] int *) p; }",
     ["1:48: error: block size [*] in the type that a pointer points to (UPC 1.3, 6.5.1.1)",
      "1:40: error: return: a pointer-to-shared, 'shared [] int *', does not become a pointer-to-local, 'void *', without a cast (UPC 1.3, 6.4.3)"]),
    ("star_typedef", "typedef shared [*] int T[10 * THREADS];",
     ["1:16: error: block size [*] in a typedef (UPC 1.3, 6.5.1.1)"]),
    ("star_parameter", "void f (shared [*] int a[10]);",
     ["1:24: error: block size [*] in the type that a pointer points to (UPC 1.3, 6.5.1.1)"]),
    ("layout_void", "shared [4] void *p;",
     ["1:8: error: a pointer to shared void has no block size (UPC 1.3, 6.5.1.1)"]),
    ("layout_void_indefinite", "void f (shared [] void *p);",
     ["1:16: error: a pointer to shared void has no block size (UPC 1.3, 6.5.1.1)"]),
    ("block_negative", "shared [-1] int *p;",
     ["1:9: error: block size -1 is negative (UPC 1.3, 6.5.1.1)"]),
    ("block_not_constant", "int n; shared [n] int *p;",
     ["1:16: error: the block size is no integer constant expression (UPC 1.3, 6.5.1.1)"]),
    ("block_threads", "shared [THREADS] int *p;",
     ["1:9: error: the block size is no integer constant expression (UPC 1.3, 6.5.1.1)"]),
    ("layout_without_shared", "strict [4] int x;",
     ["1:1: error: 'strict' without 'shared' (UPC 1.3, 6.5.1.1)",
      "1:8: error: expected a name before '[': a layout qualifier follows 'shared' (UPC 1.3, 6.5.1.1)"]),
    ("layout_without_shared_2", "int [4] x;",
     ["1:5: error: expected a name before '[': a layout qualifier follows 'shared' (UPC 1.3, 6.5.1.1)"]),
    ("automatic", "void f (void) { shared int x; }",
     ["1:28: error: 'x' is shared, but has automatic storage; 'static shared' gives it static storage (UPC 1.3, 6.5.2)"]),
    ("automatic_pointer", "void f (void) { int *shared z; }",
     ["1:29: error: 'z' is shared, but has automatic storage; 'static shared' gives it static storage (UPC 1.3, 6.5.2)"]),
    ("automatic_array", "void f (void) { shared [] int a[5]; }",
     ["1:31: error: 'a' is shared, but has automatic storage; 'static shared' gives it static storage (UPC 1.3, 6.5.2)"]),
    ("automatic_static", "void f (void) { static shared int x; extern shared int y; }",
     []),
    ("register", "void f (void) { register shared int x; }",
     ["1:37: error: 'x' is shared and 'register' (UPC 1.3, 6.5.2)"]),
    ("auto", "void f (void) { auto shared int x; }",
     ["1:33: error: 'x' is shared and 'auto' (UPC 1.3, 6.5.2)"]),
    ("for_declaration", "void f (void) { for (shared int i = 0; i < 3; i++) ; }",
     ["1:33: error: 'i' is shared, but has automatic storage; 'static shared' gives it static storage (UPC 1.3, 6.5.2)"]),
    ("parameter", "void f (shared int x) { }",
     ["1:20: error: parameter 'x' is shared, but has automatic storage (UPC 1.3, 6.5.2)"]),
    ("parameter_pointer", "void f (int *shared x);",
     ["1:21: error: parameter 'x' is shared, but has automatic storage (UPC 1.3, 6.5.2)"]),
    ("parameter_array", "void f (shared int a[], shared [5] int b[][10]);",
     []),
    ("parameter_old", "void f (x) shared int x; { }",
     ["1:23: error: parameter 'x' is shared, but has automatic storage (UPC 1.3, 6.5.2)"]),
    ("function_returns", "shared int f (void);",
     ["1:14: error: a function returns a shared type, 'shared int' (UPC 1.3, 6.5.1.1)"]),
    ("function_returns_pointer", "int *shared f (void); shared int *g (void);",
     ["1:15: error: a function returns a shared type, 'int *shared' (UPC 1.3, 6.5.1.1)"]),
    ("function_shared", "typedef int F (void); shared F f;",
     ["1:23: error: a function cannot be shared (UPC 1.3, 6.5.1.1)"]),
    ("threads_missing", "shared int a[10];",
     ["1:12: error: no dimension of a shared array with definite block size has THREADS, as dynamic THREADS needs (UPC 1.3, 6.5.2.1)"]),
    ("threads_missing_blocked", "shared [3] int a[10][2];",
     ["1:16: error: no dimension of a shared array with definite block size has THREADS, as dynamic THREADS needs (UPC 1.3, 6.5.2.1)"]),
    ("threads_twice", "shared int a[THREADS][4 * THREADS];",
     ["1:12: error: THREADS in more than one dimension of a shared array under dynamic THREADS (UPC 1.3, 6.5.2.1)"]),
    ("threads_squared", "shared int a[THREADS * THREADS];",
     ["1:14: error: THREADS in the length of a shared array stands alone or is multiplied by a positive integer constant under dynamic THREADS (UPC 1.3, 6.5.2.1)"]),
    ("threads_added", "shared int a[10 + THREADS];",
     ["1:14: error: THREADS in the length of a shared array stands alone or is multiplied by a positive integer constant under dynamic THREADS (UPC 1.3, 6.5.2.1)"]),
    ("threads_multiplied_twice", "shared int a[THREADS * 100 * 20];",
     ["1:14: warning: THREADS is multiplied more than once in the length of a shared array (UPC 1.3, 6.5.2.1)"]),
    ("threads_indefinite", "shared [] int a[THREADS];",
     ["1:15: error: THREADS in a dimension of a shared array with indefinite block size under dynamic THREADS (UPC 1.3, 6.5.2.1)"]),
    ("threads_negative", "shared int a[-2 * THREADS];",
     ["1:14: error: THREADS in the length of a shared array stands alone or is multiplied by a positive integer constant under dynamic THREADS (UPC 1.3, 6.5.2.1)"]),
    ("threads_pointer", "shared int (**p)[THREADS][THREADS];",
     ["1:13: error: THREADS in more than one dimension of a shared array under dynamic THREADS (UPC 1.3, 6.5.2.1)"]),
    ("threads_typedef", "typedef shared int (*t)[THREADS][13][THREADS];",
     ["1:21: error: THREADS in more than one dimension of a shared array under dynamic THREADS (UPC 1.3, 6.5.2.1)"]),
    ("threads_cast", "shared void *q; void *f (void) { shared void *p = (shared int (*)[THREADS][THREADS]) q; }",
     ["1:64: error: THREADS in more than one dimension of a shared array under dynamic THREADS (UPC 1.3, 6.5.2.1)"]),
    ("threads_typedef_dimension", "typedef int S[10]; shared [3] S T[3 * THREADS]; typedef shared int U[THREADS]; U a[5];",
     []),
    ("threads_typedef_twice", "typedef shared int U[THREADS]; U a[THREADS];",
     ["1:34: error: THREADS in more than one dimension of a shared array under dynamic THREADS (UPC 1.3, 6.5.2.1)"]),
    ("length_not_constant", "void f (int n) { static shared [] int a[n]; }",
     ["1:41: error: the length of a shared array is not constant (UPC 1.3, 6.5.2.1)"]),
    ("length_missing", "shared int a[];",
     ["1:12: error: the length of the shared array 'a' is missing"]),
    ("length_initialiser", "shared [] int a[] = { 1, 2, 3 }; shared int b[] = { 1, 2 };",
     ["1:45: error: no dimension of a shared array with definite block size has THREADS, as dynamic THREADS needs (UPC 1.3, 6.5.2.1)"]),
    ("parameter_array_shared", "void f (int a[shared 3]);",
     ["1:15: error: a parameter is shared, but has automatic storage (UPC 1.3, 6.5.2)"]),
    ("initial_mythread", "shared int x = MYTHREAD;",
     ["1:16: error: the initial value of 'x' is not constant"]),
    ("initial_load", "shared [] int *p; shared int y = 1 + *p; shared const int c = 3; shared int d = c;",
     ["1:38: error: the initial value of 'y' is not constant"]),
    ("initial_private", "int q; shared int w = q; shared int u = sizeof q, t = (long) &q, s = THREADS * 2;",
     ["1:23: error: the initial value of 'w' is not constant"]),
    ("initial_call", "shared int *g (void); void f (void) { static shared int *p = g (); shared int *q = g (); }",
     ["1:62: error: the initial value of 'p' is not constant"]),
    ("initial_twice", "shared int x; shared int x = 1; shared int x = 2;",
     ["1:44: error: 'x' has an initial value already"]),
    ("initial_excess", "shared [] int x[2] = { 1, 2, 3 }; shared int y = { 1, 2 }; shared struct s { int a; } s = { 1, 2 };",
     ["1:30: warning: excess values in the initialiser of 'shared [] int [2]'",
      "1:55: warning: excess values in the initialiser of 'shared int'",
      "1:96: warning: excess values in the initialiser of 'shared struct s'"]),
    ("initial_member", "shared struct s { int a; } s = { .b = 3 }, t = { [1] = 2 }, u = 3;",
     ["1:34: error: 'shared struct s' has no member 'b'",
      "1:50: error: no such designator in 'shared struct s'",
      "1:65: error: initialisation: 'int' where 'shared struct s' is wanted"]),
    ("initial_index", "shared [] int a[2] = { [2] = 1 }, b[2] = { [1 ... 3] = 1 }, c[2] = { .x = 1 };",
     ["1:24: error: index 2 is outside of 'shared [] int [2]'",
      "1:44: error: index 3 is outside of 'shared [] int [2]'",
      "1:70: error: no such designator in 'shared [] int [2]'"]),
    ("barrier_pointer", "void f (int *p) { upc_barrier p; }",
     ["1:31: error: the value of upc_barrier is of type 'int *', which cannot be assigned to an int (UPC 1.3, 6.6.1)"]),
    ("notify_record", "struct s { int x; } s; void f (void) { upc_notify s; }",
     ["1:51: error: the value of upc_notify is of type 'struct s', which cannot be assigned to an int (UPC 1.3, 6.6.1)"]),
    ("wait_pointer", "shared int *p; void f (void) { upc_wait p; }",
     ["1:41: error: the value of upc_wait is of type 'shared int *', which cannot be assigned to an int (UPC 1.3, 6.6.1)"]),
    ("barrier_double", "void f (void) { upc_barrier 2.5; upc_notify; upc_wait (3); upc_fence; }",
     []),
    ("fence_value", "void f (void) { upc_fence 1; }",
     ["1:27: error: expected ';' before '1'"]),
    ("affinity_pointer", "int *p; void f (void) { int i; upc_forall (i = 0; i < 3; i++; p) ; }",
     ["1:63: error: the affinity of upc_forall is a pointer-to-shared or an integer, not 'int *' (UPC 1.3, 6.6.2)"]),
    ("affinity_double", "void f (void) { int i; upc_forall (i = 0; i < 3; i++; 2.0) ; }",
     ["1:55: error: the affinity of upc_forall is a pointer-to-shared or an integer, not 'double' (UPC 1.3, 6.6.2)"]),
    ("affinity_missing", "void f (void) { int i; upc_forall (i = 0; i < 3; i++) ; }",
     ["1:53: error: expected ';' and an affinity before ')'"]),
    ("affinity_forms", "shared int a[THREADS]; void f (void) { int i; upc_forall (i = 0; i < 3; i++; &a[i]) upc_forall (int j = 0; ; ; continue) upc_forall (;;;) ; }",
     []),
    ("pragma_unknown", "#pragma upc lazy\nint x;",
     ["2:1: warning: '#pragma upc lazy' ignored: strict, relaxed, c_code and upc_code are known (UPC 1.3, 6.7.1)"]),
    ("keyword_name", "int shared_ok; int THREADS;",
     ["1:20: error: 'THREADS' is a keyword of UPC (UPC 1.3, 6.2)"]),
    ("keyword_function", "void upc_wait (void);",
     ["1:6: error: 'upc_wait' is a keyword of UPC (UPC 1.3, 6.2)"]),
    ("read_only", "shared const int x; void f (void) { x = 1; x++; }",
     ["1:39: error: 'shared const int' is read-only",
      "1:45: error: 'shared const int' is read-only"]),
    ("conflicting", "extern shared [2] int a[4 * THREADS]; shared [4] int a[4 * THREADS];",
     ["1:54: error: conflicting types for 'a': 'shared [4] int [4*THREADS]'",
      "1:23: note: 'a' was declared before as 'shared [2] int [4*THREADS]'"]),
    ("conflicting_function", "void f (shared [2] int *); void f (shared [4] int *p) { }",
     ["1:33: error: conflicting types for 'f': 'void (shared [4] int *)'",
      "1:6: note: 'f' was declared before as 'void (shared [2] int *)'"]),
    ("pts_multiplied", "shared int *p; int f (void) { return p * 2; }",
     ["1:40: error: operator * cannot be applied to 'shared int *' and 'int'"]),
    ("pts_negated", "shared int *p; int f (void) { return -p + ~p; }",
     ["1:38: error: operator - cannot be applied to 'shared int *'",
      "1:43: error: operator ~ cannot be applied to 'shared int *'"]),
    ("pts_added", "shared int *p; int f (void) { return p + p; }",
     ["1:40: error: operator + cannot be applied to 'shared int *' and 'shared int *'"]),
    ("pts_masked", "shared int *p; int f (void) { return p & 7; }",
     ["1:40: error: operator & cannot be applied to 'shared int *' and 'int'"]),
    ("pts_subtracted_compound", "shared int *p; void f (void) { p -= p; p *= 2; }",
     ["1:34: error: operator -= cannot be applied to 'shared int *' and 'shared int *'",
      "1:42: error: operator *= cannot be applied to 'shared int *' and 'int'"]),
    ("pts_float_index", "shared int *p; int f (void) { return p[1.5]; }",
     ["1:39: error: operator [] cannot be applied to 'shared int *' and 'double'"]),
    ("pts_switch", "shared int *p; void f (void) { switch (p) { } }",
     ["1:40: error: switch on 'shared int *'"]),
    ("pts_to_double", "shared int *p; double f (void) { return (double) p; }",
     ["1:41: error: 'shared int *' cannot be cast to 'double'"]),
    ("no_member", "struct s { int x; }; shared struct s v; int f (void) { return v.y; }",
     ["1:65: error: 'shared struct s' has no member 'y'"]),
    ("array_assigned", "struct s { int a[3]; }; shared struct s v; void f (int *q) { v.a = q; }",
     ["1:66: error: an array, 'shared [] int [3]', cannot be assigned to"]),
    ("bit_field_address", "struct s { int x : 3; }; shared struct s v; void *f (void) { return &v.x; }",
     ["1:69: error: a bit-field has no address"]),
    ("conditional_mixed", "shared int *p; int *q; void f (int c) { c ? p : q; }",
     ["1:43: error: ?: with a pointer-to-shared and a pointer-to-local, 'shared int *' and 'int *' (UPC 1.3, 6.4.2)"]),
    ("conditional_blocks", "shared [1] int *p; shared [] int *q; void f (int c) { c ? p : q; }",
     ["1:57: error: operator ?:: the block sizes of 'shared int *' and 'shared [] int *' differ; a cast is needed (UPC 1.3, 6.5.1.1)"]),
    ("asm_output", "shared int x; void f (void) { __asm__ (\"\" : \"=r\" (x) : \"r\" (x)); }",
     ["1:51: error: the output of asm is shared, 'shared int'"]),
    ("literal_shared", "void f (void) { (shared int) { 3 }; }",
     ["1:17: error: a compound literal of shared type, 'shared int' (UPC 1.3, 6.5.2)"]),
    ("not_lvalue", "shared int *p; void f (void) { p + 1 = p; &(p + 1); }",
     ["1:38: error: the left operand of = is no lvalue",
      "1:43: error: the operand of & is no lvalue"]),
    ("syntax", "shared int x\nint y;\nvoid f (void) { int z = ; x = 3 }\nint w = (3;\nint v;",
     ["2:1: error: expected ';' before 'int'",
      "3:25: error: expected an expression before ';'",
      "3:33: error: expected ';' before '}'",
      "4:11: error: expected ')' before ';'"]),
    ("unknown_type", "foo x; void f (void) { bar y; }",
     ["1:1: error: unknown type name 'foo'",
      "1:24: error: unknown type name 'bar'"]),
    ("unterminated", "char *s = \"abc;\nint x;",
     ["1:11: error: missing terminating \" character"]),
    ("stray", "int x @ 3;",
     ["1:7: error: expected ';' before '@'"]),
    ("end", "void f (void) { if (1) {",
     ["1:24: error: expected '}' at end of input"]),
]


def messages(stderr):
    """The lines of STDERR that are messages, without the name of the file."""
    return [line[len("case.i:"):] for line in stderr.splitlines() if line.startswith("case.i:")]


@case(each=[(name,) for name, _, _ in CASES])
def violation(t, name):
    source, wanted = next((s, w) for n, s, w in CASES if n == name)
    t.write("case.i", source + "\n")
    result = t.run([t.tool("upc2c"), "case.i", "-o", t.path("case.c")])
    t.equal(messages(result.stderr), wanted, "messages")
    has_error = any(": error: " in message for message in wanted)
    t.equal(result.returncode, int(has_error), "status")
    t.equal(has_error, not os.path.exists(t.path("case.c")), "no output with errors")


@case
def static_threads_allow_more(t):
    t.write("case.i", """shared int a[10 + THREADS];
shared [] int b[THREADS];
shared int c[10];
shared int d[THREADS][4 * THREADS];
shared int e[THREADS * THREADS];
shared int f[THREADS * 100 * 20];
shared int (**g)[THREADS][THREADS];
typedef shared int (*h)[THREADS][13][THREADS];
shared [THREADS] int i[5];
shared [*] int j[5];
""")
    result = t.run([t.tool("upc2c"), "-fupc-threads-4", "case.i", "-o", t.path("case.c")])
    t.equal((result.returncode, result.stderr), (0, ""), "status and messages")


@case
def the_line_and_a_caret_are_shown(t):
    t.write("case.i", '# 1 "dir/prog.upc"\nint *q;\nvoid f (shared int *p)\n{\n\tq = p;\n}\n')
    result = t.run([t.tool("upc2c"), "case.i"])
    t.equal(result.stderr.splitlines()[1:], ["    4 | \tq = p;", "      | \t  ^"], "text")
    t.check(result.stderr.startswith("dir/prog.upc:4:4: error: assignment: "), result.stderr)


@case
def struct_pointers_allow_larger_blocks(t):
    for size, good in ((1048576, True), (4294967295, True), (4294967296, False)):
        t.write("case.i", f"shared [{size}] char *p;\nint n[upc_blocksizeof (*p) == {size} ? 1 : -1];\n")
        result = t.run([t.tool("upc2c"), "-fupc-pts=struct", "case.i", "-o", t.path("case.c")])
        wanted = [] if good else ["1:9: error: block size 4294967296 is larger than UPC_MAX_BLOCK_SIZE, "
                                  "4294967295 (UPC 1.3, 6.3.3)"]
        t.equal(messages(result.stderr), wanted, "messages")


@case
def errors_end_at_a_limit(t):
    t.write("case.i", "".join(f"strict int x{i};\n" for i in range(1000)))
    result = t.run([t.tool("upc2c"), "case.i"])
    t.equal(result.returncode, 1, "status")
    t.equal(len(messages(result.stderr)), 100, "errors")
    t.check(result.stderr.endswith("upc2c: error: too many errors in 'case.i'\n"), result.stderr[-200:])
