/* bzip2 compresses and reads back. */

#include "tests/bench/real/real.h"

#include <bzlib.h>

enum { BYTES = 2000000 };

static unsigned char text[BYTES], packed[BYTES + BYTES / 50], again[BYTES];

int
main (void)
{
  unsigned packed_bytes = sizeof packed, bytes = BYTES;

  fill (text, BYTES);
  must (BZ2_bzBuffToBuffCompress ((char *) packed, &packed_bytes, (char *) text, BYTES, 9, 0, 0) == BZ_OK,
        "compress");
  must (BZ2_bzBuffToBuffDecompress ((char *) again, &bytes, (char *) packed, packed_bytes, 0, 0) == BZ_OK,
        "decompress");
  printf ("%u %d\n", packed_bytes, memcmp (text, again, BYTES));
  return 0;
}
