/* Line markers and pragmas: those that mean something are noted. */

#include "tools/upc2c/lex/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t pragma_capacity, pack_capacity;
static uint32_t *pack_stack;
static uint32_t pack_count, pack_now;

static const char *
skip_blanks (const char *c, const char *stop)
{
  while (c < stop && (*c == ' ' || *c == '\t'))
    c++;
  return c;
}

static bool
starts_word (const char *c, const char *stop, const char *word)
{
  size_t length = strlen (word);

  return (size_t) (stop - c) >= length && memcmp (c, word, length) == 0
         && (c + length == stop || !(isalnum ((unsigned char) c[length]) || c[length] == '_'));
}

/* The name of a file from START to STOP, within the quotes of a line marker: compilers
   write what is not printable as three octal digits, and a backslash before quotes. */
static uint32_t
enter_quoted_file (const char *start, const char *stop, bool is_system)
{
  char *name = arena_alloc (stop - start + 1);
  size_t length = 0;

  for (const char *c = start; c < stop; c++)
    if (*c != '\\' || c + 1 == stop)
      name[length++] = *c;
    else if (stop - c > 3 && strspn (c + 1, "01234567") >= 3)
      {
        name[length++] = (c[1] - '0') << 6 | (c[2] - '0') << 3 | (c[3] - '0');
        c += 3;
      }
    else
      name[length++] = *++c;
  return enter_file (name, length, is_system);
}

/* The rest of `# 12 "file" 1 3`: C is at the number. */
static void
read_line_marker (const char *c, const char *stop)
{
  bool is_system = unit.files[scanned.file].is_system;
  const char *name;
  unsigned long number = 0;

  for (; c < stop && isdigit ((unsigned char) *c); c++)
    if (number < UINT32_MAX / 10)
      number = number * 10 + (*c - '0');
  /* Its line feed is still to come and counts. */
  scanned.line = number - 1;
  c = skip_blanks (c, stop);
  if (c == stop || *c != '"')
    return;
  for (name = ++c; c < stop && *c != '"'; c++)
    if (*c == '\\' && c + 1 < stop)
      c++;
  is_system = false;
  for (const char *flag = c; flag < stop; flag++)
    if (*flag == '3')
      is_system = true;
  scanned.file = enter_quoted_file (name, c, is_system);
}

static void
note_pragma (enum pragma_kind kind, uint32_t value, const char *start, const char *stop)
{
  unit.pragmas = grow_array (unit.pragmas, unit.pragma_count + 1, &pragma_capacity,
                             sizeof *unit.pragmas);
  unit.pragmas[unit.pragma_count++] = (struct pragma){ .kind = kind,
                                                       .value = value,
                                                       .before = unit.token_count,
                                                       .line = scanned.line,
                                                       .file = scanned.file,
                                                       .text = start,
                                                       .end = stop };
}

/* Whether WORD stands at *C; then *C is behind it and the blanks that follow. */
static bool
take_word (const char **c, const char *stop, const char *word)
{
  if (!starts_word (*c, stop, word))
    return false;
  *c = skip_blanks (*c + strlen (word), stop);
  return true;
}

/* #pragma upc strict, relaxed, each with next, global or without: *C is behind that word. */
static enum pragma_kind
read_strictness (const char **c, const char *stop, bool is_strict)
{
  if (take_word (c, stop, "next"))
    return PRAGMA_NEXT;
  take_word (c, stop, "global");
  scanned.mode.is_strict = is_strict;
  return is_strict ? PRAGMA_STRICT : PRAGMA_RELAXED;
}

/* The last pragma has words from C on that mean nothing. Comments are there with -C. */
static void
ignore_rest (const char *c, const char *stop)
{
  if (c < stop && *c != '\r' && *c != '/')
    unit.pragmas[unit.pragma_count - 1].ignored = c;
}

/* #pragma upc …: C is behind `upc`. */
static void
read_upc_pragma (const char *c, const char *start, const char *stop)
{
  enum pragma_kind kind = PRAGMA_UPC_OTHER;
  bool is_strict;

  c = skip_blanks (c, stop);
  is_strict = take_word (&c, stop, "strict");
  if (is_strict)
    kind = read_strictness (&c, stop, true);
  else if (take_word (&c, stop, "relaxed"))
    kind = read_strictness (&c, stop, false);
  else if (take_word (&c, stop, "c_code"))
    {
      kind = PRAGMA_C_CODE;
      scanned.mode.is_c_code = true;
    }
  else if (take_word (&c, stop, "upc_code"))
    {
      kind = PRAGMA_UPC_CODE;
      scanned.mode.is_c_code = false;
    }
  note_pragma (kind, is_strict, start, stop);
  ignore_rest (kind == PRAGMA_UPC_OTHER ? start : c, stop);
}

/* #pragma pupc on, off: C is behind `pupc`. */
static void
read_pupc_pragma (const char *c, const char *start, const char *stop)
{
  const char *word = skip_blanks (c, stop);
  bool is_on = starts_word (word, stop, "on"), is_off = starts_word (word, stop, "off");

  c = skip_blanks (word + (is_on ? strlen ("on") : is_off ? strlen ("off") : 0), stop);
  if (c < stop && *c == '\r')
    c++;
  if ((!is_on && !is_off) || c != stop)
    {
      note_pragma (PRAGMA_PUPC_OTHER, 0, start, stop);
      ignore_rest (start, stop);
      return;
    }
  scanned.mode.is_unwatched = is_off;
  note_pragma (PRAGMA_PUPC, 0, start, stop);
}

/* #pragma upct extension on, off; #pragma upct c23, which says that the compiler's C is C23, by its
   default too; #pragma upct red_zones, of upct/objects.h, plugin, of upct/pointer.h, clang and masks, of upct/access.h, and outline, of
   upct/clean.h: C is behind `upct`. */
static void
read_upct_pragma (const char *c, const char *start, const char *stop)
{
  static const struct
  {
    const char *word;
    bool *what;
  } told[] = { { "red_zones", &switches.red_zones },
               { "plugin", &switches.plugin },
               { "clang", &switches.clang },
               { "masks", &switches.masks },
               { "outline", &switches.outlines } };

  c = skip_blanks (c, stop);
  if (starts_word (c, stop, "c23"))
    {
      switches.c23 = true;
      enter_keywords ();
      note_pragma (PRAGMA_EXTENSION, 0, start, stop);
      return;
    }
  for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    if (starts_word (c, stop, told[i].word))
      {
        *told[i].what = true;
        note_pragma (PRAGMA_EXTENSION, 0, start, stop);
        return;
      }
  if (!starts_word (c, stop, "extension"))
    return;
  scanned.mode.is_extension = starts_word (skip_blanks (c + strlen ("extension"), stop), stop,
                                           "on");
  note_pragma (PRAGMA_EXTENSION, 0, start, stop);
}

static void
push_pack (void)
{
  pack_stack = grow_array (pack_stack, pack_count + 1, &pack_capacity, sizeof *pack_stack);
  pack_stack[pack_count++] = pack_now;
}

/* #pragma pack (push, 4), (pop), (4), (): C is behind `pack`. */
static void
read_pack_pragma (const char *c, const char *start, const char *stop)
{
  bool resets = true;

  for (; c < stop; c++)
    if (starts_word (c, stop, "push"))
      {
        push_pack ();
        resets = false;
        c += 3;
      }
    else if (starts_word (c, stop, "pop"))
      {
        pack_now = pack_count ? pack_stack[--pack_count] : 0;
        resets = false;
        c += 2;
      }
    else if (isdigit ((unsigned char) *c))
      {
        pack_now = strtoul (c, NULL, 0);
        resets = false;
        while (c + 1 < stop && isalnum ((unsigned char) c[1]))
          c++;
      }
  if (resets)
    pack_now = 0;
  if (pack_now > 16 || (pack_now & (pack_now - 1)))
    pack_now = 0;
  note_pragma (PRAGMA_PACK, pack_now, start, stop);
}

/* Hints for loops, which compilers refuse where no loop of C's follows. C is behind `pragma`. */
static bool
is_hint (const char *c, const char *stop)
{
  static const struct
  {
    const char *of, *word;
  } hints[] = { { "GCC", "ivdep" }, { "GCC", "unroll" }, { "clang", "loop" }, { "omp", "simd" } };

  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (starts_word (c, stop, hints[i].of)
        && starts_word (skip_blanks (c + strlen (hints[i].of), stop), stop, hints[i].word))
      return true;
  return false;
}

const char *
read_directive (const char *start, const char *end)
{
  const char *stop = memchr (start, '\n', end - start), *c;

  stop = stop ? stop : end;
  c = skip_blanks (start + 1, stop);
  if (starts_word (c, stop, "line"))
    c = skip_blanks (c + 4, stop);
  if (c < stop && isdigit ((unsigned char) *c))
    read_line_marker (c, stop);
  else if (starts_word (c, stop, "pragma"))
    {
      c = skip_blanks (c + 6, stop);
      if (starts_word (c, stop, "upc"))
        read_upc_pragma (c + 3, start, stop);
      else if (starts_word (c, stop, "upct"))
        read_upct_pragma (c + 4, start, stop);
      else if (starts_word (c, stop, "pupc"))
        read_pupc_pragma (c + 4, start, stop);
      else if (starts_word (c, stop, "pack"))
        read_pack_pragma (c + 4, start, stop);
      else if (is_hint (c, stop))
        note_pragma (PRAGMA_LOOP, 0, start, stop);
    }
  return stop;
}
