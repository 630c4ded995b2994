"""Loops over two shared arrays, a and b, each beside the same loop over private arrays, ma and mb: what generators of such
programs have in common. A loop calls its arrays @a and @b."""

FAILED = """static int bad;
static void
failed (int loop, const char *what, long at)
{
  if (bad++ < 5)
    fprintf (stderr, "loop %d, %s[%ld], thread %d of %d\\n", loop, what, at, MYTHREAD, THREADS);
}
"""

CHECK = """static void
check (int loop)
{
  for (int q = 0; q < 2 * N; q++)
    {
      if (a[q] != ma[q])
        failed (loop, "a", q);
      if (b[q] != mb[q])
        failed (loop, "b", q);
    }
}
"""


def arrays(types, blocks):
    return [f"shared [{block}] {type_} {name}[2 * N{' * THREADS' if block else ''}];\nstatic {type_} m{name}[2 * N];\n"
            for name, type_, block in zip("ab", types, blocks)]


def named(text, names):
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def both(number, text, function, types, blocks, by_pointer):
    """FUNCTION (number, kind, text, more parameters) of the loop and of its model, which may find the arrays by pointers."""
    shared = [f", shared [{block}] {type_} *p{name}" for name, type_, block in zip("ab", types, blocks)] if by_pointer else []
    private = [f", {type_} *p{name}" for name, type_ in zip("ab", types)] if by_pointer else []
    pointers = {"@a": "pa", "@b": "pb"} if by_pointer else None
    return [function(number, "shared", named(text, pointers or {"@a": "a", "@b": "b"}), "".join(shared)),
            function(number, "model", named(text, pointers or {"@a": "ma", "@b": "mb"}), "".join(private))]
