/* Counts words: each thread reads its part of the file and counts in a private hash
   table; the counts go to the thread that owns the word's hash, through linked lists
   in shared memory with a lock each; thread 0 prints the most frequent ones. */
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

#define WORD 24
#define BUCKETS 256

typedef struct entry
{
  char word[WORD];
  int count;
  shared struct entry *next;
} entry_t;

struct local { char word[WORD]; int count; struct local *next; };

shared [1] struct { shared entry_t *head; upc_lock_t *lock; int length; } lists[BUCKETS * THREADS];
static struct local *table[BUCKETS];

static unsigned
hash (const char *s)
{
  unsigned h = 5381;

  while (*s)
    h = h * 33 ^ (unsigned char) *s++;
  return h;
}

static void
count_local (const char *word)
{
  struct local **p = &table[hash (word) % BUCKETS];

  for (; *p; p = &(*p)->next)
    if (!strcmp ((*p)->word, word))
      {
        (*p)->count++;
        return;
      }
  *p = calloc (1, sizeof **p);
  strcpy ((*p)->word, word);
  (*p)->count = 1;
}

static int
shared_equal (const char *word, shared entry_t *e)
{
  shared [] const char *p = e->word;

  while (*word && *word == *p)
    word++, p++;
  return *word == *p;
}

static void
merge (struct local *l)
{
  int b = hash (l->word) % BUCKETS;
  shared entry_t *e;

  upc_lock (lists[b].lock);
  for (e = lists[b].head; e != NULL; e = e->next)
    if (shared_equal (l->word, e))
      break;
  if (!e)
    {
      e = (shared entry_t *) upc_alloc (sizeof (entry_t));
      upc_memput (&e->word, l->word, WORD);
      e->count = 0;
      e->next = lists[b].head;
      lists[b].head = e;
      ++lists[b].length;
    }
  e->count += l->count;
  upc_unlock (lists[b].lock);
}

static int
more_frequent (const void *a, const void *b)
{
  const entry_t *x = a, *y = b;

  return x->count != y->count ? y->count - x->count : strcmp (x->word, y->word);
}

static void
print_all (void)
{
  entry_t *all = NULL;
  int n = 0, i, b, words = 0;

  for (b = 0; b < BUCKETS; b++)
    {
      shared entry_t *e = lists[b].head, *next;

      all = realloc (all, (n + lists[b].length + 1) * sizeof *all);
      for (; e; e = next)
        {
          all[n++] = *e;
          words += e->count;
          next = e->next;
          upc_free (e);
        }
    }
  qsort (all, n, sizeof *all, more_frequent);
  printf ("%d words, %d different\n", words, n);
  for (i = 0; i < 5 && i < n; i++)
    printf ("%5d %s\n", all[i].count, all[i].word);
  free (all);
}

int
main (int argc, char *argv[])
{
  FILE *f = argc == 2 ? fopen (argv[1], "r") : NULL;
  char word[WORD];
  int n = 0, c, line = 0, i, b;

  if (!f)
    {
      if (MYTHREAD == 0)
        fprintf (stderr, "usage: %s file\n", argv[0]);
      upc_global_exit (2);
    }
  upc_forall (b = 0; b < BUCKETS; b++; &lists[b])
    lists[b].lock = upc_global_lock_alloc ();
  upc_barrier;
  do
    {
      c = getc (f);
      if (isalpha (c) && n < WORD - 1)
        word[n++] = tolower (c);
      else if (n)
        {
          word[n] = 0;
          n = 0;
          if (line % THREADS == MYTHREAD)
            count_local (word);
        }
      line += c == '\n';
    }
  while (c != EOF);
  fclose (f);
  for (i = 0; i < BUCKETS; i++)
    {
      struct local *l, *next;

      for (l = table[i]; l; l = next)
        {
          merge (l);
          next = l->next;
          free (l);
        }
    }
  upc_barrier;
  if (MYTHREAD == 0)
    print_all ();
  upc_barrier;
  upc_forall (b = 0; b < BUCKETS; b++; &lists[b])
    upc_lock_free (lists[b].lock);
  return 0;
}
