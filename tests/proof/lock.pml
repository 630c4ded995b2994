/* The lock: runtime/sync/lock.c. THREADS threads take and release it for ever, or ROUNDS
   times, so that one that is never woken is all that is left; with ATTEMPTS the last
   thread only attempts to. Parking on a node is a blocking step
   (park.pml); the head's sleep on the lock's word, which says itself that it sleeps,
   is here in full.

   What must hold: mutual exclusion; no invalid end state, so no lost wake-up and no
   lost place in the queue; and who just comes by never takes a lock that the head has
   promised itself, or the owner the head, unless it is OVERDUE: that bounds how long the
   head waits.

   C                                              here
   word: owner, SLEEPER, PROMISED                 owner | S | P
   upcr_lock_acquire_inline, upcr_lock_try        CAS (0, me)
   take_overdue                                   CAS (P, P | me), any time
   upcr_lock_look_at_turn                         promise: tail != 0, word | P, any time
   queue_up                                       xchg of tail, next[before] = me, turn[me]
   acquire_as_head: look_for                      w = word
     wait_awake: set_word (word | PROMISED)       CAS (w, w | P)
     upcr_lock_take                               CAS (w, me)
     sleep_on: set_word, upcr_sleep               CAS (w, a); asleep while word == a
   leave_queue                                    CAS (tail, 0) or wait for next[me]
   upcr_lock_release_inline, _slowly              CAS (me, 0) or word & P, then wake

   PASSED_OVER is 1: what comes after it does not depend on how many sleeps it is. */

#ifndef THREADS
#define THREADS 3
#endif
#define S 16
#define P 32
#define OWNER(w) ((w) & 15)
#define PASSED_OVER 1
#define ME (_pid + 1)

byte word = 0, tail = 0;
byte next[THREADS + 1];
bool turn[THREADS + 1];
bool asleep = false;         /* the head, on the word */
byte inside = 0;
bool promised = false;       /* who has set P, the head or the owner, means it */

/* PROMISE: what the head means by it, when it works. */
inline cas_of_head (old, new, promise)
{
  d_step {
    if
    :: word == (old) -> word = (new); promised = promise; done = true
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
  d_step { turn[ME] = false; next[ME] = 0; before = tail; tail = ME };
  if
  :: before != 0 ->
     next[before] = ME;
     turn[ME]
  :: else
  fi;

  sleeps = 0;
  do
  :: w = word;
     if                                   /* promise it, or not: both happen */
     :: OWNER (w) != 0 ->
#ifndef MUTANT_NO_PROMISE
        cas_of_head (w, w | P, true);
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
        :: else -> sleeps = (sleeps < PASSED_OVER -> sleeps + 1 : sleeps)
        fi
     :: else ->
#if defined MUTANT_NO_FLAG
        a = w & (15 | S);
#elif defined MUTANT_NO_PROMISE
        a = (w & 15) | S;
#else
        a = (w & 15) | S | (sleeps >= PASSED_OVER -> P : 0);
#endif
        cas_of_head (w, a, (a & P) != 0);
        if
        :: done ->
           sleep_on_word (a);
           sleeps = (sleeps < PASSED_OVER -> sleeps + 1 : sleeps)
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
  :: !done && next[ME] != 0 -> turn[next[ME]] = true
  :: else
  fi;
#else
  if
  :: !done -> next[ME] != 0; turn[next[ME]] = true
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
#ifdef MUTANT_FORGET_PROMISE
       word = 0
#else
       word = word & P
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

/* A turn may be over at any time. The nap of the head is no step: it ends by itself. */
inline promise ()
{
  if
  :: tail != 0 ->
     d_step { word = word | P; promised = true }
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
          assert (!promised);             /* or the promise was not kept */
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
     :: !done && word == P ->
        cas (P, P | ME, done);
        if
        :: done
        :: else -> acquire_slowly ()
        fi
     :: !done && word != P -> acquire_slowly ()
#else
     :: else -> acquire_slowly ()
#endif
     fi;

     inside++;
     assert (inside == 1 && OWNER (word) == ME);
     promise ();
     inside--;
     release ();
again:
     skip
  od
}
