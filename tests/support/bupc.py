"""Wrong calls of Berkeley UPC's extensions."""

# Two threads post thread 0's semaphore.
PRODUCERS = """#include <upc.h>
bupc_sem_t *shared sem;
int main (void)
{
  if (MYTHREAD == 0)
    sem = bupc_sem_alloc (BUPC_SEM_SPRODUCER);
  upc_barrier;
  for (int t = 1; t < THREADS; t++)
    {
      if (t == MYTHREAD)
        bupc_sem_post (sem);
      upc_barrier;
    }
  return 0;
}
"""

# Calls by thread 1 of 3, and what they say.
MISUSE = [
    ("bupc_waitsync (bad)", "bupc_waitsync: invalid handle: X"),
    ("bupc_trysync (bad)", "bupc_trysync: invalid handle: X"),
    ("bupc_waitsync_all (many, 2)", "bupc_waitsync_all: invalid handle: X"),
    ("bupc_trysync_all (many, 2)", "bupc_trysync_all: invalid handle: X"),
    ("bupc_begin_accessregion (); bupc_waitsynci ()", "bupc_waitsynci in an access region"),
    ("bupc_begin_accessregion (); bupc_trysynci ()", "bupc_trysynci in an access region"),
    ("bupc_begin_accessregion (); bupc_begin_accessregion ()", "bupc_begin_accessregion in an access region"),
    ("bupc_end_accessregion ()", "bupc_end_accessregion outside of an access region"),
    ("bupc_memput_vlist (2, far, 1, near)", "bupc_memput_vlist: the destination has 8 bytes, the source 7"),
    ("bupc_memget_vlist_async (1, near, 2, far)", "bupc_memget_vlist: the destination has 7 bytes, the source 8"),
    ("bupc_memput_ilist (2, addresses, 4, 2, own, 4)", "bupc_memput_ilist: dst[1] is null"),
    ("bupc_memput_ilist (1, addresses, 4, 2, own, 4)",
     "bupc_memput_ilist: the destination has 4 bytes, the source 8"),
    ("bupc_memput_fstrided (&box[0], 4, 3, 2, bytes, 4, 4, 2)",
     "bupc_memput_fstrided: dstchunkstride is 3, less than dstchunklen, 4"),
    ("bupc_memget_fstrided (bytes, 4, 4, 2, &box[0], 2, 1, 4)",
     "bupc_memget_fstrided: srcchunkstride is 1, less than srcchunklen, 2"),
    ("bupc_memput_strided (&box[0], wide, bytes, steps, count, 1)",
     "bupc_memput_strided: srcstrides[0] is 3, less than the 4 bytes of a step"),
    ("bupc_sem_alloc (BUPC_SEM_BOOLEAN | BUPC_SEM_INTEGER)", "bupc_sem_alloc: contradicting flags: 0x3"),
    ("bupc_sem_alloc (BUPC_SEM_SPRODUCER | BUPC_SEM_MPRODUCER)", "bupc_sem_alloc: contradicting flags: 0xc"),
    ("bupc_sem_alloc (64)", "bupc_sem_alloc: invalid flags: 0x40"),
    ("bupc_sem_wait (sems[0])", "bupc_sem_wait: the semaphore has affinity to thread 0"),
    ("bupc_sem_tryN (sems[2], 4)", "bupc_sem_tryN: the semaphore has affinity to thread 2"),
    ("bupc_sem_free (sems[0])", "bupc_sem_free: the semaphore has affinity to thread 0"),
    ("bupc_sem_post (none)", "bupc_sem_post: a null pointer to a semaphore"),
    ("bupc_sem_post ((bupc_sem_t *) &box[2])", "bupc_sem_post: not a semaphore"),
    ("bupc_sem_free (one); bupc_sem_post (one)", "bupc_sem_post: the semaphore was freed"),
    ("bupc_sem_postN (one, 2)", "bupc_sem_postN: invalid number for a boolean semaphore: 2"),
    ("bupc_sem_waitN (sems[1], 65536)", "bupc_sem_waitN: invalid number for a semaphore: 65536"),
    ("bupc_sem_postN (sems[0], 65535); bupc_sem_post (sems[0])",
     "bupc_sem_post: the semaphore exceeds BUPC_SEM_MAXVALUE"),
    ("bupc_memput_signal (&box[0], bytes, 4, sems[2], 1)",
     "bupc_memput_signal: dst has affinity to thread 0, the semaphore to thread 2"),
    ("bupc_ptradd (&box[0], 4, 0, 1)", "bupc_ptradd: elemsz is 0"),
    ("bupc_ptradd (&box[0][5], 4, 1, 1)", "bupc_ptradd: invalid phase 5 in blocks of 4 elements"),
    ("bupc_local_to_shared (bytes, 0, 0)", "bupc_local_to_shared: X is not in this thread's shared memory"),
    ("bupc_local_to_shared ((char *) &box[1], 3, 0)", "bupc_local_to_shared: invalid thread 3; THREADS is 3"),
    ("bupc_local_to_shared ((char *) &box[1], 0, -1)", "bupc_local_to_shared: invalid phase -1"),
    ("bupc_thread_distance (1, 3)", "bupc_thread_distance: invalid thread 3; THREADS is 3"),
    ("bupc_thread_distance (-1, 5)", "bupc_thread_distance: invalid thread -1; THREADS is 3"),
    ("bupc_allv_broadcast (int, 1, 3)", "bupc_allv_broadcast: invalid root 3; THREADS is 3"),
    ("bupc_allv_permute (int, 1, 3)", "bupc_allv_permute: invalid thread 3; THREADS is 3"),
    ("bupc_allv_reduce (int, 1, -2, UPC_ADD)", "bupc_allv_reduce: invalid root -2; THREADS is 3"),
    ("bupc_allv_reduce_all (double, 1, UPC_XOR)", "bupc_allv_reduce_all: invalid operation for this type: 0x10"),
    ("upc_notify; bupc_allv_gather_all (int, 1, NULL)", "bupc_allv_gather_all between upc_notify and upc_wait"),
    ("bupc_all_reduce_allD (&box[0], &box[1], UPC_AND, 1, 1, NULL, 0)",
     "bupc_all_reduce_allD: invalid operation for this type: 0x4"),
    ("bupc_all_reduce_allI (null, &box[1], UPC_ADD, 1, 1, NULL, 0)", "bupc_all_reduce_allI: dst is a null pointer"),
    ("bupc_thread_castable (3)", "bupc_thread_castable: invalid thread 3; THREADS is 3"),
]


def misuse_source(upct):
    """A program that makes the call whose number is its argument."""
    calls = "\n".join(f"      case {i}: {call}; break;" for i, (call, _) in enumerate(MISUSE))
    return upct.write("misuse.upc", upct.read_fixture("compat/misuse.upc").replace("\nCALLS\n", f"\n{calls}\n"))
