/* A program of real size: SQLite builds tables in memory, indexes and joins them.
   Compiled and linked natively, and by upcc, with the same static library. */

#include "tests/bench/real/real.h"

#include <sqlite3.h>

enum { ROWS = 100000 };

static sqlite3 *database;
static long rows_seen;

static void
check (int result, int wanted)
{
  if (result != wanted)
    {
      fprintf (stderr, "sqlite: %s\n", sqlite3_errmsg (database));
      exit (1);
    }
}

static void
execute (const char *statement)
{
  check (sqlite3_exec (database, statement, NULL, NULL, NULL), SQLITE_OK);
}

static void
fill_table (void)
{
  sqlite3_stmt *insert;
  char name[32];

  check (sqlite3_prepare_v2 (database, "INSERT INTO item VALUES (?, ?, ?)", -1, &insert, NULL),
         SQLITE_OK);
  for (int i = 0; i < ROWS; i++)
    {
      snprintf (name, sizeof name, "name %d", i * 7919 % ROWS);
      sqlite3_bind_int (insert, 1, i);
      sqlite3_bind_text (insert, 2, name, -1, SQLITE_TRANSIENT);
      sqlite3_bind_int (insert, 3, i % 97);
      check (sqlite3_step (insert), SQLITE_DONE);
      sqlite3_reset (insert);
    }
  sqlite3_finalize (insert);
}

static void
count_rows (const char *query)
{
  sqlite3_stmt *select;

  check (sqlite3_prepare_v2 (database, query, -1, &select, NULL), SQLITE_OK);
  while (sqlite3_step (select) == SQLITE_ROW)
    rows_seen += sqlite3_column_int (select, 0);
  sqlite3_finalize (select);
}

int
main (void)
{
  check (sqlite3_open (":memory:", &database), SQLITE_OK);
  execute ("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, kind INTEGER); BEGIN");
  fill_table ();
  execute ("COMMIT; CREATE INDEX by_name ON item (name); CREATE INDEX by_kind ON item (kind)");
  count_rows ("SELECT count(*) FROM item GROUP BY kind ORDER BY max(name)");
  count_rows ("SELECT count(*) FROM item a JOIN item b ON a.name = 'name ' || b.id "
              "WHERE a.kind < 50");
  count_rows ("SELECT length(upper(name)) FROM item WHERE name LIKE '%77%'");
  sqlite3_close (database);
  printf ("%ld\n", rows_seen);
  return 0;
}
