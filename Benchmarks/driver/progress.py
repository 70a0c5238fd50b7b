import sys


class Progress:
    """Shows a bench's progress on standard error: one line that changes, or a line for each round."""

    def __init__(self, title):
        self.title, self.turn = title, None
        self.changes = sys.stderr.isatty()

    def show(self, turn, rounds, name):
        again = ", for disturbed windows" if turn >= rounds else f" of {rounds}"
        text = f"{self.title}: round {turn + 1}{again}"
        if self.changes:
            print(f"\r\033[K{text}, {name}", end="", file=sys.stderr, flush=True)
        elif turn != self.turn:
            print(text, file=sys.stderr, flush=True)
        self.turn = turn

    def say(self, text):
        print(f"{self.title}: {text}", file=sys.stderr, flush=True)

    def done(self):
        if self.changes:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
