"""Measures the cases of a bench in one placement, ours and the peers' in turn."""
from others import Others


def contenders(cases, waymark, options, children):
    """Everyone who takes part: each case of ours, then each peer."""
    ours = [waymark.contender(case, children) for case in cases]
    names = dict.fromkeys(name for case in cases for name in case.peers) if options.peers else []
    peers = [waymark.peer(name, [case for case in cases if name in case.peers], children) for name in names]
    return ours, peers


def measure(ours, peers, options, progress):
    """`options.rounds` undisturbed windows of each if that can be had within twice as many rounds."""
    others = Others()
    for turn in range(2 * options.rounds):
        due = [contender for contender in ours + peers if contender.lacks(options.rounds)]
        # In the first round the peers start their servers; ours come last, when all are up.
        for contender in due if turn else reversed(due):
            progress.show(turn, options.rounds, contender.name)
            contender.measure(others)
    progress.done()
