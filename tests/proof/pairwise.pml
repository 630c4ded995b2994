/* The barrier of two threads: each looks at the other's mark (upcr_tree_is_pairwise).
   Phases modulo 4, for ever, as in tree.pml.

   C                                                here
   id of the node, exchange of the mark             id[me][parity], mark[me] = next
   upcr_tree_await                                  blocks on the other's mark
   pairwise_consensus: both ids of the phase        the assertion on the other's id */

byte mark[2];
byte id[4];          /* id[2 * thread + parity], as the phase's number */

active [2] proctype thread ()
{
  byte me = _pid, phase = 0, next;

  do
  :: next = (phase + 1) % 4;
#ifdef MUTANT_MARK_FIRST
     mark[me] = next;
     id[2 * me + phase % 2] = phase;
#else
     id[2 * me + phase % 2] = phase;
     mark[me] = next;
#endif
#ifdef MUTANT_ONE_ID
     id[2 * me + 1 - phase % 2] = phase;
#endif
     mark[1 - me] != phase;
     /* The other is in the next phase at most: it needs this thread's mark to leave. */
     assert (mark[1 - me] == next || mark[1 - me] == (next + 1) % 4);
     assert (id[2 * (1 - me) + phase % 2] == phase);
     phase = next
  od
}
