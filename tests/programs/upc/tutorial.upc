/* The programs of UPC tutorials, one after the other: vector addition in each layout,
   matrix by vector in several, private to shared copies, pi by Monte Carlo and by
   quadrature, prefix sums, split-phase barriers. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <assert.h>

#define N 100
#define ROWS 5

/* Vector addition. */
shared int v1[N * THREADS], v2[N * THREADS], v1plusv2[N * THREADS];
shared [N] int b1[N * THREADS], b2[N * THREADS], b3[N * THREADS];
shared [*] int s1[N * THREADS], s2[N * THREADS], s3[N * THREADS];
shared [7] int w1[N * THREADS], w2[N * THREADS], w3[N * THREADS];

void vector_addition ()
{
	int i;
	shared int *p1, *p2;
	shared [7] int *q1 = w1, *q2 = w2, *q3 = w3;

	upc_forall (i = 0; i < N * THREADS; i++; i) {
		v1[i] = i;
		v2[i] = 2 * i;
	}
	upc_forall (i = 0; i < N * THREADS; i++; &b1[i])
		b1[i] = i, b2[i] = 2 * i;
	upc_forall (i = 0; i < N * THREADS; i++; &s2[i]) {
		s1[i] = i;
		s2[i] = 2 * i;
	}
	for (i = 0; i < N * THREADS; i++)
		if (MYTHREAD == i / 7 % THREADS) {
			assert (upc_threadof (&w1[i]) == MYTHREAD);
			w1[i] = i;
			w2[i] = 2 * i;
		}
	upc_barrier 10;

	/* 1: by index and number of the thread */
	for (i = MYTHREAD; i < N * THREADS; i += THREADS)
		v1plusv2[i] = v1[i] + v2[i];
	/* 2: by blocks */
	for (i = MYTHREAD * N; i < (MYTHREAD + 1) * N; i++)
		b3[i] = b1[i] + b2[i];
	/* 3: pointer walks in upc_forall */
	upc_forall (i = 0; i < N * THREADS; i++; &s3[i])
		s3[i] = s1[i] + s2[i];
	upc_forall (i = 0; i < N * THREADS; i++, q1++, q2++, q3++; q3)
		*q3 = *q1 + *q2;
	upc_barrier;
	if (MYTHREAD == THREADS - 1) {
		p1 = v1, p2 = v2;
		for (i = 0; i < N * THREADS; i++, p1++, p2++) {
			assert (*p1 == i && *p2 == 2 * i);
			assert (v1plusv2[i] == 3 * i);
			assert (b3[i] == 3 * i);
			assert (s3[i] == 3 * i);
			assert (w3[i] == 3 * i);
		}
	}
	upc_barrier 11;
}

/* Matrix by vector. */
#ifdef __UPC_STATIC_THREADS__
#define SQUARE THREADS
#else
#define SQUARE 4
#endif
shared [SQUARE] int square[THREADS][ROWS];
shared int cyclic[ROWS][THREADS];
shared [ROWS] int rowwise[THREADS][ROWS];
shared int vec[THREADS];
shared int product[THREADS];

void matrix_vector (void)
{
	int i, j;

	upc_forall (i = 0; i < THREADS; i++; i) {
		vec[i] = i + 1;
		for (j = 0; j < ROWS; j++) {
			rowwise[i][j] = i - j;
			cyclic[j][i] = i * j;
		}
	}
	if (MYTHREAD == 0)
		for (i = 0; i < THREADS; i++)
			for (j = 0; j < ROWS; j++)
				square[i][j] = 100 * i + j;
	upc_barrier;
	upc_forall (i = 0; i < THREADS; i++; &product[i]) {
		product[i] = 0;
		for (j = 0; j < ROWS; j++)
			product[i] += rowwise[i][j] * vec[j % THREADS];
	}
	upc_barrier;
	for (i = 0; i < THREADS; i++) {
		int want = 0;

		for (j = 0; j < ROWS; j++) {
			want += (i - j) * (j % THREADS + 1);
			assert (square[i][j] == 100 * i + j);
			assert (cyclic[j][i] == i * j);
			assert (upc_threadof (&cyclic[j][i]) == i);
			assert (upc_threadof (&rowwise[i][j]) == i);
			assert (upc_threadof (&square[i][j]) == (i * ROWS + j) / SQUARE % THREADS);
		}
		assert (product[i] == want);
	}
	upc_barrier;
}

/* Pi. */
shared int hits[THREADS];
shared double areas[THREADS];

static int hit (unsigned short state[3])
{
	double x = erand48 (state), y = erand48 (state);

	return x * x + y * y <= 1.0 ? 1 : 0;
}

void pi (void)
{
	int i, trials = 20000, my_trials = (trials + THREADS - 1 - MYTHREAD) / THREADS;
	unsigned short state[3] = { 17, 42, MYTHREAD };
	double sum = 0, estimate;

	hits[MYTHREAD] = 0;
	for (i = 0; i < my_trials; i++)
		hits[MYTHREAD] += hit (state);
	upc_forall (i = 0; i < 10000; i++; i)
		sum += 4.0 / (1.0 + ((i + 0.5) / 10000) * ((i + 0.5) / 10000));
	areas[MYTHREAD] = sum / 10000;
	upc_barrier;
	if (!MYTHREAD) {
		int total = 0;

		for (sum = 0, i = 0; i < THREADS; i++) {
			total += hits[i];
			sum += areas[i];
		}
		estimate = 4.0 * total / trials;
		printf ("pi is %.7f; %s\n", sum, fabs (estimate - M_PI) < 0.05 ? "about so by hits" : "no hits");
	}
}

/* Prefix sums, by recursive doubling with two copies. */
shared long sums[2][THREADS];

void prefix (void)
{
	int d, now = 0;

	sums[0][MYTHREAD] = MYTHREAD + 1;
	upc_barrier;
	for (d = 1; d < THREADS; d *= 2) {
		sums[!now][MYTHREAD] = sums[now][MYTHREAD]
			+ (MYTHREAD >= d ? sums[now][MYTHREAD - d] : 0);
		now = !now;
		upc_barrier d;
	}
	assert (sums[now][MYTHREAD] == (MYTHREAD + 1L) * (MYTHREAD + 2) / 2);
	upc_barrier;
}

/* Split-phase barriers: private work between the halves. */
shared int *stage;

void split_phase (void)
{
	int local = 0, i;

	stage = (shared int *) upc_all_alloc (THREADS, sizeof (int));
	stage[MYTHREAD] = MYTHREAD;
	upc_notify 3;
	for (i = 0; i < 1000; i++)
		local += i;
	upc_wait 3;
	assert (stage[(MYTHREAD + 1) % THREADS] == (MYTHREAD + 1) % THREADS);
	upc_notify;
	upc_wait;
	stage[(MYTHREAD + 1) % THREADS] += local;
	upc_barrier;
	assert (stage[MYTHREAD] == MYTHREAD + 499500);
	upc_barrier;
	if (MYTHREAD == 0)
		upc_free (stage);
}

int main (int argc, char *argv[])
{
	vector_addition ();
	matrix_vector ();
	pi ();
	prefix ();
	split_phase ();
	if (MYTHREAD == 0)
		printf ("done\n");
	return 0;
}
