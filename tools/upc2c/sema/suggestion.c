/* What the programmer may have meant. */

#include "tools/upc2c/sema/sema.h"

#include <string.h>

static const char *const keywords[] = {
#define UPC_KEYWORD(kind, spelling, role, standards) spelling,
#include "tools/upc2c/lex/keywords.def"
};

enum
{
  MOST_LETTERS = 24
};

static unsigned
least (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* How many letters must be changed, added, left away or swapped with the next one. */
static unsigned
distance (const char *a, const char *b)
{
  unsigned row[MOST_LETTERS + 1][MOST_LETTERS + 1];
  size_t m = strlen (a), n = strlen (b);

  for (size_t i = 0; i <= m; i++)
    for (size_t j = 0; j <= n; j++)
      {
        if (i == 0 || j == 0)
          {
            row[i][j] = i + j;
            continue;
          }
        row[i][j] = least (least (row[i - 1][j], row[i][j - 1]) + 1,
                           row[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          row[i][j] = least (row[i][j], row[i - 2][j - 2] + 1);
      }
  return row[m][n];
}

const char *
nearest_keyword (const struct name *name)
{
  const char *nearest = NULL;
  unsigned best = name->length / 4 + 1;

  if (name->length < 4 || name->length > MOST_LETTERS)
    return NULL;
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    {
      unsigned apart = distance (name->text, keywords[i]);

      if (apart < best)
        {
          best = apart;
          nearest = keywords[i];
        }
    }
  return nearest;
}

const char *
suggestion (token_index where)
{
  const char *nearest = nearest_keyword (token_at (where)->name);

  if (!nearest)
    return "";
  propose (where, where, nearest);
  return arena_format ("; did you mean '%s'?", nearest);
}

/* The header of each function of the library: the first prefix that fits. One that ends with a
   blank is a whole name. */
static const struct
{
  const char *prefix, *header;
} headers[] = {
  { "upc_all_alloc ", "upc.h" },
  { "upc_all_free ", "upc.h" },
  { "upc_all_lock_", "upc.h" },
  { "upc_all_atomicdomain_", "upc_atomic.h" },
  { "upc_all_f", "upc_io.h" },
  { "upc_all_broadcast ", "upc_collective.h" },
  { "upc_all_scatter ", "upc_collective.h" },
  { "upc_all_gather", "upc_collective.h" },
  { "upc_all_exchange ", "upc_collective.h" },
  { "upc_all_permute ", "upc_collective.h" },
  { "upc_all_reduce", "upc_collective.h" },
  { "upc_all_prefix_reduce", "upc_collective.h" },
  { "upc_all_sort ", "upc_collective.h" },
  { "upc_atomic_", "upc_atomic.h" },
  { "upc_tick", "upc_tick.h" },
  { "upc_cast ", "upc_castable.h" },
  { "upc_thread_info ", "upc_castable.h" },
  { "upc_memcpy_nb", "upc_nb.h" },
  { "upc_memget_nb", "upc_nb.h" },
  { "upc_memput_nb", "upc_nb.h" },
  { "upc_memset_nb", "upc_nb.h" },
  { "upc_sync", "upc_nb.h" },
  { "upc_alloc ", "upc.h" },
  { "upc_global_", "upc.h" },
  { "upc_local_alloc ", "upc.h" },
  { "upc_free ", "upc.h" },
  { "upc_lock", "upc.h" },
  { "upc_unlock ", "upc.h" },
  { "upc_memcpy ", "upc.h" },
  { "upc_memget ", "upc.h" },
  { "upc_memput ", "upc.h" },
  { "upc_memset ", "upc.h" },
  { "upc_threadof ", "upc.h" },
  { "upc_phaseof ", "upc.h" },
  { "upc_addrfield ", "upc.h" },
  { "upc_affinitysize ", "upc.h" },
  { "upc_resetphase ", "upc.h" },
};

void
check_undeclared_function (token_index where)
{
  const char *name = arena_format ("%s ", token_at (where)->name->text);

  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    if (strncmp (name, headers[i].prefix, strlen (headers[i].prefix)) == 0)
      {
        propose_include (where, headers[i].header);
        error_at (where, "implicit declaration of function '%s'; it is declared in <%s>",
                  token_at (where)->name->text, headers[i].header);
        return;
      }
}

static bool
prints (const struct name *name)
{
  static const char *const names[] = { "printf", "fprintf", "sprintf", "snprintf", "dprintf" };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (name->text, names[i]) == 0)
      return true;
  return false;
}

void
check_printed (const struct expr *e)
{
  const struct expr *callee = strip_conversions (e->a);

  if (callee->kind != EXPR_NAME || callee->decl->kind != DECL_FUNCTION
      || !prints (callee->decl->name))
    return;
  for (uint32_t i = 0; i < e->list->count; i++)
    if (type_is_pts (value_type (e->list->item[i])))
      warning_at (e->list->item[i]->first,
                  "no conversion of '%s' prints a pointer-to-shared; print its upc_threadof, "
                  "upc_phaseof and upc_addrfield",
                  callee->decl->name->text);
}
