/* The one hash table of hsearch. */

#include "runtime/libc/libc.h"

static struct hsearch_data table;

int
upcr_hcreate (size_t entries)
{
  return hcreate_r (entries, &table);
}

void
upcr_hdestroy (void)
{
  hdestroy_r (&table);
}

ENTRY *
upcr_hsearch (ENTRY item, ACTION action)
{
  ENTRY *result;

  hsearch_r (item, action, &result, &table);
  return result;
}
