/* What strips know of elements: the addresses that C around has. */

#include "tools/upc2c/lower/internal.h"

static struct strip *strips;

struct reference *
reference_to (struct strip *strip, struct expr *l)
{
  struct reference *r = strip->references;

  while (r && !is_same_element (r->l, l))
    r = r->next;
  return r;
}

bool
is_in_strip (struct strip *strip, struct expr *l)
{
  struct reference *r = reference_to (strip, l);

  return r && r->stride_kind == STRIDE_IN_BLOCK;
}

int64_t
stride_in_strip (struct strip *strip, struct expr *l)
{
  return reference_to (strip, l)->stride;
}

bool
has_block_strides (struct strip *strip)
{
  struct reference *r = strip->references;

  while (r && r->stride_kind != BLOCK_STRIDE)
    r = r->next;
  return r;
}

struct strip *
find_known (struct expr *l, struct reference **reference)
{
  for (struct strip *strip = strips; strip; strip = strip->outer)
    {
      *reference = reference_to (strip, l);
      if (*reference && ((*reference)->stride_kind != RECOMPUTE || strip->is_in_iteration))
        return strip;
    }
  return NULL;
}

void
enter_strip (struct strip *strip)
{
  strip->outer = strips;
  strips = strip;
}

void
leave_strip (struct strip *strip)
{
  strips = strip->outer;
  strip->is_in_iteration = false;
}
