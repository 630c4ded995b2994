/* Archives as ar writes them, and as nobody should. */

#include "tools/common/common.h"

#include <stdarg.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "test";

static char image[4096];
static size_t size;

static void
begin (const char *magic)
{
  size = sprintf (image, "%s", magic);
}

static void
put_bytes (const char *name, const char *body, size_t body_size, size_t length)
{
  size += sprintf (image + size, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644, length);
  memcpy (image + size, body, body_size);
  size += body_size;
  if (size % 2)
    image[size++] = '\n';
}

static void
put (const char *name, const char *body, size_t length)
{
  put_bytes (name, body, strlen (body), length);
}

/* "NAME=BODY " of each member, and the error. */
static const char *
listed (const char *path)
{
  struct archive archive;
  struct archive_member member;
  const char *text = "";
  char *copy = memcpy (xmalloc (size), image, size);

  assert_true (is_archive (copy, size));
  archive_open (&archive, path, copy, size);
  while (archive_next (&archive, &member))
    text = member.file
               ? arena_format ("%s%s=%s@%zu ", text, member.name, member.file, member.offset)
               : arena_format ("%s%s=%.*s ", text, member.name, (int) member.size, member.bytes);
  if (archive.error)
    text = arena_format ("%s%s", text, archive.error);
  free (copy);
  return text;
}

static void
names_of_gnu (void **state)
{
  (void) state;
  begin ("!<arch>\n");
  put ("/", "index", 5);
  put ("//", "a_name_that_is_long.o/\nanother_long_name.o/\n", 44);
  put ("/0", "one", 3);
  put ("b.o/", "", 0);
  put ("/23", "three", 5);
  put ("with blank.o/", "4", 1);
  assert_string_equal (listed ("l.a"),
                       "a_name_that_is_long.o=one b.o= another_long_name.o=three with blank.o=4 ");
}

static void
names_of_bsd (void **state)
{
  (void) state;
  begin ("!<arch>\n");
  put ("__.SYMDEF SORTED", "index", 5);
  put_bytes ("#1/20", "a_name_that_is_long\0one", 23, 23);
  put ("b.o", "two", 3);
  assert_string_equal (listed ("l.a"), "a_name_that_is_long=one b.o=two ");
}

static void
thin_members_are_files (void **state)
{
  (void) state;
  begin ("!<thin>\n");
  put ("//", "sub/a.o/\n/absolute/b.o/\ninner.a/\n", 33);
  put ("/0", "", 1000);
  put ("/9", "", 50);
  put ("/24:68", "", 7);
  assert_string_equal (
      listed ("lib/l.a"),
      "sub/a.o=lib/sub/a.o@0 /absolute/b.o=/absolute/b.o@0 inner.a=lib/inner.a@68 ");
  assert_string_equal (listed ("l.a"),
                       "sub/a.o=sub/a.o@0 /absolute/b.o=/absolute/b.o@0 inner.a=inner.a@68 ");
}

static void
empty_archive (void **state)
{
  (void) state;
  begin ("!<arch>\n");
  assert_string_equal (listed ("l.a"), "");
  assert_false (is_archive ("!<arch>", 7));
  assert_false (is_archive ("!<arch> ", 8));
}

/* Cut anywhere, it is told; what comes before the cut is listed. */
static void
truncated_archives (void **state)
{
  size_t whole, first;

  (void) state;
  begin ("!<arch>\n");
  put ("a.o/", "one!", 4);
  first = size;
  put ("b.o/", "two!", 4);
  whole = size;
  for (size = 9; size < whole; size++)
    if (size != first)
      assert_string_equal (listed ("l.a"), size < first ? "truncated" : "a.o=one! truncated");
}

static void
bad_names (void **state)
{
  (void) state;
  begin ("!<arch>\n");
  put ("/5", "x", 1);
  assert_string_equal (listed ("l.a"), "a member without a name");
  begin ("!<arch>\n");
  put ("#1/5", "abcd", 4);
  assert_string_equal (listed ("l.a"), "a member without a name");
  begin ("!<arch>\n");
  put ("#1/", "abcd", 4);
  assert_string_equal (listed ("l.a"), "a member without a name");
  begin ("!<arch>\n");
  put ("a.o/", "abcd", (size_t) 9999999999);
  assert_string_equal (listed ("l.a"), "truncated");
}

static void
names_for_messages (void **state)
{
  struct archive archive = { .path = "lib/l.a" };
  struct archive_member member = { .name = "sub/a.o" };

  (void) state;
  assert_string_equal (archive_member_name (&archive, &member), "lib/l.a(a.o)");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (names_of_gnu),           cmocka_unit_test (names_of_bsd),
    cmocka_unit_test (thin_members_are_files), cmocka_unit_test (empty_archive),
    cmocka_unit_test (truncated_archives),     cmocka_unit_test (bad_names),
    cmocka_unit_test (names_for_messages),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
