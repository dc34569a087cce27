"""What is counted by a figure, told by the words around it, and which words decide between accounts of it."""

import re
from collections.abc import Sequence

PARAMETERS = "params"
OTHER = "other"

_UNITS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (unit, re.compile(pattern, re.IGNORECASE))
    for unit, pattern in (
        ("flops", r"[kmgtp]?flops?(?:/s)?|macs?|multiply-adds|mult-adds|operations|ops|multiplications|additions"),
        ("bytes", r"[kmgt]i?b|(?:kilo|mega|giga|tera)?bytes?|bits?"),
        (PARAMETERS, r"param\w*|weights?|trainable|learnable|variables"),
        (OTHER, r"tokens?|words?|steps?|examples?|samples?|sentences?|pairs?|hours?|days?|weeks?|epochs?|documents?|gpus?|tpus?|"
                r"layers?|blocks?|heads?|hidden|units?|dimensions?|dims?|dimensional|vocab\w*|pieces?|wordpieces?|positions?|"
                r"batch\w*|seconds?|s|ms|minutes?|points?|lines?|users?|stars?|articles?|books?|images?|characters?|chars?|"
                r"languages?|classes|labels|sequences?|iterations?|updates?|examples|questions?|people|years?|times|x|"
                r"dollars?|usd|eur|euros?|hz|ghz|mhz|cores?|chips?|entries|rows?|columns?|features?|neurons?|warmup|downloads?"),
    )
)  # fmt: skip
_FILLERS = {"total", "trainable", "of", "the", "all", "model", "in", "learnable", "free", "million", "different", "training"}
_ABOUT = re.compile(
    r"param|weights|\bbert|model|embedding|encoder|layer|count|\bsize|network|transformer", re.IGNORECASE
)
HEADS = re.compile(r"\bheads?\b|multi-?\s?head", re.IGNORECASE)
BLOCKS = re.compile(r"\b(?:layers|blocks|times the layer|per layer|all layer)\b", re.IGNORECASE)
PARTLY = re.compile(
    r"\b(?:without|ignor\w+|exclud\w+|omit\w+|leav\w+ out|neglect\w*|only|kernels?|matri(?:x|ces)|no bias\w*|not counting|"
    r"plus a (?:small|little|few)|small number|rest is|roughly|approximat\w*|skipping|forget\w*|disregard\w*|excl|w/o|minus|except)\b",
    re.IGNORECASE,
)
WHOLE = re.compile(
    r"\btotal\b|\bin all\b|\boverall\b|\baltogether\b|\bwhole\b|\bin sum\b|\bthe model\b|\bbert\W{0,3}(?:base|large|tiny|mini|small|medium)\b|"
    r"\b(?:all|number of|many) (?:the )?param|\bgrand\b",
    re.IGNORECASE,
)  # fmt: skip


def unit_of(words: Sequence[str]) -> str | None:
    """What the words behind a figure say it counts; None where they do not say."""
    for word in words[:4]:
        if word.lower() in _FILLERS:
            if word.lower() in ("trainable", "learnable"):
                return PARAMETERS
            continue
        return next((unit for unit, pattern in _UNITS if pattern.fullmatch(word.rstrip("s'").rstrip("/") if False else word)), None)
    return None


def is_about(text: str) -> bool:
    """Whether a text speaks of models and their parts."""
    return bool(_ABOUT.search(text))


def counts_parameters(text: str) -> bool:
    """Whether a text speaks of parameters."""
    return bool(re.search(r"param|\bweights\b", text, re.IGNORECASE))


def sentence_around(text: str, start: int, end: int, reach: int = 200) -> tuple[str, str]:
    """The sentence in which a figure stands, before and behind it."""
    before = re.split(r"(?<=[.!?;])\s|\n\s*\n", text[max(0, start - reach) : start])[-1]
    behind = re.split(r"[.!?;](?:\s|$)|\n", text[end : end + reach])[0]
    return before, behind
