"""Texts without case, accents, blanks and punctuation, to see which names are the same."""

import unicodedata

# Marks that are accents or optional points; vowel signs of other scripts are letters.
ACCENTS = [(0x300, 0x36F), (0x591, 0x5C7), (0x64B, 0x65F)]


def folded(text):
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(filter(counts, plain))


def counts(letter):
    kind = unicodedata.category(letter)[0]
    return kind in "LN" or kind == "M" and not any(first <= ord(letter) <= last for first, last in ACCENTS)
