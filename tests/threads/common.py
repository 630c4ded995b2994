"""What the tests of threads of UPC threads share."""

import os

UPC_THREADS = 4


def compiled(upct, name, cc, *flags):
    output = upct.path(os.path.splitext(name)[0] + ".o")
    upct.check_output([cc, "-Wall", "-Wextra", "-Werror", *flags, "-c", upct.fixture(f"threads/{name}"), "-o", output])
    return output


def check_threads(output):
    """Every UPC thread has counted what its threads did, and found nothing wrong, at an address
    of its own."""
    rows = sorted(line.split() for line in output.splitlines())
    assert [row[:-1] for row in rows] == [[str(i), "0", "1000", "0"] for i in range(UPC_THREADS)]
    assert len({row[-1] for row in rows}) == UPC_THREADS
