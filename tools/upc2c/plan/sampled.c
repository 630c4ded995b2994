/* Strips of which a sampling tool wants no event. An event at each access keeps the C compiler from
   vectorising, and counts down to the next one that the tool wants. So a strip tests at its start whether
   it has that one (write/sampled.c, include/upct/watch.h). If not, it runs like code without events.

   For this the number of its events must be known: each iteration does all of the loop's accesses, and
   each of these goes to one thread's memory in the whole of a strip. */

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/plan/internal.h"

struct search
{
  struct loop *loop;
  int accesses; /* that raise events, */
  int found;    /* and those of them that each iteration does in one thread's memory */
};

static bool
count_access (struct expr *e, void *data)
{
  struct search *search = data;

  search->accesses += count_events (e) > 0;
  return false;
}

/* The pointer that STEP moves and LOOP knows where it leads, or NULL. */
static struct expr *
walking_pointer (const struct expr *step, struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->walk == step)
      return r->root;
  return NULL;
}

/* The element, or the name of the pointer to it, of which LVALUE is all or a part; or NULL. */
static struct expr *
planned_part (struct expr *lvalue, struct loop *loop)
{
  struct expr *l = strip_parens (lvalue), *whole = element_of (l);

  if (whole->kind == EXPR_INDEX)
    return whole;
  if (whole->kind != EXPR_ARROW && whole->kind != EXPR_DEREF)
    return NULL;
  whole = strip_parens (whole->a);
  return whole->kind == EXPR_NAME ? whole : walking_pointer (whole, loop);
}

/* Whether PART, as the loops around it have its address, is in one thread's memory in the whole of a strip of LOOP. */
static bool
is_one_threads (struct expr *part, struct loop *loop)
{
  struct reference *r;

  for (struct loop *around = loop; around; around = around->outer)
    {
      r = reference_to (around, pointed_element (part, around));
      if (r)
        return around != loop
               || (r->stride_kind == STRIDE_IN_BLOCK && (!r->is_own || loop->is_by_one));
    }
  return part->kind == EXPR_INDEX && is_fixed_element (part, loop);
}

static void
note_sampled (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *part = count_events (e) > 0 ? planned_part (e->a, search->loop) : NULL;
  struct sampled *s;

  if (!part || !type_is_shared (element_type_of (part)) || !is_one_threads (part, search->loop))
    return;
  search->found++;
  s = NEW (struct sampled);
  *s = (struct sampled){ part, count_events (e), search->loop->sampled };
  search->loop->sampled = s;
}

/* Behind the loop such pointers are where they lead, not in it. */
static bool
leaves_pointers_behind (const struct loop *loop)
{
  const struct reference *r = loop->references;

  while (r && !(r->walk && loop->residues))
    r = r->next;
  return r;
}

void
find_sampled (struct loop *loop)
{
  struct search search = { .loop = loop };
  struct stmt *body = loop->stmt->then;

  loop->sampled = NULL;
  any_in_stmt (body, count_access, &search);
  if (search.accesses == 0 || !(is_counted (loop) || is_forall (loop)) || switches.check
      || switches.network || has_watched_header (loop->stmt) || has_order (body)
      || !is_straight (body) || !may_have_two_forms (loop) || loop->is_by_pieces
      || loop->is_windowed || (loop->residues && is_forall (loop)) || leaves_pointers_behind (loop))
    return;
  visit_certain (body, note_sampled, &search);
  if (search.found < search.accesses)
    loop->sampled = NULL;
}
