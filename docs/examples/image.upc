/* A picture of the Mandelbrot set. Each thread computes some of its rows, and all threads write it together,
   with UPC-IO. */

#include <upc.h>
#include <upc_io.h>
#include <stdio.h>

#define WIDTH 320
#define ROWS_EACH 50 /* of each thread */
#define HEIGHT (ROWS_EACH * THREADS)
#define SYNC (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

/* The rows go to the threads in turn, as those in the middle take longest. */
shared [WIDTH] unsigned char picture[ROWS_EACH * THREADS][WIDTH];

static int
steps (double a, double b)
{
  double x = 0, y = 0;
  int n = 0;

  for (; n < 255 && x * x + y * y < 4; n++)
    {
      double next = x * x - y * y + a;

      y = 2 * x * y + b;
      x = next;
    }
  return n;
}

static void
compute (void)
{
  upc_forall (int i = 0; i < HEIGHT; i++; &picture[i][0])
    for (int j = 0; j < WIDTH; j++)
      picture[i][j] = 255 - steps (-2.2 + 3.2 * j / WIDTH, -1.2 + 2.4 * i / HEIGHT);
}

/* A PGM file: a line of text, then the bytes of the picture in UPC order, whichever threads have them. */
static int
write_file (const char *name)
{
  upc_file_t *file = upc_all_fopen (name, UPC_WRONLY | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP, 0, NULL);
  char head[64];
  int length = snprintf (head, sizeof head, "P5 %d %d 255\n", WIDTH, HEIGHT);
  shared [] char *text = upc_all_alloc (1, sizeof head);
  int is_whole;

  if (!file)
    return 0;
  if (MYTHREAD == 0)
    upc_memput (text, head, length);
  is_whole = upc_all_fwrite_shared (file, text, 0, 1, length, SYNC) == length
             && upc_all_fwrite_shared (file, picture, WIDTH, 1, (size_t) WIDTH * HEIGHT, SYNC) == WIDTH * HEIGHT;
  upc_all_free (text);
  return upc_all_fclose (file) == 0 && is_whole;
}

static void
draw (void)
{
  for (int i = 0; i < HEIGHT; i += HEIGHT / 20)
    {
      for (int j = 0; j < WIDTH; j += WIDTH / 64)
        putchar (" .:-=+*#%@"[(255 - picture[i][j]) / 26]);
      putchar ('\n');
    }
}

int
main (int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "mandelbrot.pgm";

  compute ();
  upc_barrier;
  if (!write_file (name))
    {
      if (MYTHREAD == 0)
        perror (name);
      return 1;
    }
  if (MYTHREAD == 0)
    draw ();
  return 0;
}
