/* Two words of the program. Each of two threads stores to its own and then loads the other's, relaxed: with an order like
   that of strict accesses in between, one of them sees the other's store. Included behind runtime.h. */

#ifndef EXPLORE_WORDS_H
#define EXPLORE_WORDS_H

static _Atomic uint32_t x, y;
static uint32_t seen[8];

static _Atomic uint32_t *
mine (void)
{
  return MYTHREAD == 0 ? &x : &y;
}

static _Atomic uint32_t *
theirs (void)
{
  return MYTHREAD == 0 ? &y : &x;
}

static void
end_one_sees (void)
{
  EXPLORE_REQUIRE (seen[0] || seen[1]);
}

#endif
