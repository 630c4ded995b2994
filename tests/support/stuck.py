"""The program of runs that cannot go on, and of some that only look so: tests find its lines by the words that end them."""

SOURCE = "run/stuck.upc"


def line_of(upct, word):
    """"FILE:LINE" of the line that ends in the word."""
    with open(upct.fixture(SOURCE)) as f:
        numbers = [n for n, line in enumerate(f, 1) if line.endswith(f"/* {word} */\n")]
    assert len(numbers) == 1, word
    return f"{upct.fixture(SOURCE)}:{numbers[0]}"


def place(upct, word, function):
    return f" at {line_of(upct, word)} in {function}"
