/* Data structures in shared memory: a sorted list, a ring through all threads, a
   binary tree, a stack and a queue; functions that take and return
   pointers-to-shared, and tables of such functions. */
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <assert.h>

typedef struct node node;
typedef shared node *node_ptr;
struct node
{
  int key;
  unsigned seen : 3, owner : 12;
  node_ptr next, left;
  shared struct node *right;
  union { double d; shared [] char *text; long l; } u;
};

shared node_ptr head;
node_ptr shared root;
upc_lock_t *list_lock;
shared node ring[THREADS];

static node_ptr
new_node (int key, node_ptr next)
{
  node_ptr n = upc_alloc (sizeof (node));
  node image = { key, 5, MYTHREAD, next, NULL };

  *n = image;
  return n;
}

/* Where the node with KEY is linked, or is to be: null for the head. */
static shared node *
find_before (int key)
{
  node_ptr before = NULL, at;

  for (at = head; at && at->key < key; before = at, at = at->next)
    continue;
  return before;
}

static node_ptr
insert (int key)
{
  node_ptr before, n;

  upc_lock (list_lock);
  before = find_before (key);
  n = new_node (key, before ? before->next : head);
  if (before)
    before->next = n;
  else
    head = n;
  upc_unlock (list_lock);
  return n;
}

static node_ptr
insert_tree (int key)
{
  shared [] node_ptr *link;
  node_ptr n = new_node (key, 0);
  int went_right = 0;

  upc_lock (list_lock);
  if (!root)
    root = n;
  else
    for (link = (shared [] node_ptr *) &root; *link;
         link = key < (*link)->key ? &(*link)->left : (went_right++, &(*link)->right))
      if (!(key < (*link)->key ? (*link)->left : (*link)->right))
        {
          if (key < (*link)->key)
            (*link)->left = n;
          else
            (*link)->right = n;
          break;
        }
  upc_unlock (list_lock);
  return n;
}

typedef int (*visitor) (node_ptr, void *);

static int
visit (node_ptr n, visitor f, void *closure)
{
  int sum = 0;

  if (n != NULL)
    {
      sum += visit (n->left, f, closure);
      sum += f (n, closure);
      sum += visit (n->right, f, closure);
    }
  return sum;
}

static int
is_sorted (node_ptr n, void *closure)
{
  int *last = closure, bad = n->key < *last;

  *last = n->key;
  return bad;
}

static int
add_key (shared node *n, void *unused)
{
  (void) unused;
  return n->key;
}

static int
free_node (node_ptr n, void *unused)
{
  shared node *right = n->right;

  upc_free (n);
  return right == NULL;
}

static int
largest (int n, ...)
{
  va_list list;
  int most = 0;

  va_start (list, n);
  while (n--)
    {
      node_ptr p = va_arg (list, shared node *);

      if (p && p->key > most)
        most = p->key;
    }
  va_end (list);
  return most;
}

int
main (void)
{
  const visitor table[] = { is_sorted, add_key };
  int i, last, n = 0, sum = 0;
  node_ptr p, q;
  node copy;

  list_lock = upc_all_lock_alloc ();
  for (i = 0; i < 10; i++)
    {
      p = insert (i * 37 % 10 * THREADS + MYTHREAD);
      assert (p->owner == MYTHREAD && p->seen == 5);
      insert_tree ((i * 37 + 5) % 10 * THREADS + MYTHREAD);
    }
  ring[MYTHREAD].next = &ring[(MYTHREAD + 1) % THREADS];
  ring[MYTHREAD].key = MYTHREAD;
  ring[MYTHREAD].u.text = upc_alloc (8);
  upc_memput (ring[MYTHREAD].u.text, "abcdefg", 8);
  upc_barrier;
  for (last = -1, p = head; p; last = p->key, p = p->next, n++)
    assert (p->key == last + 1);
  assert (n == 10 * THREADS && n == last + 1);
  last = -1;
  assert (table[0] (root, &last) == 0 && last == root->key);
  last = -1;
  assert (visit (root, table[0], &last) == 0 && last == n - 1);
  assert (visit (root, *table[1], NULL) == n * (n - 1) / 2);
  for (i = 0, p = ring + MYTHREAD; i < THREADS; i++, p = p->next)
    {
      char text[8];

      copy = *p;
      upc_memget (text, copy.u.text, sizeof text);
      assert (!strcmp (text, "abcdefg") && copy.u.text[i % 7] == 'a' + i % 7);
      assert (p->u.text[3] == *(copy.u.text + 3));
      sum += (*p).key + (&copy)->key;
    }
  assert (p == &ring[MYTHREAD] && sum == THREADS * (THREADS - 1));
  assert (largest (3, head, (node_ptr) NULL, root) == (head->key > root->key ? head : root)->key);
  upc_barrier;
  if (MYTHREAD == THREADS / 2)
    {
      for (p = head; p; p = q)
        q = p->next, upc_free (p);
      visit (root, free_node, 0);
      for (i = 0; i < THREADS; i++)
        upc_free (ring[i].u.text);
      puts ("lists and trees: good");
    }
  upc_all_lock_free (list_lock);
  return 0;
}
