/* What is mapped at an address, or near it. For signal handlers. */

#include "runtime/diag/mapping.h"

#include "runtime/host/host.h"

#include <stdio.h>

/* An address further away from a mapping has nothing to do with it. */
#define NEAR_BYTES (1ul << 20)

static uintptr_t
distance (const struct upcr_mapping *mapping, uintptr_t address)
{
  if (address < mapping->begin)
    return mapping->begin - address;
  return address < mapping->end ? 0 : address - mapping->end + 1;
}

struct nearest
{
  uintptr_t address;
  bool is_found;
  struct upcr_mapping mapping;
};

static bool
keep_nearest (const struct upcr_mapping *mapping, void *data)
{
  struct nearest *n = data;
  uintptr_t apart = distance (mapping, n->address);

  if (apart < NEAR_BYTES && (!n->is_found || apart < distance (&n->mapping, n->address)))
    {
      n->mapping = *mapping;
      n->is_found = true;
    }
  return true;
}

void
upcr_mapping_text (uintptr_t address, char *text, size_t bytes)
{
  struct nearest nearest = { .address = address };
  const struct upcr_mapping *mapping = &nearest.mapping;
  const char *from;

  *text = 0;
  upcr_each_mapping (keep_nearest, &nearest);
  if (!nearest.is_found)
    return;
  from = *mapping->name ? " from " : "";
  if (distance (mapping, address) == 0)
    snprintf (text, bytes, ", mapped %s%s%s", mapping->permissions, from, mapping->name);
  else if (address < mapping->begin)
    snprintf (text, bytes, ", %lu bytes before what is mapped%s%s", mapping->begin - address, from,
              mapping->name);
  else
    snprintf (text, bytes, ", %lu bytes past the end of what is mapped%s%s",
              address - mapping->end + 1, from, mapping->name);
}
