/* Assembly includes this file, too. Kernels have pages of 4, 16 or 64 KiB; linkers lay programs
   out for all of them. */

#define UPCR_PAGE_BYTES 65536
