/* Hosts, networks, services, protocols, remote procedures and mail aliases. */

#include "runtime/libc/libc.h"
#include "runtime/libc/lookup.h"

/* Tells the program the REASON of a failure; ERANGE is one of the buffer only with
   NETDB_INTERNAL. */
static int
tell (int error, int reason)
{
  if (reason)
    h_errno = reason;
  return error == ERANGE && reason != NETDB_INTERNAL ? EAGAIN : error;
}

/* CALL, which ends with &reason. */
#define WITH_REASON(call)         \
  ({                              \
    int reason = 0, error = call; \
    tell (error, reason);         \
  })

UPCR_LOOKUP (hostent, gethostbyname, (const char *name),
             WITH_REASON (gethostbyname_r (name, UPCR_ENTRY, &reason)))
UPCR_LOOKUP (hostent, gethostbyname2, (const char *name, int family),
             WITH_REASON (gethostbyname2_r (name, family, UPCR_ENTRY, &reason)))
UPCR_LOOKUP (hostent, gethostbyaddr, (const void *address, socklen_t bytes, int family),
             WITH_REASON (gethostbyaddr_r (address, bytes, family, UPCR_ENTRY, &reason)))
UPCR_LOOKUP (hostent, gethostent, (void), WITH_REASON (gethostent_r (UPCR_ENTRY, &reason)))

UPCR_LOOKUP (netent, getnetbyname, (const char *name),
             WITH_REASON (getnetbyname_r (name, UPCR_ENTRY, &reason)))
UPCR_LOOKUP (netent, getnetbyaddr, (uint32_t net, int family),
             WITH_REASON (getnetbyaddr_r (net, family, UPCR_ENTRY, &reason)))
UPCR_LOOKUP (netent, getnetent, (void), WITH_REASON (getnetent_r (UPCR_ENTRY, &reason)))

UPCR_LOOKUP (servent, getservbyname, (const char *name, const char *protocol),
             getservbyname_r (name, protocol, UPCR_ENTRY))
UPCR_LOOKUP (servent, getservbyport, (int port, const char *protocol),
             getservbyport_r (port, protocol, UPCR_ENTRY))
UPCR_LOOKUP (servent, getservent, (void), getservent_r (UPCR_ENTRY))

UPCR_LOOKUP (protoent, getprotobyname, (const char *name), getprotobyname_r (name, UPCR_ENTRY))
UPCR_LOOKUP (protoent, getprotobynumber, (int number), getprotobynumber_r (number, UPCR_ENTRY))
UPCR_LOOKUP (protoent, getprotoent, (void), getprotoent_r (UPCR_ENTRY))

UPCR_LOOKUP (rpcent, getrpcbyname, (const char *name), getrpcbyname_r (name, UPCR_ENTRY))
UPCR_LOOKUP (rpcent, getrpcbynumber, (int number), getrpcbynumber_r (number, UPCR_ENTRY))
UPCR_LOOKUP (rpcent, getrpcent, (void), getrpcent_r (UPCR_ENTRY))

UPCR_LOOKUP (aliasent, getaliasbyname, (const char *name), getaliasbyname_r (name, UPCR_ENTRY))
UPCR_LOOKUP (aliasent, getaliasent, (void), getaliasent_r (UPCR_ENTRY))
