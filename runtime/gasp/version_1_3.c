/* Tools of GASP 1.3-pre2, whose tables have other arguments than those of 1.4:

     GASP_UPC_ALLOC         nblocks and nbytes, instead of the product
     GASP_C_MALLOC          at the end, nbytes is 0 where there was no memory
     GASP_C_REALLOC         the same of size
     GASP_UPC_NB_…_INIT     a point in time, with the handle
     GASP_UPC_NB_SYNC       not for trivial handles

   What 1.3-pre2 has less than 1.4, as the status at the start of the exit, does not matter to who
   does not ask for it. */

#include "runtime/gasp/tool.h"

static bool
translate_interval (int *type)
{
  if (*type == GASP_START)
    return false;
  *type = GASP_ATOMIC;
  return true;
}

/* Of an event that was closed since the program ended only the bytes are known. */
static void
translate_alloc (int type, unsigned long *words)
{
  unsigned long bytes = words[0], pointer = words[1], *parts = words + (type == GASP_END ? 2 : 1);
  bool are_known = parts[0] != 0;

  words[0] = are_known ? parts[0] : 1;
  words[1] = are_known ? parts[1] : bytes;
  words[2] = pointer;
}

bool
upcr_translate_to_1_3 (unsigned event, int *type, unsigned long *words)
{
  switch (event)
    {
    case GASP_UPC_ALLOC:
      translate_alloc (*type, words);
      return true;
    case GASP_C_MALLOC:
      if (*type == GASP_END && !words[1])
        words[0] = 0;
      return true;
    case GASP_C_REALLOC:
      if (*type == GASP_END && !words[2])
        words[1] = 0;
      return true;
    case GASP_UPC_NB_GET_INIT:
    case GASP_UPC_NB_PUT_INIT:
      return translate_interval (type);
    case GASP_UPC_NB_SYNC:
      return (gasp_upc_nb_handle_t) words[0] != GASP_NB_TRIVIAL;
    default:
      return true;
    }
}
