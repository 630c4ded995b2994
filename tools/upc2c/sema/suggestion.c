/* Suggestions: what the programmer may have meant. */

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

/* A function for each type that the collective functions compute with. */
#define FOR_EACH_TYPE(name)                                                                    \
  " " name "C " name "UC " name "S " name "US " name "I " name "UI " name "L " name "UL " name \
  "F " name "D " name "LD"

/* The functions of each header, with a blank before and behind each. */
static const struct
{
  const char *header, *functions;
} headers[] = {
  { "upc.h",
    " upc_addrfield upc_affinitysize upc_all_alloc upc_all_free upc_all_lock_alloc"
    " upc_all_lock_free upc_alloc upc_free upc_global_alloc upc_global_exit"
    " upc_global_lock_alloc upc_local_alloc upc_lock upc_lock_attempt"
    " upc_lock_free upc_memcpy upc_memget upc_memput upc_memset upc_phaseof upc_poll upc_resetphase upc_threadof"
    " upc_unlock " },
  { "upc_collective.h", " upc_all_broadcast upc_all_exchange upc_all_gather upc_all_gather_all"
                        " upc_all_permute upc_all_scatter upc_all_sort" FOR_EACH_TYPE (
                            "upc_all_reduce") FOR_EACH_TYPE ("upc_all_prefix_reduce") " " },
  { "upc_io.h", " upc_all_fclose upc_all_fcntl upc_all_fget_size upc_all_fopen upc_all_fpreallocate"
                " upc_all_fread_list_local upc_all_fread_list_local_async upc_all_fread_list_shared"
                " upc_all_fread_list_shared_async upc_all_fread_local upc_all_fread_local_async"
                " upc_all_fread_shared upc_all_fread_shared_async upc_all_fseek upc_all_fset_size"
                " upc_all_fsync upc_all_ftest_async upc_all_fwait_async upc_all_fwrite_list_local"
                " upc_all_fwrite_list_local_async upc_all_fwrite_list_shared"
                " upc_all_fwrite_list_shared_async upc_all_fwrite_local upc_all_fwrite_local_async"
                " upc_all_fwrite_shared upc_all_fwrite_shared_async " },
  { "upc_atomic.h", " upc_all_atomicdomain_alloc upc_all_atomicdomain_free upc_atomic_isfast"
                    " upc_atomic_relaxed upc_atomic_strict " },
  { "upct_heap.h", " upc_heap_report " },
  { "upc_tick.h", " upc_ticks_now upc_ticks_to_ns " },
  { "upc_castable.h", " upc_cast upc_thread_info " },
  { "upc_nb.h", " upc_memcpy_nb upc_memcpy_nbi upc_memget_nb upc_memget_nbi upc_memput_nb"
                " upc_memput_nbi upc_memset_nb upc_memset_nbi upc_sync upc_sync_attempt upc_synci"
                " upc_synci_attempt " },
};

void
check_undeclared_function (token_index where)
{
  const char *name = arena_format (" %s ", token_at (where)->name->text);

  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    if (strstr (headers[i].functions, name))
      {
        propose_include (where, headers[i].header);
        error_at (where, "implicit declaration of function '%s'; it is declared in <%s>",
                  token_at (where)->name->text, headers[i].header);
        return;
      }
}

/* What a function does with arguments that a format converts, and what to do instead. */
static const struct format_function
{
  const char *name, *does, *instead;
} format_functions[] = {
#define PRINTS "prints a pointer-to-shared", "print its upc_threadof, upc_phaseof and upc_addrfield"
#define SCANS "stores through a pointer-to-shared", "read into a private variable and assign that"
  { "printf", PRINTS },  { "fprintf", PRINTS }, { "sprintf", PRINTS }, { "snprintf", PRINTS },
  { "dprintf", PRINTS }, { "scanf", SCANS },    { "fscanf", SCANS },   { "sscanf", SCANS },
};

void
check_formatted (const struct expr *e)
{
  const struct expr *callee = strip_conversions (e->a);

  if (callee->kind != EXPR_NAME || callee->decl->kind != DECL_FUNCTION)
    return;
  for (size_t f = 0; f < sizeof format_functions / sizeof *format_functions; f++)
    if (strcmp (callee->decl->name->text, format_functions[f].name) == 0)
      for (uint32_t i = 0; i < e->list->count; i++)
        if (type_is_pts (value_type (e->list->item[i])))
          warning_at (e->list->item[i]->first, "no conversion of '%s' %s; %s",
                      format_functions[f].name, format_functions[f].does,
                      format_functions[f].instead);
}
