/* zlib compresses and reads back. */

#include "tests/bench/real/real.h"

#include <zlib.h>

enum { BYTES = 4000000 };

static unsigned char text[BYTES], packed[BYTES + 10000], again[BYTES];

int
main (void)
{
  uLongf packed_bytes = sizeof packed, bytes = BYTES;

  fill (text, BYTES);
  must (compress2 (packed, &packed_bytes, text, BYTES, 6) == Z_OK, "compress");
  for (int i = 0; i < 5; i++)
    must (uncompress (again, &bytes, packed, packed_bytes) == Z_OK, "uncompress");
  printf ("%lu %lu\n", packed_bytes, crc32 (0, again, bytes));
  return 0;
}
