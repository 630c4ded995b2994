/* Depth-first search over choices. An execution is repeated from its beginning up to the last
   choice that has a possibility left. */

#include "search.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
  MOST_CHOICES = 1 << 16,
  STATES = 1 << 22
};

static struct
{
  uint8_t taken, possibilities;
} choices[MOST_CHOICES];
static int made, known;

static bool is_random;
static unsigned random_state;

/* States by their hash, with the fewest preemptions before them. A full table leaves out
   less. */
static struct
{
  uint64_t hash;
  unsigned used;
} states[STATES];
static int states_known;

void
search_at_random (unsigned seed)
{
  is_random = true;
  random_state = seed;
}

void
search_begin (void)
{
  made = 0;
}

static int
random_choice (int possibilities)
{
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 16) % possibilities;
}

int
search_choose (int possibilities)
{
  if (possibilities == 1)
    return 0;
  if (is_random)
    return random_choice (possibilities);
  if (made == MOST_CHOICES || possibilities > UINT8_MAX)
    {
      fprintf (stderr, "explore: too many choices\n");
      abort ();
    }
  if (made == known)
    {
      choices[known].taken = 0;
      choices[known++].possibilities = possibilities;
    }
  return choices[made++].taken;
}

bool
search_has_seen (uint64_t hash, unsigned used)
{
  unsigned i = hash % STATES;

  if (is_random || made < known)
    return false;
  while (states[i].hash && states[i].hash != hash)
    i = (i + 1) % STATES;
  if (states[i].hash && states[i].used <= used)
    return true;
  if (!states[i].hash && states_known > STATES / 4 * 3)
    return false;
  states_known += !states[i].hash;
  states[i].hash = hash;
  states[i].used = used;
  return false;
}

bool
search_next (void)
{
  if (is_random)
    return true;
  while (known > 0 && choices[known - 1].taken + 1 == choices[known - 1].possibilities)
    known--;
  if (known == 0)
    return false;
  choices[known - 1].taken++;
  return true;
}
