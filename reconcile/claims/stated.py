"""The sizes that a text states, `d_model = 768` or `12 layers`, and where two of them are one with digits exchanged."""

import re
from collections.abc import Iterator, Mapping

from reconcile.claims.misreckonings import misprints
from reconcile.claims.sides import SYMBOLS

_FLAGS = re.IGNORECASE
LONGEST_SEARCHED = 2**16
"""Letters, from the beginning, in which sizes are looked for."""
_NUMBER = r"(?<![\d.,])(\d{1,3}(?:[,_'\u2009]\d{3}){1,2}|\d{1,7})(?![.,]?\d|[KMB]\b)"
_IS = r"[\s\"'}]{0,3}(?:=|:|is|of)[\s\"'{]{0,3}"
_SIZES: Mapping[str, tuple[str, ...]] = {
    "H": (rf"\b(?:d_?\{{?model\}}?|hidden[_ ](?:size|dim\w*|width)|embed(?:ding)?[_ ](?:dim\w*|size)|n_embd|d|H)"
          rf"{_IS}{_NUMBER}",
          rf"\bhidden size {_NUMBER}",
          rf"{_NUMBER}[- ](?:hidden(?: units| size)?|dimensional)\b", r"_H-(\d{2,5})\b"),
    "L": (rf"\b(?:num_(?:hidden_)?layers|n_layers?|transformer_num|(?:number of )?layers|L){_IS}{_NUMBER}",
          r"\b(\d{1,3})[- ](?:transformer[- ]|encoder[- ]|hidden[- ])?(?:layers?|blocks)\b",
          r"\b(?:uncased|cased)_L-(\d{1,3})\b"),
    "A": (rf"\b(?:num_(?:attention_)?heads|n_heads?|head_num|(?:number of )?(?:attention )?heads|A){_IS}{_NUMBER}",
          r"\b(\d{1,3})[- ](?:self-)?(?:attention[- ])?heads?\b"),
    "V": (rf"\b(?:vocab(?:ulary)?(?:[_ ]size)?|token_num|V){_IS}{_NUMBER}",
          rf"\bvocabulary\b[^.\n\d]{{0,25}}{_NUMBER}",
          rf"{_NUMBER}[- ](?:word ?pieces?|words?|tokens?)[- ](?:in the )?vocabulary\b"),
    "F": (rf"\b(?:d_?\{{?ff\}}?|dff|intermediate_size|feed[_ -]?forward[_ ](?:dim\w*|size)|F){_IS}{_NUMBER}",),
    "P": (rf"\b(?:max_position_embeddings|pos_num|max(?:imum)?[_ ]positions?|P){_IS}{_NUMBER}",
          rf"{_NUMBER} positions\b"),
    "T": (rf"\b(?:type_vocab_size|T){_IS}{_NUMBER}",),
}  # fmt: skip
_PATTERNS = {
    name: tuple(re.compile(text, _FLAGS if name not in "d" else 0) for text in texts) for name, texts in _SIZES.items()
}
_LEAST = {"V": 100, "H": 8, "F": 8, "P": 8}
_TUPLE = re.compile(r"^[ \t]*(\w{1,30}(?:, ?\w{1,30}){1,11}) ?= ?([\d_]{1,12}(?:, ?[\d_]{1,12}){1,11})", re.MULTILINE)
"""Several names and sizes in one assignment."""
_MISPRINTED = 100
"""The least size of which a misprint is told; smaller ones differ by one digit for other reasons."""

Stated = dict[str, dict[int, int]]


def stated_sizes(same: str) -> Stated:
    """The sizes that a text states for each dimension, with the offset of the first time."""
    same = same[:LONGEST_SEARCHED]
    found: Stated = {}
    for match in _TUPLE.finditer(same):
        for name, size, offset in _assigned(match):
            found.setdefault(name, {}).setdefault(size, offset)
    same = _TUPLE.sub(lambda match: " " * len(match[0]), same)
    for name, patterns in _PATTERNS.items():
        for pattern in patterns:
            for match in pattern.finditer(same):
                size = int(re.sub(r"\D", "", match[1]))
                letter = match[0].lstrip("\"' ")[:1]
                if match[0][1:2] in "= :" and letter.islower() and letter != "d":
                    continue
                if size >= _LEAST.get(name, 1):
                    found.setdefault(name, {}).setdefault(size, match.start(1))
    return found


def _assigned(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """The sizes of `V, H, L = 30522, 768, 12`, each with its place."""
    names = re.findall(r"\w+", match[1])
    sizes = list(re.finditer(r"[\d_]+", match[2]))
    for name, size in zip(names, sizes, strict=False):
        letter = SYMBOLS.get(name, name)
        if letter in _SIZES and size[0].strip("_"):
            yield letter, int(size[0].replace("_", "")), match.start(2) + size.start()


def misprinted(
    stated: Mapping[str, Mapping[int, int]], known: Mapping[str, int]
) -> Iterator[tuple[str, int, int, int]]:
    """Sizes of which another one, or the named model's, is the same with two digits exchanged.

    Each as (dimension, the size, what it should be, its place). The wrong one is the one that the model has not, or
    else that is no multiple of 64.
    """
    for name, sizes in stated.items():
        for size, place in sizes.items():
            for other in misprints(size) if size >= _MISPRINTED else ():
                right = other == known.get(name) or (other in sizes and other % 64 == 0 and size % 64)
                if right and size != known.get(name):
                    yield name, size, other, place
