/* Non-blocking transfers that no call has completed, in programs that check their accesses. The
   copies themselves are done when they start (runtime/abi/nb.c). This finds those that another
   implementation would still be doing. */

#include "runtime/host/host.h"
#include "runtime/shared/checked.h"
#include "runtime/shared/shared.h"

#include <stdio.h>
#include <stdlib.h>

/* All under the lock of the checked heap. A transfer with an implicit handle, 0, stands for all that the
   thread began at its site; DST, SRC and BYTES are those of the first. */
struct transfer
{
  struct transfer *next;
  uint64_t handle;
  struct upcr_site *site;
  enum upcr_transfer_kind kind;
  int thread;
  upcr_pts dst, src;
  size_t bytes;
};

/* The latest first. */
static struct transfer *transfers;
static uint64_t last_handle;

enum
{
  MOST_LINES = 10
};

/* What completes each kind. */
static const char *const completions[] = { "upc_sync", "upc_synci", "upc_all_fwait_async" };

static struct transfer *
find_implicit (const struct upcr_site *site)
{
  struct transfer *transfer = transfers;

  while (transfer && (transfer->handle || transfer->site != site || transfer->thread != MYTHREAD))
    transfer = transfer->next;
  return transfer;
}

uint64_t
upcr_transfer_begin (const char *what, enum upcr_transfer_kind kind, upcr_pts dst, upcr_pts src,
                     size_t bytes)
{
  bool is_implicit = kind == UPCR_TRANSFER_IMPLICIT;
  struct upcr_site *site;
  struct transfer *transfer;
  uint64_t handle = 0;

  /* AddressSanitizer alone is about memory. */
  if (!upcr_options.check && !upcr_checks_accesses ())
    return 0;
  upcr_checked_lock ();
  site = upcr_site_of_caller (what);
  if (site && !(is_implicit && find_implicit (site)) && (transfer = malloc (sizeof *transfer)))
    {
      handle = is_implicit ? 0 : ++last_handle;
      *transfer = (struct transfer){ transfers, handle, site, kind, MYTHREAD, dst, src, bytes };
      transfers = transfer;
    }
  upcr_checked_unlock ();
  return handle;
}

/* Takes the calling thread's transfers with HANDLE from the list. */
static bool
complete (uint64_t handle)
{
  struct transfer **link = &transfers;
  bool is_found = false;

  while (*link)
    if ((*link)->handle == handle && (*link)->thread == MYTHREAD)
      {
        struct transfer *done = *link;

        *link = done->next;
        free (done);
        is_found = true;
      }
    else
      link = &(*link)->next;
  return is_found;
}

void
upcr_transfer_end (uint64_t handle, const char *what)
{
  bool is_found, was_handle;

  upcr_checked_lock ();
  is_found = complete (handle);
  was_handle = handle <= last_handle;
  upcr_checked_unlock ();
  if (!handle || is_found)
    return;
  if (was_handle)
    upcr_fatal ("%s: handle already completed, or another thread's", what);
  upcr_fatal ("%s: invalid handle: %#lx", what, (unsigned long) handle);
}

/* UPC 1.3, optional library, upc_nb.h: a transfer may last longer than a barrier. Who reads behind the barrier what the transfer
   writes mostly believes that it may not. */
void
upcr_refuse_transfers (const char *what)
{
  struct transfer *transfer;
  char place[UPCR_TEXT_BYTES];

  upcr_checked_lock ();
  transfer = transfers;
  while (transfer && (transfer->thread != MYTHREAD || transfer->kind == UPCR_TRANSFER_OF_FILE))
    transfer = transfer->next;
  if (transfer)
    upcr_site_text (transfer->site, place, sizeof place);
  upcr_checked_unlock ();
  if (transfer)
    upcr_fatal ("%s: %s%s is not completed yet, by %s", what, transfer->site->what, place,
                completions[transfer->kind]);
}

/* A transfer of some bytes lies in one block. */
static bool
is_in_block (upcr_pts p, upcr_pts block, uint64_t bytes, bool is_symmetric)
{
  return !upcr_pts_is_null (p) && upcr_pts_offset (p) - upcr_pts_offset (block) < bytes
         && (is_symmetric || upcr_pts_thread (p) == upcr_pts_thread (block));
}

void
upcr_refuse_transfers_of (upcr_pts block, uint64_t bytes, bool is_symmetric, const char *what)
{
  const struct transfer *transfer;
  char place[UPCR_TEXT_BYTES];

  upcr_checked_lock ();
  transfer = transfers;
  while (transfer
         && (transfer->bytes == 0
             || (!is_in_block (transfer->dst, block, bytes, is_symmetric)
                 && !is_in_block (transfer->src, block, bytes, is_symmetric))))
    transfer = transfer->next;
  if (transfer)
    upcr_site_text (transfer->site, place, sizeof place);
  upcr_checked_unlock ();
  if (transfer)
    upcr_fatal ("%s: thread %d has not completed %s%s, which accesses the block, by %s", what,
                transfer->thread, transfer->site->what, place, completions[transfer->kind]);
}

bool
upcr_report_transfers (void)
{
  int lines = 0;

  for (struct transfer *t = transfers; t && lines < MOST_LINES; t = t->next, lines++)
    {
      char place[UPCR_TEXT_BYTES], line[2 * UPCR_TEXT_BYTES];

      upcr_site_text (t->site, place, sizeof place);
      snprintf (line, sizeof line, "thread %d: %s%s was never completed by %s", t->thread,
                t->site->what, place, completions[t->kind]);
      upcr_print_message ("error", line);
    }
  return lines > 0;
}
