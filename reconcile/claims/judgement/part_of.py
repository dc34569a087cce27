"""Step 6g: whether words around a figure say that it is no total of the model that is named at it."""

import re

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.layout import Place
from reconcile.claims.structure.lexicon import concepts_in, cue, neutral
from reconcile.claims.structure.mentions import Mention

_BEFORE, _BEHIND, _CLOSE, _LINES = 240, 60, 40, 12
"""Letters before a figure, behind it and around a name that are read, and lines below the one over a list."""
_SENTENCE = re.compile(r"[.!?;](?:\s|$)|[。；！？]")
_CLAUSE = re.compile(r"[,;:)|]|\.(?:\s|$)|[。，；、]|\b(?:and|und|et|y|и)\b")
_COUNT = r"[\s\x01*`$]*(?:param\w*[\s\x01]*)?"
_OF = re.compile(
    rf"{_COUNT}(?:of|out of|/|von|sur|de|из)[\s\x01*`$]*(?:(?:the|its|insgesamt|a total of|total|den|der)[\s\x01]+)?"
    r"[~≈]?\d",
    re.I,
)
"""What makes a figure a part of another one: `23.8M of 109.5M parameters`."""
_SUMMAND = re.compile(rf"{_COUNT},?[\s\x01]*(?:\+|plus\b)[\s\x01*`$(]*(?:\d|about|the\b|another)", re.I)
_AGAINST = re.compile(rf"{_COUNT}(?:vs\b\.?|versus|against|statt|gegen|contre|frente a)[\s\x01~]*\d", re.I)
"""What makes a figure the first of a pair: `A is 13 times B (1.56B vs. 124M)`."""
_MODELS = re.compile(
    r"[\s\x01]*(?:(?:and|or|to|und|et|y|,)[\s\x01]+\d+(?:\.\d+)?B[\s\x01]*)*(?:[a-z-]+[\s\x01]+)?"
    r"(?:models?|LLMs?|decoders?|networks?|versions?|variants?|modelle|modèles|modelos)\b"
)
"""What makes a figure the name of other models: `7B and 13B LLMs`."""
_HYPHEN = re.compile(r"(?:^|[\s,(])-$")
_THAN = re.compile(
    r"(?:\b(?:than|as|als|wie|que|comme|como|vs|versus|over|outperforms?|beats?|statt|gegenüber|меньше|больше|чем|как)[\s\x01.]+"
    r"(?:(?:the|a|das|der|die|le|la|el)[\s\x01]+)?|比)[\s\x01*`\"']*$",
    re.I,
)
"""What a model stands behind that something else is compared with, whose figure follows."""
_FRACTION = re.compile(
    r"(?:\b1/\d+|\d\s?%|\b(?:quarter|third|fifth|eighth|tenth|fraction|part|viertel|drittel|quart|tiers|cuarto|tercio))"
    r"[\s\x01]+(?:of|von|der|des|de|du|del)[\s\x01]+(?:the[\s\x01]+)?[^,.;\d]{0,12}$",
    re.I,
)
"""What makes a model one of which a part is counted: `each GPU holds 1/8 of Llama 2 70B`."""
_OF_NOUN = re.compile(
    r"([^\W\d_]+)[\s\x01]+(?:of|von|des|de|du|del|da|do)[\s\x01]+(?:the[\s\x01]+|an?[\s\x01]+)?[\s\x01*`\"']*$", re.I
)
"""A noun of which a model is the owner: `the trunk of BERT`."""
_LABEL = re.compile(r"[\s\x01|*#>-]*[^|:,\d\n]{1,40}[|:,]")
"""What begins a line: the label of it, or its first cell."""
_OF_TOTAL = re.compile(r"[\s\x01*>-]*(?:of|out of|sur|de|del|von|из)\b[^.;]{0,24}\d[^;]*,", re.I)
"""What makes a figure a part of a total before it: `Of the 110M parameters of BERT, 85M`."""
_LANGUAGE = re.compile(r"(multilingual|chinese|japanese|german|korean)[-_ ]\w*$", re.I)
"""A word before a name that makes it another model's, with a vocabulary of its own."""

_NEXT_SIZE = r"[\s\x01]*(?:[,/、，(]|\b(?:and|und|et|y|e|и)\b|和|と|[,、]\s*and)[\s\x01]*"
_SIZES_BEFORE = re.compile(rf"(?<![\d.,])\d[\d.]*[MB](?![A-Za-z]){_NEXT_SIZE}\Z")
_MORE_SIZES = re.compile(rf"{_NEXT_SIZE}\d[\d.]*[MB](?![A-Za-z])")
"""What makes a rounded figure one of several in a list: another one right before it, or behind it."""


def is_part(document: Document, one: Judged, mention: Mention) -> bool:
    """Whether a figure at a model's name is of a part of it, of what differs, or of what it is compared with."""
    at = document.at(one)
    listed = _SIZES_BEFORE.search(at.before(_CLOSE)) or _MORE_SIZES.match(at.behind(_CLOSE))
    if listed and not at.tabled and one.figure is not None and one.figure.scaled:
        return True  # `Pythia-70M, 160M and 410M`, of which each is a name
    if one.exact is not None and cue("untied_said").search(at.near()):
        return True
    if _is_of_a_noun(document, at, mention) or _is_told_of_another(document, at, mention):
        return True
    if any(cue(each).match(at.behind(_BEHIND)) for each in ("in_blocks", "of_some", "apart_by")):
        return True
    sentence = _SENTENCE.split(at.before(_BEFORE))[-1]
    if any(cue(each).search(sentence) for each in ("blocks_before", "denied", "asked_or_said", "pruned")):
        return True
    best = best_total(mention.models[0]) if mention.models else None
    if (
        best is not None
        and one.value < best.count
        and cue("tuned_of_it").search(document.plain.text, one.start, one.end)
    ):
        return True
    if _is_left_out(at) or _is_headed(document, at) or _goes_on(at) or _is_said_of_another(document, one, mention):
        return True
    written = document.plain.text[one.start : one.end].strip().lower()
    if written.endswith("b") and re.search(rf"(?<![\d.]){re.escape(written)}", mention.name.lower()):
        return True  # the size that the name has
    return (one.unit != "params" or not one.label.own) and _MODELS.match(at.behind(_BEHIND)) is not None


def _is_left_out(at: Place) -> bool:
    """Whether the sentence of a figure takes a part away, counts what is trained, or tells two models apart."""
    before, behind = _SENTENCE.split(at.before(_BEFORE))[-1], _SENTENCE.split(at.behind(_BEHIND))[0]
    clause = _CLAUSE.split(behind)[0]
    kinds = {"without": (before, behind), "left_out": (before, behind), "tuned": (before, clause), "gap": (before,)}
    return any(cue(kind).search(words) for kind, where in kinds.items() for words in where)


def _is_of_a_noun(document: Document, at: Place, mention: Mention) -> bool:
    """Whether something of a model is counted, of whatever name, or what begins its line, or some of a total."""
    text = document.plain.text
    named = text[max(at.line.start, mention.start - _CLOSE) : mention.start]
    noun = _OF_NOUN.search(named) if mention.end <= at.start else None
    if noun is not None and not cue("counted_noun").fullmatch(noun[1]):
        return True
    if noun is not None and cue("size_before").search(named[: noun.start()]):
        return True  # `the large version of BERT base`
    label = _LABEL.match(text, at.line.start, mention.start)
    if label is not None and (concepts_in(label[0]) - {"whole", "size"} or cue("stacks").search(label[0])):
        return True
    return _OF_TOTAL.match(_SENTENCE.split(at.before(_BEFORE))[-1]) is not None


def _is_told_of_another(document: Document, at: Place, mention: Mention) -> bool:
    """Whether a name is not the subject of what is said: another one is, or several of it are, or it is in a remark."""
    text = document.plain.text
    before = _SENTENCE.split(text[max(at.line.start, mention.start - _BEHIND) : mention.start])[-1]
    if cue("of_several").search(before) or cue("is_a").search(before):
        return True
    behind = text[mention.end : at.start].lstrip(" \x01*`") if mention.end <= at.start else ""
    return behind.startswith(",") and cue("apposed").search(before) is not None


def _goes_on(at: Place) -> bool:
    """Whether what follows a figure makes it a part, a summand, how far something is off, or names a component."""
    behind = at.behind(_BEHIND)
    if any(says.match(behind) for says in (_OF, _SUMMAND, _AGAINST, cue("more_than_it"))):
        return True
    if cue("if_so").match(behind.lstrip(" \x01*,;")) or cue("because").search(behind):
        return True
    return bool(concepts_in(_CLAUSE.split(behind[:_CLOSE].removeprefix("+"))[0]) - neutral() - {"whole"})


def _is_said_of_another(document: Document, one: Judged, mention: Mention) -> bool:
    """Whether a name is what another model is compared with, of another language, or what a fraction is of."""
    at = document.at(one)
    named = document.plain.text[max(at.line.start, mention.start - _CLOSE) : mention.start]
    if _HYPHEN.search(at.before(3)) or _FRACTION.search(named) or (mention.end <= one.start and _THAN.search(named)):
        return True
    said = _LANGUAGE.search(document.plain.text, max(0, mention.start - _CLOSE), mention.start)
    known = " ".join(model.name for model in mention.candidates).lower()
    return not one.exact and said is not None and said[1].lower() not in known


def _is_headed(document: Document, at: Place) -> bool:
    """Whether the line over a list says what is left out: `Non-embedding parameters:`."""
    layout = document.layout
    if at.tabled:
        return False
    heading = layout.headings[at.number]
    above = next((line for line in layout.above(at.number) if not layout.lines[line].figures), heading)
    for number in {line for line in (heading, above) if line >= 0 and at.number - line <= _LINES}:
        line, text = layout.lines[number], layout.text(number)
        if line.kind != "heading" and line.indent >= at.line.indent and not text.rstrip().endswith(":"):
            continue
        if (
            cue("without").search(text)
            or cue("left_out").search(text)
            or (cue("tuned").search(text) and cue("plain").search(text))
        ):
            return True
    return False
