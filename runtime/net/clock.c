/* The clocks of the processes, which are unrelated on different machines. Process 0 is asked many times
   for the time of its clock. The answer was true at some moment between the question and its arrival, so
   the fastest one is the most accurate. */

#include "runtime/net/net.h"

enum
{
  QUESTIONS = 64
};

static void
tell_clock (struct upcr_net_caller caller, const void *arguments)
{
  uint64_t now = upcr_ticks_now ();

  (void) arguments;
  upcr_net_reply (caller, &now, sizeof now);
}

void
upcr_net_serve_clock (void)
{
  upcr_net_serve (UPCR_NET_CLOCK, tell_clock);
}

static struct upcr_net_moment
ask_clock (uint64_t *before)
{
  struct upcr_net_moment moment;
  upcr_net_open open = 0;

  *before = upcr_ticks_now ();
  upcr_net_call (0, UPCR_NET_CLOCK, before, sizeof *before, &moment.first, &open);
  upcr_net_await (&open);
  moment.width = upcr_ticks_now () - *before + 1;
  moment.own = *before + moment.width / 2;
  return moment;
}

bool
upcr_net_compare_clocks (struct upcr_net_moment *moment)
{
  bool differ = false;

  moment->width = UINT64_MAX;
  for (int i = 0; i < QUESTIONS; i++)
    {
      uint64_t before;
      struct upcr_net_moment this = ask_clock (&before);

      differ |= this.first - before >= this.width;
      if (this.width < moment->width)
        *moment = this;
    }
  return differ;
}
