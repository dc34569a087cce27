"""Step 6g: whether words around a figure say that it is no total of the model that is named at it."""

import re

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, cue, neutral
from reconcile.claims.structure.models import Mention

_SENTENCE = re.compile(r"[.!?;](?:\s|$)|[。；！？]")
_CLAUSE = re.compile(r"[,;:)|]|\.(?:\s|$)|[。，；、]|\b(?:and|und|et|y|и)\b")
_BEFORE, _BEHIND, _CLOSE = 240, 60, 40
_OF = re.compile(
    r"[\s\x01*`$]*(?:param\w*[\s\x01]*)?(?:of|out of|/|von|sur|de|из)[\s\x01*`$]*"
    r"(?:(?:the|its|insgesamt|a total of|total|den|der)[\s\x01]+)?\d",
    re.I,
)
"""What makes a figure a part of another one: `23.8M of 109.5M parameters`."""
_SUMMAND = re.compile(
    r"[\s\x01*`$]*(?:param\w*[\s\x01]*)?,?[\s\x01]*(?:\+|plus\b)[\s\x01*`$(]*(?:\d|about|the\b|another)", re.I
)
_THAN = re.compile(
    r"(?:\b(?:than|as|als|wie|que|comme|como|vs|versus|over|outperforms?|beats?|statt|gegenüber|меньше|больше|чем|как)[\s\x01.]+"
    r"(?:(?:the|a|das|der|die|le|la|el)[\s\x01]+)?|比)[\s\x01*`\"']*$",
    re.I,
)
"""What a model stands behind that something else is compared with, whose figure follows."""


_MODELS = re.compile(
    r"[\s\x01]*(?:(?:and|or|to|und|et|y|,)[\s\x01]+\d+(?:\.\d+)?B[\s\x01]*)*(?:[a-z-]+[\s\x01]+)?"
    r"(?:models?|LLMs?|decoders?|networks?|versions?|variants?|modelle|modèles|modelos)\b"
)
"""What makes a figure the name of other models: `7B and 13B LLMs`."""
_AGAINST = re.compile(
    r"[\s\x01*]*(?:param\w*[\s\x01]*)?(?:vs\b\.?|versus|against|statt|gegen|contre|frente a)[\s\x01~]*\d", re.I
)
"""What makes a figure the first of a pair: `A is 13 times B (1.56B vs. 124M)`."""
_HYPHEN = re.compile(r"(?:^|[\s,(])-$")
_FRACTION = re.compile(
    r"(?:\b1/\d+|\d\s?%|\b(?:quarter|third|fifth|eighth|tenth|fraction|part|viertel|drittel|quart|tiers|cuarto|tercio))"
    r"[\s\x01]+(?:of|von|der|des|de|du|del)[\s\x01]+(?:the[\s\x01]+)?[^,.;\d]{0,12}\Z",
    re.I,
)
_LANGUAGE = re.compile(r"(multilingual|chinese|japanese|german|korean)[-_ ]\w*$", re.I)
"""A word before a name that makes it another model's, with a vocabulary of its own."""


def is_part(document: Document, one: Judged, mention: Mention) -> bool:
    """Whether a figure at a model's name is of a part of it, of what differs, or of what it is compared with."""
    at = document.at(one)
    before, behind = _SENTENCE.split(at.before(_BEFORE))[-1], at.behind(_BEHIND)
    said = cue("left_out").search(before) or cue("left_out").search(_SENTENCE.split(behind)[0])
    if (
        said
        or cue("tuned").search(before)
        or cue("tuned").search(_CLAUSE.split(behind)[0])
        or _is_headed(document, one)
    ):
        return True
    if (
        cue("if_so").match(behind.lstrip(" \x01*,;"))
        or _OF.match(behind)
        or _SUMMAND.match(behind)
        or cue("more_than_it").match(behind)
    ):
        return True
    written = document.plain.text[one.start : one.end].strip().lower()
    if written.endswith("b") and re.search(rf"(?<![\d.]){re.escape(written)}", mention.name.lower()):
        return True  # the size that the name has
    if (one.unit != "params" or not one.label.own) and _MODELS.match(behind):
        return True
    if _AGAINST.match(behind) or cue("because").search(behind) or cue("untied_said").search(at.near()):
        return True
    if _HYPHEN.search(at.before(3)) or _FRACTION.search(
        document.plain.text, max(at.line.start, mention.start - _CLOSE), mention.start
    ):
        return True
    if mention.end <= one.start and _THAN.search(
        document.plain.text[max(at.line.start, mention.start - _CLOSE) : mention.start]
    ):
        return True
    if cue("gap").search(before) or (not one.exact and _is_of_a_language(document, mention)):
        return True
    return bool(concepts_in(_CLAUSE.split(behind[:_CLOSE])[0]) - neutral() - {"whole"})


def _is_of_a_language(document: Document, mention: Mention) -> bool:
    """Whether a name has the language of no release that it can mean: `multilingual-mpnet-base`."""
    said = _LANGUAGE.search(document.plain.text, max(0, mention.start - _CLOSE), mention.start)
    return said is not None and not any(said[1].lower() in model.name.lower() for model in mention.candidates)


def _is_headed(document: Document, one: Judged) -> bool:
    """Whether the line over a list says what is left out: `Non-embedding parameters:`."""
    layout, at = document.layout, document.at(one)
    if at.tabled:
        return False
    heading = layout.headings[at.number]
    above = next((line for line in layout.above(at.number) if not layout.lines[line].figures), heading)
    lines = {line for line in (heading, above) if 0 <= at.number - line <= _BEFORE // 20 and line >= 0}
    over = (
        line
        for line in lines
        if layout.lines[line].kind == "heading"
        or layout.lines[line].indent < at.line.indent
        or layout.text(line).rstrip().endswith(":")
    )
    texts = [layout.text(line) for line in over]
    tuned = any(cue("tuned").search(text) and cue("plain").search(text) for text in texts)
    return tuned or any(cue("left_out").search(text) for text in texts)
