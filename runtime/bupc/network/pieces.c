/* Copies of pieces if other nodes have some of them. Loads are started one after the other, and all have
   completed when the function returns. */

#include "runtime/bupc/bupc.h"
#include "runtime/net/net.h"

static _Thread_local upcr_net_open loads;

static void
move (void *dst, const void *src, size_t bytes)
{
  if (upcr_is_far (dst) && upcr_is_far (src))
    upcr_transfer (dst, src, bytes);
  else if (upcr_is_far (dst))
    upcr_store (dst, src, bytes);
  else if (!upcr_is_far (src))
    upcr_copy (dst, src, bytes);
  else
    upcr_load_begin (dst, src, bytes, &loads);
}

static void begin_pieces (const char *what, struct upcr_side dst, struct upcr_side src);
static void begin_strided (const char *what, char *dst, const size_t *dst_strides, const char *src,
                           const size_t *src_strides, const size_t *count, size_t levels);
#define upcr_copy move
#define upcr_copy_pieces begin_pieces
#define upcr_copy_strided begin_strided
#include "runtime/bupc/pieces.c"
#undef upcr_copy
#undef upcr_copy_pieces
#undef upcr_copy_strided

void
upcr_copy_pieces (const char *what, struct upcr_side dst, struct upcr_side src)
{
  begin_pieces (what, dst, src);
  upcr_net_await (&loads);
}

void
upcr_copy_strided (const char *what, char *dst, const size_t *dst_strides, const char *src,
                   const size_t *src_strides, const size_t *count, size_t levels)
{
  begin_strided (what, dst, dst_strides, src, src_strides, count, levels);
  upcr_net_await (&loads);
}
