"""The shell commands with `curl` in a Markdown document."""

import re

FENCE = re.compile(r"^(```|~~~)")
PROMPT = re.compile(r"^\$ ")


def code_lines(text):
    """The lines of code blocks, fenced or indented, without the indentation."""
    is_fenced = False
    for line in text.splitlines():
        if FENCE.match(line):
            is_fenced = not is_fenced
        elif is_fenced:
            yield line
        elif line.startswith("    "):
            yield line[4:]


def commands(text):
    """Each command that calls us by curl, with its continuation lines; sample output is left out."""
    found, goes_on = [], False
    for line in code_lines(text):
        line = PROMPT.sub("", line) if not goes_on else line
        if goes_on:
            found[-1] += "\n" + line
        elif re.match(r"(\w+=\$\()?curl ", line) and "https://" not in line:
            found.append(line)
        else:
            continue
        goes_on = line.endswith(("\\", "|"))
    return found
