/* Events as code of upcc raises them (include/upct/gasp.h): what is open, what is closed and
   when, and who raises none. The tool is in this file. */

#include "tests/fixtures/gasp/by_list.h"
#include "tests/unit/upc_threads.h"

#include "runtime/gasp/gasp.h"

#include <pthread.h>
#include <setjmp.h>
#include <string.h>

/* Fences are not wanted here. */
const unsigned char upct_gasp_only[GASP_UPC_USEREVT_START]
    = { [1 ... GASP_UPC_FENCE - 1] = 1, [GASP_UPC_FENCE + 1 ... GASP_UPC_USEREVT_START - 1] = 1 };

struct _gasp_context_S
{
  int unused;
};

/* What the calling thread's tool was told: a line for each event. On ARM a program without upc-crtbegin.o must have less
   than a page of thread-local data. */
static __thread char told[1024];
static __thread size_t told_bytes;
static __thread struct _gasp_context_S context;
static __thread void (*upcall) (void);

static const struct upct_site here = { "a.upc", 1, 2 }, there = { "b.upc", 3, 4 };

gasp_context_t
gasp_init (gasp_lang_t language, int *argc, char ***argv)
{
  CHECK (language == GASP_LANG_UPC && *argc == 1 && strcmp (**argv, "prog") == 0);
  return &context;
}

/* The events used here have a word, or none, in this place. */
static void
add_argument (unsigned event, gasp_evttype_t type, va_list args)
{
  int n = 0;

  if (event == GASP_C_FUNC)
    n = sprintf (told + told_bytes, " %s", va_arg (args, const char *));
  else if (event == GASP_UPC_MEMGET)
    {
      void *dst = va_arg (args, void *);
      upcr_pts *src = va_arg (args, gasp_upc_PTS_t *);
      n = sprintf (told + told_bytes, " %d %#lx %zu", dst != NULL, upcr_pts_offset (*src),
                   va_arg (args, size_t));
    }
  else if (event == GASP_UPC_ALLOC && type == GASP_END)
    {
      size_t bytes = va_arg (args, size_t);
      n = sprintf (told + told_bytes, " %zu %#lx", bytes,
                   upcr_pts_offset (*(upcr_pts *) va_arg (args, gasp_upc_PTS_t *)));
    }
  else if (event == GASP_UPC_BARRIER)
    {
      int named = va_arg (args, int);
      n = sprintf (told + told_bytes, " %d %d", named, va_arg (args, int));
    }
  else if (event == GASP_UPC_NONCOLLECTIVE_EXIT)
    n = sprintf (told + told_bytes, " %d", va_arg (args, int));
  told_bytes += n;
}

void
gasp_event_notifyVA (gasp_context_t self, unsigned event, gasp_evttype_t type, const char *file,
                     int line, int column, va_list args)
{
  CHECK (self == &context);
  if (told_bytes > sizeof told - 200)
    told_bytes = 0;
  told_bytes += sprintf (told + told_bytes, "%c%u %s:%d:%d", "<>!"[type], event, file ? file : "",
                         line, column);
  add_argument (event, type, args);
  told_bytes += sprintf (told + told_bytes, "\n");
  if (upcall)
    upcall ();
}

int
gasp_control (gasp_context_t self, int on)
{
  CHECK (self == &context);
  return on + 10;
}

unsigned
gasp_create_event (gasp_context_t self, const char *name, const char *desc)
{
  CHECK (self == &context && strcmp (name, "name") == 0 && !desc);
  return 1234;
}

static void
expect_told (const char *text)
{
  if (strcmp (told, text) != 0)
    upcr_fatal ("told\n%s, not\n%s", told, text);
  told_bytes = told[0] = 0;
}

/* The thread begins, and BODY. */
static upc_body *body;

static void
begin_and_run (void)
{
  static char *arguments[] = { "prog", NULL };
  int argc = 1;
  char **argv = arguments;

  upcr_gasp_begin_thread (&argc, &argv);
  body ();
}

static void
run_with_tool (const void *run)
{
  upcr_gasp_init ();
  run_upc_threads (run);
}

static void
expect (int threads, upc_body *tested, int status, const char *text)
{
  body = tested;
  expect_child (run_with_tool, &(struct upc_run){ threads, 0, begin_and_run }, status, text);
}

static void
raise_some (void)
{
  CHECK (upct_gasp_tool);
  upct_gasp_event (&here, GASP_UPC_BARRIER, GASP_START, 1, -5);
  upct_gasp_event (NULL, GASP_UPC_BARRIER, GASP_END, 1, -5);
  upct_gasp_event (&there, 1500, GASP_ATOMIC);
  expect_told ("<9 a.upc:1:2 1 -5\n>9 :0:0 1 -5\n!1500 b.upc:3:4\n");
  upct_gasp_event (&here, GASP_UPC_FENCE, GASP_START);
  upct_gasp_event (&here, GASP_UPC_FENCE, GASP_END);
  expect_told ("");
}

static void
test_events_reach_the_tool (void **state)
{
  (void) state;
  expect (3, raise_some, 0, "");
}

static void
nest (void)
{
  struct upct_gasp_frame outer, inner, loop;

  upct_gasp_enter (&outer, &here, "void outer (void)");
  upct_gasp_enter (&inner, &there, "int inner (int)");
  upct_gasp_enter_forall (&loop, &here);
  upct_gasp_leave (&loop, &there);
  upct_gasp_leave (&inner, NULL);
  upct_gasp_leave (&outer, &there);
  expect_told ("<1 a.upc:1:2 void outer (void)\n<1 b.upc:3:4 int inner (int)\n<11 a.upc:1:2\n"
               ">11 b.upc:3:4\n>1 b.upc:3:4 int inner (int)\n>1 b.upc:3:4 void outer (void)\n");
}

static void
test_functions_nest (void **state)
{
  (void) state;
  expect (2, nest, 0, "");
}

/* A return out of a upc_forall; a frame that is left when it is no more open. */
static void
skip_ends (void)
{
  struct upct_gasp_frame outer, inner, loop;

  upct_gasp_enter (&outer, &here, "outer");
  upct_gasp_enter (&inner, &there, "inner");
  upct_gasp_enter_forall (&loop, &here);
  upct_gasp_event (&there, GASP_UPC_ALLOC, GASP_START, 8ul);
  told_bytes = 0;
  upct_gasp_leave (&inner, &here);
  expect_told (">14 b.upc:3:4 8 0\n>11 a.upc:1:2\n>1 a.upc:1:2 inner\n");
  upct_gasp_leave (&loop, NULL);
  expect_told ("");
  upct_gasp_leave (&outer, NULL);
  expect_told (">1 a.upc:1:2 outer\n");
}

static void
test_what_is_open_in_a_function_ends_with_it (void **state)
{
  (void) state;
  expect (1, skip_ends, 0, "");
}

static __thread jmp_buf back;
static __thread void (*volatile call) (int);

static void
descend (int depth)
{
  struct upct_gasp_frame frame;

  upct_gasp_enter (&frame, &there, "deep");
  if (depth == 0)
    longjmp (back, 1);
  call (depth - 1);
  upct_gasp_leave (&frame, NULL);
}

static void
jump (void)
{
  struct upct_gasp_frame frame;

  call = descend;
  upct_gasp_enter (&frame, &here, "jump");
  if (setjmp (back) == 0)
    call (2);
  told_bytes = 0;
  upct_gasp_event (&here, GASP_UPC_BARRIER, GASP_START, 0, 0);
  expect_told (">1 b.upc:3:4 deep\n>1 b.upc:3:4 deep\n>1 b.upc:3:4 deep\n<9 a.upc:1:2 0 0\n");
  upct_gasp_event (&here, GASP_UPC_BARRIER, GASP_END, 0, 0);
  if (setjmp (back) == 0)
    call (1);
  told_bytes = 0;
  upct_gasp_unwind (&frame);
  expect_told (">1 b.upc:3:4 deep\n>1 b.upc:3:4 deep\n");
  upct_gasp_unwind (&frame);
  upct_gasp_leave (&frame, NULL);
  expect_told (">1 a.upc:1:2 jump\n");
}

static void
test_what_a_jump_leaves_is_closed (void **state)
{
  (void) state;
  expect (3, jump, 0, "");
}

static void
recurse (int depth)
{
  struct upct_gasp_frame frame;

  upct_gasp_enter (&frame, &here, "recurse");
  if (depth > 0)
    call (depth - 1);
  upct_gasp_leave (&frame, NULL);
}

static void
recurse_deeply (void)
{
  call = recurse;
  recurse (20000);
  upct_gasp_event (&here, 1000, GASP_ATOMIC);
  CHECK (strcmp (told + told_bytes - strlen ("recurse\n!1000 a.upc:1:2\n"),
                 "recurse\n!1000 a.upc:1:2\n")
         == 0);
}

static void
test_many_are_open (void **state)
{
  (void) state;
  expect (2, recurse_deeply, 0, "");
}

static void
raise_in_tool (void)
{
  struct upct_gasp_frame frame;

  upct_gasp_enter (&frame, &here, "in the tool");
  upct_gasp_event (&here, GASP_UPC_BARRIER, GASP_START, 0, 0);
  upct_gasp_event (&here, GASP_UPC_BARRIER, GASP_END, 0, 0);
  upct_gasp_unwind (&frame);
  upct_gasp_leave (&frame, NULL);
  CHECK (!upcr_gasp_is_outside ());
}

static void
call_up (void)
{
  upcall = raise_in_tool;
  nest ();
}

static void
test_the_tool_raises_none (void **state)
{
  (void) state;
  expect (2, call_up, 0, "");
}

static void *
raise_elsewhere (void *unused)
{
  raise_in_tool ();
  CHECK (told_bytes == 0);
  return unused;
}

static void
make_thread (void)
{
  pthread_t thread;

  CHECK (pthread_create (&thread, NULL, raise_elsewhere, NULL) == 0);
  pthread_join (thread, NULL);
  expect_told ("");
}

static void
test_threads_of_the_program_raise_none (void **state)
{
  (void) state;
  expect (2, make_thread, 0, "");
}

/* Where plain functions of the library would raise events of their own. */
static void
look_outside (void)
{
  struct upct_gasp_frame frame;

  CHECK (upcr_gasp_is_outside ());
  upct_gasp_enter (&frame, &here, "f");
  CHECK (upcr_gasp_is_outside ());
  upct_gasp_event (&here, GASP_UPC_ALLOC, GASP_START, 8ul);
  CHECK (!upcr_gasp_is_outside ());
  upct_gasp_event (&here, 1000, GASP_START);
  CHECK (!upcr_gasp_is_outside ());
  upct_gasp_event (&here, GASP_UPC_ALLOC, GASP_END, 8ul, &(upcr_pts){ 0 });
  CHECK (upcr_gasp_is_outside ());
  upct_gasp_leave (&frame, NULL);
}

static void
test_events_inside_are_the_code_s (void **state)
{
  (void) state;
  expect (1, look_outside, 0, "");
}

static void
print_told (void)
{
  printf ("%s", told);
  fflush (stdout);
}

/* The pointer that an argument is the address of is still there in an error below. */
static void
fail_inside (void)
{
  struct upct_gasp_frame frame;
  upcr_pts p = upcr_pts_make (0, 0x40, 0);
  char bytes[4];

  upct_gasp_enter (&frame, &here, "f");
  upct_gasp_event (&there, GASP_UPC_MEMGET, GASP_START, bytes, &p, sizeof bytes);
  told_bytes = told[0] = 0;
  atexit (print_told);
  upcr_fatal ("wrong");
}

static void
test_an_error_closes_with_the_arguments (void **state)
{
  (void) state;
  expect (1, fail_inside, 1,
          "prog: error: thread 0: wrong\n>23 b.upc:3:4 1 0x40 4\n>1 a.upc:1:2 f\n!6 :0:0 1\n");
}

static void
ask_tool (void)
{
  int pupc_control (int on);
  unsigned pupc_create_event (const char *name, const char *desc);

  CHECK (pupc_control (5) == 15);
  CHECK (pupc_create_event ("name", NULL) == 1234);
}

static void
test_pupc_asks_the_tool (void **state)
{
  (void) state;
  expect (2, ask_tool, 0, "");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_events_reach_the_tool),
    cmocka_unit_test (test_functions_nest),
    cmocka_unit_test (test_what_is_open_in_a_function_ends_with_it),
    cmocka_unit_test (test_what_a_jump_leaves_is_closed),
    cmocka_unit_test (test_many_are_open),
    cmocka_unit_test (test_the_tool_raises_none),
    cmocka_unit_test (test_threads_of_the_program_raise_none),
    cmocka_unit_test (test_events_inside_are_the_code_s),
    cmocka_unit_test (test_an_error_closes_with_the_arguments),
    cmocka_unit_test (test_pupc_asks_the_tool),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
