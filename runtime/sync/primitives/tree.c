/* The tree barrier: its slow paths.

   The tree has the shape with the shortest chain of transfers of cache lines
   (tests/unit/sync/test_transfers.c): up to eight threads in one node, more of them with four
   children each. With more children a thread looks at more lines; with fewer there are more
   levels. */

#include "runtime/sync/primitives/tree.h"

#include "runtime/sync/mechanism/debug.h"

void
upcr_tree_init (struct upcr_tree *tree, int threads, uint32_t epoch)
{
  int nodes = 0;

  tree->threads = threads;
  tree->fan_in_bits = threads <= 8 ? 3 : 2;
  for (uint32_t width = threads; width > 1; width = upcr_tree_width (tree, width))
    nodes += width;
  for (int i = 0; i <= nodes; i++)
    atomic_init (&tree->nodes[i].arrived, epoch);
  for (int i = 0; i * UPCR_GROUP < threads; i++)
    atomic_init (&tree->groups[i].epoch, epoch);
}

/* Have all siblings of node I, one of WIDTH, arrived in EPOCH? Looks at the next one
   first: threads often run in turn, and then the first look says no.

   seq_cst, as the marks of nodes are and the fence behind those of leaves: of the marks of
   siblings one is the last in that order; who set it sees the others here. */
static bool
is_complete (struct upcr_tree_node *level, uint32_t width, uint32_t fan_in, uint32_t i,
             uint32_t epoch)
{
  uint32_t first = i & -fan_in;
  uint32_t size = width - first < fan_in ? width - first : fan_in;

  for (uint32_t next = 1; next < size; next++)
    {
      uint32_t sibling = i + next < first + size ? i + next : i + next - size;

      if (atomic_load_explicit (&level[sibling].arrived, memory_order_seq_cst) == epoch)
        return false;
    }
  return true;
}

/* Several threads may see a group complete; the first to mark the parent goes on. A slow
   one finds it marked: no phase ends before that thread itself is in the next one, so
   the mark is of this phase or, where the phase has ended already, of the next. */
bool
upcr_tree_combine (struct upcr_tree *tree, uint32_t epoch)
{
  struct upcr_tree_node *level = tree->nodes;
  uint32_t i = MYTHREAD;

  for (uint32_t width = tree->threads; width > 1; width = upcr_tree_width (tree, width))
    {
      uint32_t unmarked = epoch;

      UPCR_RACE_POINT ();
      if (!is_complete (level, width, 1u << tree->fan_in_bits, i, epoch))
        return false;
      level += width;
      i >>= tree->fan_in_bits;
      if (!atomic_compare_exchange_strong_explicit (&level[i].arrived, &unmarked, epoch + 1,
                                                    memory_order_seq_cst, memory_order_relaxed))
        return false;
    }
  return true;
}

/* Release: all arrivals are before it, by the marks that the last thread has seen. The
   first group is the last, as all sleep on its word: it pairs with upcr_park_apart. */
void
upcr_tree_release (struct upcr_tree *tree, uint32_t epoch)
{
  uint32_t groups = (tree->threads + UPCR_GROUP - 1) / UPCR_GROUP;

  for (uint32_t g = groups; g-- > 0;)
    {
      UPCR_RACE_POINT ();
      atomic_store_explicit (&tree->groups[g].epoch, epoch + 1, memory_order_release);
    }
  upcr_hardware_fence ();
  upcr_unpark_fenced (&tree->groups[0].epoch);
}

void
upcr_tree_park (struct upcr_tree *tree, uint32_t epoch)
{
  _Atomic uint32_t *word = upcr_tree_word (tree);

  if (upcr_tree_is_pairwise (tree))
    upcr_park_while (word, epoch);
  else
    upcr_park_apart (word, &tree->groups[0].epoch, epoch);
}
