/* What stands on the command line in order: files, libraries, words for the linker. */

#include "tools/upcc/upcc.h"

void
options_add_item (struct options *options, enum item_kind kind, const char *text)
{
  options->items = grow_array (options->items, options->item_count + 1, &options->item_capacity,
                               sizeof *options->items);
  options->items[options->item_count++] = (struct item){ .kind = kind, .text = text };
}
