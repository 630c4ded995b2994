/* What the files of MPI's engine have in common. */

#ifndef UPCR_NET_MPI_H
#define UPCR_NET_MPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Messages that this process has sent, and received. By who ends, when nobody else is in the engine. */
struct upcr_mpi_counts
{
  int64_t sent, come;
};

struct upcr_mpi_counts upcr_mpi_count_messages (void);

/* Cancels what is to come, and drops what is not sent. Likewise. */
void upcr_mpi_drop_all (void);

/* At the start: WORLD has all processes. */
void upcr_mpi_prepare_end (MPI_Comm world);

void upcr_mpi_prepare_moves (MPI_Comm world);
bool upcr_mpi_is_moving (void);
/* Tells of those that are complete. */
void upcr_mpi_finish_moves (void);
void upcr_mpi_drop_moves (void);

/* What is not complete is of no use any more. */
void upcr_mpi_drop (MPI_Request *request);

#endif
