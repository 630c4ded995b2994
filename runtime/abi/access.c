/* Single accesses: the entry points __getsi2 and its kin. */

#include "runtime/abi/access.h"

#define ACCESS(order, name, type, get, put)           \
  type __get##order##name##2(upcr_pts p);             \
  type __get##order##name##2(upcr_pts p)              \
  {                                                   \
    type value;                                       \
    get (name, type, value, p);                       \
    return value;                                     \
  }                                                   \
  void __put##order##name##2(upcr_pts p, type value); \
  void __put##order##name##2(upcr_pts p, type value)  \
  {                                                   \
    put (name, type, p, value);                       \
  }

#define BOTH(name, type, size)              \
  ACCESS (, name, type, UPCR_GET, UPCR_PUT) \
  ACCESS (s, name, type, UPCR_GETS_##size, UPCR_PUTS_##size)

UPCR_ACCESS_TYPES (BOTH)
