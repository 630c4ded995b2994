/* The lock: runtime/sync/primitives/lock.c. THREADS threads take and release it for ever, or
   ROUNDS times, so that one that is never woken is all that is left; with ATTEMPTS the last
   thread only attempts to. Parking on a node is a blocking step (park.pml); the head's sleep
   on the lock's word, which says itself that it sleeps, is here in full.

   What must hold: mutual exclusion; no invalid end state, so no lost wake-up and no
   lost place in the queue; and who just comes by never takes a lock that is to be handed to
   the head, unless it is OVERDUE: that bounds how long the head waits.

   C                                              here
   word: owner, SLEEPER, HANDOFF                  owner | S | H
   upcr_lock_acquire, upcr_lock_try               CAS (0, me)
   take_overdue                                   CAS (H, H | me), any time
   upcr_lock_check_quantum                        end_quantum: tail != 0, word | H, any time
   queue_up                                       xchg of tail, next[before] = me, is_head[me]
   acquire_as_head: look_for                      w = word
     compete: set_word (word | HANDOFF)           CAS (w, w | H)
     upcr_lock_take                               CAS (w, me)
     sleep_on: set_word, upcr_sleep               CAS (w, a); asleep while word == a
   leave_queue                                    CAS (tail, 0) or wait for next[me]
   upcr_lock_release, _slowly                     CAS (me, 0) or word & H, then wake

   MOST_SLEEPS is 1: what comes after it does not depend on how many sleeps it is. */

#ifndef THREADS
#define THREADS 3
#endif
#define S 16
#define H 32
#define OWNER(w) ((w) & 15)
#define MOST_SLEEPS 1
#define ME (_pid + 1)

byte word = 0, tail = 0;
byte next[THREADS + 1];
bool is_head[THREADS + 1];
bool asleep = false;         /* the head, on the word */
byte inside = 0;
bool is_for_head = false;    /* who has set H, the head or the owner, means it */

/* HANDOFF: what the head means by it, when it works. */
inline cas_of_head (old, new, handoff)
{
  d_step {
    if
    :: word == (old) -> word = (new); is_for_head = handoff; done = true
    :: else -> done = false
    fi
  }
}

inline cas (old, new, done)
{
  d_step {
    if
    :: word == (old) -> word = (new); done = true
    :: else -> done = false
    fi
  }
}

/* A futex call is one step of the kernel. */
inline sleep_on_word (a)
{
  if
  :: skip                                 /* for no reason */
  :: atomic {
       if
#ifdef MUTANT_NO_COMPARE
       :: true -> asleep = true
#else
       :: word == a -> asleep = true
       :: else
#endif
       fi
     };
     !asleep
  fi
}

inline acquire_slowly ()
{
  d_step { is_head[ME] = false; next[ME] = 0; before = tail; tail = ME };
  if
  :: before != 0 ->
     next[before] = ME;
     is_head[ME]
  :: else
  fi;

  sleeps = 0;
  do
  :: w = word;
     if                                   /* ask for it, or not: both happen */
     :: OWNER (w) != 0 ->
#ifndef MUTANT_NO_HANDOFF
        cas_of_head (w, w | H, true);
        if
        :: done -> w = word
        :: else
        fi
#else
        skip
#endif
     :: true
     fi;
     if
     :: OWNER (w) == 0 ->
        cas_of_head (w, ME, false);
        if
        :: done -> break
        :: else -> sleeps = (sleeps < MOST_SLEEPS -> sleeps + 1 : sleeps)
        fi
     :: else ->
#if defined MUTANT_NO_FLAG
        a = w & (15 | S);
#elif defined MUTANT_NO_HANDOFF
        a = (w & 15) | S;
#else
        a = (w & 15) | S | (sleeps >= MOST_SLEEPS -> H : 0);
#endif
        cas_of_head (w, a, (a & H) != 0);
        if
        :: done ->
           sleep_on_word (a);
           sleeps = (sleeps < MOST_SLEEPS -> sleeps + 1 : sleeps)
        :: else
        fi
     fi
  od;

  /* leave the queue */
  done = false;
  if
  :: next[ME] == 0 ->
     d_step {
       if
       :: tail == ME -> tail = 0; done = true
       :: else
       fi
     }
  :: else
  fi;
#ifdef MUTANT_NO_LINK_WAIT
  if
  :: !done && next[ME] != 0 -> is_head[next[ME]] = true
  :: else
  fi;
#else
  if
  :: !done -> next[ME] != 0; is_head[next[ME]] = true
  :: else
  fi;
#endif
  w = 0; a = 0; before = 0; sleeps = 0
}

inline release ()
{
  cas (ME, 0, done);
  if
  :: !done ->
     d_step {
       w = word;
#ifdef MUTANT_FORGET_HANDOFF
       word = 0
#else
       word = word & H
#endif
     };
     if
#ifndef MUTANT_NO_WAKE
     :: w & S -> asleep = false
#endif
     :: else
     fi;
     w = 0
  :: else
  fi
}

/* A quantum may be over at any time. The nap of the head is no step: it ends by itself. */
inline end_quantum ()
{
  if
  :: tail != 0 ->
     d_step { word = word | H; is_for_head = true }
  :: true
  fi
}

active [THREADS] proctype thread ()
{
  byte before, w, a, sleeps, rounds = 0;
  bool done;

  do
#ifdef ROUNDS
  :: rounds == ROUNDS -> break
  :: rounds < ROUNDS ->
     rounds++;
#else
  :: true ->
#endif
     d_step {
       if
       :: word == 0 ->
          assert (!is_for_head);             /* or it was not handed over */
          word = ME;
          done = true
       :: else -> done = false
       fi
     };
     if
     :: done
#ifdef ATTEMPTS
     :: !done && _pid == THREADS - 1 -> goto again
     :: !done && _pid != THREADS - 1 -> acquire_slowly ()
#elif defined OVERDUE
     :: !done && word == H ->
        cas (H, H | ME, done);
        if
        :: done
        :: else -> acquire_slowly ()
        fi
     :: !done && word != H -> acquire_slowly ()
#else
     :: else -> acquire_slowly ()
#endif
     fi;

     inside++;
     assert (inside == 1 && OWNER (word) == ME);
     end_quantum ();
     inside--;
     release ();
again:
     skip
  od
}
