/* libjpeg compresses an image and reads it. */

#include "tests/bench/real/real.h"

#include <jpeglib.h>

enum { WIDTH = 1600, HEIGHT = 1200, TIMES = 6 };

static unsigned char pixels[HEIGHT][WIDTH * 3];
static unsigned char *file;
static unsigned long file_bytes;

static void
compress (void)
{
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;

  jpeg.err = jpeg_std_error (&errors);
  jpeg_create_compress (&jpeg);
  jpeg_mem_dest (&jpeg, &file, &file_bytes);
  jpeg.image_width = WIDTH;
  jpeg.image_height = HEIGHT;
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults (&jpeg);
  jpeg_start_compress (&jpeg, TRUE);
  while (jpeg.next_scanline < HEIGHT)
    jpeg_write_scanlines (&jpeg, &(JSAMPROW){ pixels[jpeg.next_scanline] }, 1);
  jpeg_finish_compress (&jpeg);
  jpeg_destroy_compress (&jpeg);
}

static void
decompress (void)
{
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;

  jpeg.err = jpeg_std_error (&errors);
  jpeg_create_decompress (&jpeg);
  jpeg_mem_src (&jpeg, file, file_bytes);
  jpeg_read_header (&jpeg, TRUE);
  jpeg_start_decompress (&jpeg);
  while (jpeg.output_scanline < HEIGHT)
    jpeg_read_scanlines (&jpeg, &(JSAMPROW){ pixels[jpeg.output_scanline] }, 1);
  jpeg_finish_decompress (&jpeg);
  jpeg_destroy_decompress (&jpeg);
}

int
main (void)
{
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH * 3; x++)
      pixels[y][x] = x / 7 + y / 3 + next_random () % 32;
  for (int i = 0; i < TIMES; i++)
    {
      compress ();
      decompress ();
      free (file);
      file = NULL;
    }
  printf ("%lu %d\n", file_bytes, pixels[HEIGHT / 2][WIDTH]);
  return 0;
}
