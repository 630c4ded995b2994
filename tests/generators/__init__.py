"""Random programs. Each module but csmith has program (SEED), the text of a UPC program that
checks itself: the same for the same seed, so that a failure can be run again by hand.

accesses    single reads and writes of shared arrays, beside a model in private ones
loops       loops over shared arrays, written a second time over private ones
loop_forms  loops in every form that the translator knows, and in those that it must leave alone
by_threads  loops over rows that are THREADS times as long as they say, and indexes with THREADS in them
index_values  loops whose indexes are in variables
foralls     upc_forall beside a loop that asks the library whose each iteration is
csmith      C programs of csmith, whose global variables are made shared
"""
