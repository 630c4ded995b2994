/* Single accesses where other processes have memory: __getsi2 and its kin, which other compilers' code calls. */

#include "runtime/abi/network/access.h"

#include "runtime/abi/access.h"

#define ACCESS(order, name, type, get, put)           \
  type __get##order##name##2(upcr_pts p);             \
  type __get##order##name##2(upcr_pts p)              \
  {                                                   \
    type value;                                       \
    get (&value, upcr_pts_address (p), sizeof value); \
    return value;                                     \
  }                                                   \
  void __put##order##name##2(upcr_pts p, type value); \
  void __put##order##name##2(upcr_pts p, type value)  \
  {                                                   \
    put (upcr_pts_address (p), &value, sizeof value); \
  }

#define BOTH(name, type, size)                 \
  ACCESS (, name, type, upcr_load, upcr_store) \
  ACCESS (s, name, type, upcr_load_strictly, upcr_store_strictly)

UPCR_ACCESS_TYPES (BOTH)
