"""What the modules of this folder share: programs with the recording tool, and its records."""


def record(upct, command, threads, status=0):
    """Runs COMMAND, a program linked with record.c; returns the result and the lines of each thread."""
    path = upct.path("record")
    result = upct.run([command] if isinstance(command, str) else command, THREADS=threads, RECORD=path)
    assert result.returncode == status, f"status {result.returncode}, wanted {status}: {result.stdout}{result.stderr}"
    records = []
    for thread in range(threads):
        with open(f"{path}.{thread}") as lines:
            records.append(lines.read().splitlines())
    return result, records


def build(upct, *sources, tool="record.c", flags=(), output="prog"):
    """Links C sources of this room's fixtures and a tool's object."""
    files = [upct.fixture(f"gasp/{name}") for name in (*sources, tool)]
    return upct.link("-g", *files, flags=flags, output=output)


def is_same(line, wanted, values):
    """Is LINE the words of WANTED, with the VALUES of names; `*` any address, 0 any way to write it?"""
    words, others = line.split(" "), [values.get(word, word) for word in wanted.split(" ")]

    def same(word, other):
        zeros = ("0", "0x0", "(nil)")
        return word == other or (word in zeros and other in zeros) or (other == "*" and word.startswith("0x"))

    return len(words) == len(others) and all(map(same, words, others))


def compare(upct, lines, wanted, values, what):
    for i, line in enumerate(lines):
        assert i < len(wanted), f"{what}: more than wanted: {line}"
        assert is_same(line, wanted[i], values), (f"{what}, line {i + 1} of the record, after "
                                                  f"{lines[max(0, i - 2):i]}:\n  got    {line}\n  wanted {wanted[i]}")
    assert len(lines) == len(wanted), f"{what}: number of lines"


def check_nesting(upct, lines):
    """The recording tool's own complaints; and all that began has ended."""
    wrong = [line for line in lines if line.startswith(("not nested", "too deep"))]
    assert not wrong, f"{wrong} in\n" + "\n".join(lines)
    starts = sum(line.startswith("start ") for line in lines)
    ends = sum(line.startswith("end ") for line in lines)
    assert starts == ends, "ends of what began"
