/* Parking: runtime/sync/policy/park.c. WAITERS threads park on a word that one thread changes
   CHANGES times. The memory keeps a buffer of stores, as x86 does: the waker's store to
   the word stands in it until it is drained or a fence waits for that. A wake-up may
   come for no reason.

   What must hold: every waiter sees each change in the end. Else all are blocked, which
   spin reports as an invalid end state.

   C                                               here
   upcr_park_while: looks before                   `word != seen`, or go on
   park: fetch_add of the count                    count++
     load of the word                              `word != seen`, `word == seen`
     upcr_sleep: the kernel compares and sleeps    one atomic step, then !asleep
     fetch_sub of the count                        count--
   the store before upcr_unpark_all                buffered = next, is_buffered = true
   upcr_unpark_all: upcr_hardware_fence            !is_buffered
   upcr_unpark_fenced: reads the count, wakes      `count != 0`, one atomic step */

#ifndef WAITERS
#define WAITERS 2
#endif
#define CHANGES 2

byte word = 0, count = 0, buffered = 0;
bool is_buffered = false;
bool asleep[WAITERS];
byte arrived = 0;    /* how often a waiter has seen a change: the waker goes on */

active proctype drain ()
{
end:
  do
  :: atomic { is_buffered -> word = buffered; is_buffered = false }
  od
}

inline count_in ()
{
#ifndef MUTANT_NO_COUNT_BEFORE
  count++
#else
  skip
#endif
}

/* The count after the comparison: too late. */
inline count_late ()
{
#ifdef MUTANT_NO_COUNT_BEFORE
  count++
#else
  skip
#endif
}

inline sleep ()
{
  if
  :: skip                                  /* a wake-up for no reason, or a signal */
  :: atomic {
       if
#ifdef MUTANT_NO_COMPARE
       :: true -> asleep[me] = true
#else
       :: word == seen -> asleep[me] = true
       :: else
#endif
       fi
     };
     count_late ();
     !asleep[me];
#ifdef MUTANT_NO_COUNT_BEFORE
     count--
#endif
  fi
}

active [WAITERS] proctype waiter ()
{
  byte me = _pid - 1, seen = 0;

  do
  :: seen == CHANGES -> break
  :: else ->
     if
     :: word != seen
     :: true ->
        count_in ();
        do
        :: word != seen -> break
        :: word == seen -> sleep ()
        od;
#ifndef MUTANT_NO_COUNT_BEFORE
        count--
#endif
     fi;
     seen = word;
     arrived++
  od
}

active proctype waker ()
{
  byte next = 0, i;

  do
  :: next == CHANGES -> break
  :: else ->
     next++;
     atomic { buffered = next; is_buffered = true };
#ifndef MUTANT_NO_FENCE
     !is_buffered;
#endif
     if
     :: count != 0 ->
        d_step {
          i = 0;
          do
          :: i == WAITERS -> break
          :: else -> asleep[i] = false; i++
          od
        }
     :: else
     fi;
     arrived == WAITERS * next
  od
}
