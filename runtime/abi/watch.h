/* Entry points that raise events of the performance tool.

   The `g` form of an entry point is the same call, whose source location messages, crash reports
   and tools know. Such forms are in separate files, which tell the gasp room so.

   The code for a tool is separate, in NAME_watched. So the entry point itself keeps its arguments
   in registers, and costs only a test and a branch more. */

#ifndef UPCR_ABI_WATCH_H
#define UPCR_ABI_WATCH_H

#include "runtime/gasp/gasp.h"
#include "runtime/abi/location.h"

/* In a file with `g` entry points. */
#define UPCR_IS_INSTRUMENTED \
  static const char *const instrumented __attribute__ ((used)) = &upcr_gasp_instrumented;

/* The two kinds of UPCR_RAISE, for the macros below. */
#define UPCR_START(event, ...) UPCR_RAISE (event, GASP_START, ##__VA_ARGS__)
#define UPCR_END(event, ...) UPCR_RAISE (event, GASP_END, ##__VA_ARGS__)

/* The function NAME does WATCHED where CONDITION holds, else PLAIN. */
#define UPCR_BRANCH(type, name, parameters, arguments, condition, watched, plain) \
  static __attribute__ ((noinline, cold))                                         \
  type name##_watched parameters{ watched } type name parameters;                 \
  type name parameters                                                            \
  {                                                                               \
    if (__builtin_expect (condition, 0))                                          \
      return name##_watched arguments;                                            \
    plain                                                                         \
  }

/* A `g` form; PARAMETERS end in `const char *file, int line`, ARGUMENTS in `file, line`.
   STATEMENT stores in `result`, which is of TYPE. With a tool BEFORE and AFTER are around it,
   each of them one or more UPCR_START and UPCR_END. */
#define UPCR_LOCATED(type, name, parameters, arguments, before, statement, after)          \
  UPCR_BRANCH (type, name, parameters, arguments, upct_gasp_tool,                          \
               const struct upcr_gasp_at at = UPCR_GASP_AT (file, line);                   \
               type result; before; UPCR_AT (file, line, statement); after; return result; \
               , type result; UPCR_AT (file, line, statement); return result;)

/* The same where nothing is returned. */
#define UPCR_LOCATED_STATEMENT(name, parameters, arguments, before, statement, after) \
  UPCR_BRANCH (void, name, parameters, arguments, upct_gasp_tool,                     \
               const struct upcr_gasp_at at = UPCR_GASP_AT (file, line);              \
               before; UPCR_AT (file, line, statement); after;, UPCR_AT (file, line, statement);)

/* A function of which there is no `g` form: VALUE, which is of TYPE. It raises its events,
   unless compiled code around it has; AFTER may use `result`. */
#define UPCR_WATCHED(type, name, parameters, arguments, before, value, after)     \
  UPCR_BRANCH (type, name, parameters, arguments, upcr_gasp_plain,                \
               const struct upcr_gasp_at at = UPCR_GASP_AT (NULL, 0);             \
               const bool is_ours = upcr_gasp_is_outside (); if (is_ours) before; \
               type result = value; if (is_ours) after; return result;, return value;)

#define UPCR_WATCHED_STATEMENT(name, parameters, arguments, before, statement, after)        \
  UPCR_BRANCH (void, name, parameters, arguments, upcr_gasp_plain,                           \
               const struct upcr_gasp_at at = UPCR_GASP_AT (NULL, 0);                        \
               const bool is_ours = upcr_gasp_is_outside (); if (is_ours) before; statement; \
               if (is_ours) after;, statement;)

#endif
