/* The barrier: runtime/sync/primitives/tree.[ch] and barrier_id.[ch]. THREADS threads
   pass it for ever; FAN_IN is 2, so that three threads have two levels and four have
   a full tree. Phases are counted modulo 4, which the threads only compare for
   equality: with the wrap in the model, what is verified holds for any number of phases.

   Every order of memory is seq_cst here, as the marks of the C code are: what is
   written before arriving is seen by who sees the mark.

   What must hold: a thread that has passed a barrier finds no thread behind it
   (separation); one thread releases the others in each phase; the ids of a phase are those
   that its threads gave. That no thread is blocked for ever is the absence of invalid end
   states: await blocks, as parking does by its own proof (park.pml).

   C                                              here
   upcr_tree_arrive: exchange of its mark         node[me] = next
   upcr_tree_combine: is_complete                 a step for each sibling looked at
     compare-exchange of the parent               one atomic step
   upcr_clear_barrier_ids                         consensus[1 - parity] = 0
   upcr_tree_release                              a step for each group
   upcr_tree_await: looks at the group's          `epoch[me / 2] != phase`, or go on
     upcr_park_apart: sleeps on the first one's   blocks on it, then looks again
   upcr_set_barrier_id, upcr_check_barrier_ids    consensus[parity] */

#ifndef THREADS
#define THREADS 3
#endif
#define PHASES 4
#define WIDTH1 ((THREADS + 1) / 2)           /* nodes above the leaves */
#define WIDTH2 ((WIDTH1 + 1) / 2)
#define NODES (THREADS + WIDTH1 + WIDTH2 + 1)
#define GROUPS WIDTH1

byte node[NODES];
byte epoch[GROUPS];
byte at[THREADS];            /* the phase that a thread is in, for the assertions */
byte consensus[2];           /* 0, or the id of the phase: its number, plus 1 */
byte openers = 0;

active [THREADS] proctype thread ()
{
  byte me = _pid, phase, next, i, first, width, parent, t;
  bool is_last;

  do
  :: phase = node[me];
     next = (phase + 1) % PHASES;

     /* notify: the id, then the mark */
     if
     :: consensus[phase % 2] == 0 -> consensus[phase % 2] = phase + 1
     :: else -> assert (consensus[phase % 2] == phase + 1)
     fi;
     node[me] = next;

     /* combine */
     i = me;
     first = 0;
     width = THREADS;
     is_last = true;
     do
     :: width == 1 -> break
     :: else ->
        /* the sibling of I, where it has one */
#ifndef MUTANT_NO_LOOK
        if
        :: (i % 2 == 1 || i + 1 < width) && node[first + (i - i % 2) + (1 - i % 2)] == phase ->
           is_last = false; break
        :: else
        fi;
#endif
        first = first + width;
        width = (width + 1) / 2;
        i = i / 2;
        atomic {
#ifdef MUTANT_STORE
          node[first + i] = next
#else
          if
          :: node[first + i] == phase -> node[first + i] = next
          :: else -> is_last = false
          fi
#endif
        };
        if
        :: !is_last -> break
        :: else
        fi
     od;

     if
     :: is_last ->
        openers++;
        assert (openers == 1);
#ifdef MUTANT_CLEAR_LATE
        openers--;
        t = GROUPS;
        do
        :: t == 0 -> break
        :: else -> t--; epoch[t] = next
        od;
        consensus[1 - phase % 2] = 0
#else
        consensus[1 - phase % 2] = 0;
        openers--;
        t = GROUPS;
        do
        :: t == 0 -> break
        :: else -> t--; epoch[t] = next
        od
#endif
     :: else
     fi;

     /* wait */
     do
     :: epoch[me / 2] != phase -> break
     :: epoch[me / 2] == phase ->
        epoch[0] != phase;
#ifdef MUTANT_ONE_LOOK
        break
#endif
     od;
     assert (consensus[phase % 2] == phase + 1);
     d_step {
       at[me] = next;
       t = 0;
       do
       :: t == THREADS -> break
       :: else ->
          /* another is where this one was, being slow to leave, or where it is, or one
             further on is impossible: it would have to pass a barrier without this one */
          assert (at[t] == phase || at[t] == next);
          t++
       od;
       t = 0
     };
     d_step {
       t = 0;
       do
       :: t == THREADS -> break
       :: else -> assert (node[t] != phase); t++
       od;
       t = 0
     }
  od
}
