"""Strips what protoc-c wrote of all that nothing of ours calls.

Usage: strip.py FOLDER

What stays of a message is its struct and its descriptor. libprotobuf-c packs and unpacks by these alone: without a
function that initialises a struct it does so by the descriptor, and a field's name is looked up nowhere. Each
descriptor gets a function in the header that has its address, which Swift can't take of a C constant. A field of a
descriptor gets one line instead of twelve.
"""

import re
import sys
from pathlib import Path

ADDRESS = r"""\g<0>
static inline const ProtobufCMessageDescriptor *\1__layout(void) { return &\1__descriptor; }"""


def one_line(lines):
    return " ".join(re.sub(r"/\*.*?\*/", "", line).strip() for line in lines.splitlines())


# Of both kinds of files, in turn: what is found, and what is put in its place.
HEADER = [
    (r"^#define \w+__INIT \\\n(?:.*\\\n)*.*\n\n?", ""),
    (r"^/\* \w+ methods \*/\n.*?(?=^/\* --- services --- \*/\n)", ""),
    (r"^/\* --- \w+ --- \*/\n+(?=/\* --- |PROTOBUF_C__END_DECLS)", ""),
    (r"^extern const ProtobufCMessageDescriptor (\w+)__descriptor;", ADDRESS),
]
SOURCE = [
    # Functions come first, data behind them; a function's own data is indented.
    (r"(?<=\.pb-c\.h\"\n).*?(?=^(?:static )?const |^#define |\Z)", ""),
    (r"^static const unsigned \w+__field_indices_by_name\[\] = \{\n.*?^\};\n", ""),
    (r"^#define \w+__field_indices_by_name NULL\n", ""),
    (r"^  \w+__field_indices_by_name,$", "  NULL,"),
    (r"^  \(ProtobufCMessageInit\) \w+__init,$", "  NULL,"),
    (r"^  \{\n((?:    .*\n)+)  \},$", lambda field: f"  {{{one_line(field[1])}}},"),
]
BOTH = [(r"^\n(?=\n)", "")]


def strip(path, rules):
    text = path.read_text(encoding="utf-8")
    for found, put in rules + BOTH:
        text = re.sub(found, put, text, flags=re.MULTILINE | re.DOTALL if ".*?" in found else re.MULTILINE)
    path.write_text(text, encoding="utf-8")


def main(folder):
    for path in Path(folder).rglob("*.pb-c.*"):
        strip(path, HEADER if path.suffix == ".h" else SOURCE)


main(*sys.argv[1:])
