#include "privatize/dwarf/put.h"

void
put_byte (struct section *section, unsigned byte)
{
  append_bytes (section, &(unsigned char){ byte }, 1);
}

void
put_uleb (struct section *section, uint64_t number)
{
  for (; number >= 0x80; number >>= 7)
    put_byte (section, (number & 0x7f) | 0x80);
  put_byte (section, number);
}

void
put_sleb (struct section *section, int64_t number)
{
  for (; number < -0x40 || number > 0x3f; number >>= 7)
    put_byte (section, (number & 0x7f) | 0x80);
  put_byte (section, number & 0x7f);
}

void
put_number (struct section *section, uint32_t number)
{
  append_bytes (section, &number, sizeof number);
}
