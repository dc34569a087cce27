"""Which node of the architecture a label names: `word embeddings`, `query kernel`, `each encoder layer`, `total`."""

import re
from dataclasses import dataclass
from functools import lru_cache

TOTAL = "total"
"""In place of a node: the whole model, under whichever definition."""

BLOCK = "encoder.block[*]"
LONGEST = 120
"""Letters of a label that are read."""
_FLAGS = re.IGNORECASE

# (what the label says, the node, what must not be in the label). The first of each family that fits is taken.
_FAMILIES: tuple[tuple[tuple[str, str, str], ...], ...] = (
    (
        (
            r"(?:word|token|vocab\w*|sub-?word|wordpiece)(?![ _-]?type)[ _-]?\w*[ _-](?:embed|table|matrix|lookup)\w*",
            "embeddings.token",
            "",
        ),
        (r"position\w*", "embeddings.position", r"\bids?\b"),
        (r"segment|token[ _-]?type", "embeddings.segment", ""),
        (r"embed\w*", "embeddings", r"norm|dim|size|source|target"),
    ),
    ((r"\bpool\w*", "pooler", ""),),
    (
        (r"quer(?:y|ies)\b|\bW_?\{?q\b", f"{BLOCK}.attention.query", ""),
        (r"\bkeys?\b|\bW_?\{?k\b", f"{BLOCK}.attention.key", "query"),
        (r"\bvalues?\b|\bW_?\{?v\b", f"{BLOCK}.attention.value", "query|key"),
    ),
    (
        (r"intermediate|up[ _-]proj\w*", f"{BLOCK}.feed_forward.intermediate", ""),
        (r"feed[ _-]?forward|\bffn?\b|\bmlp\b", f"{BLOCK}.feed_forward", r"norm|first|second|1|2|output|inner"),
    ),
    (
        (
            r"output[ _-]?proj\w*|\bW_?\{?o\b|attention[ _/.-]+output",
            f"{BLOCK}.attention.output",
            "norm|vocab|source|target",
        ),
    ),
)
_ONE = re.compile(
    r"\b(?:per|each|one|a|single|every)\b[\w\s-]{0,20}\b(?:layer|block)\b|"
    r"\b(?:layer|block)[\s_]?(?:total|sum|\d+)\b|^(?:encoder|transformer)[\s_-](?:layer|block)$",
    _FLAGS,
)
_ALL = re.compile(
    r"\b(?:all|\d{1,3}|twelve|twenty-four|six)\b[\w\s-]{0,20}\b(?:layers|blocks)\b|\bencoder\b(?![\s_-]*(?:layer|block)\b)",
    _FLAGS,
)
_TOTAL = re.compile(
    r"\btotal\b|\bin all\b|\boverall\b|\baltogether\b|\bwhole\b|\ball parameters\b|\bbert[\s_-]*\{?(?:base|large)",
    _FLAGS,
)
_HEADS = re.compile(r"\bheads?\b", _FLAGS)
_ATTENTION = re.compile(r"attention", _FLAGS)
_NORM = re.compile(r"norm|\bln\b|gamma|beta", _FLAGS)
_TENSOR = (
    (re.compile(r"\bbias(?:es)?\b", _FLAGS), "bias"),
    (re.compile(r"\bkernels?\b|\bweights?\b|matri(?:x|ces)", _FLAGS), "kernel"),
)
_PATTERNS = tuple(
    tuple((re.compile(says, _FLAGS), node, re.compile(but, _FLAGS) if but else None) for says, node, but in family)
    for family in _FAMILIES
)


@dataclass(frozen=True, slots=True)
class Named:
    """What a label names: a node (TOTAL for the whole model), in one block or in `every` one."""

    node: str
    every: bool = False


_ANYTHING = re.compile(
    r"embed|table|matri|heads?\b|lookup|position|segment|token|pool|quer|key|value|w_?\{?[qkvo]\b|intermediate|"
    r"up[ _-]proj|feed|ffn?\b|mlp|proj|attention|norm|\bln\b|gamma|beta|bias|kernel|weight|layer|block|encoder|total|"
    r"all\b|bert|whole",
    _FLAGS,
)
"""What is in every label that names something; most do not."""


def named(label: str) -> Named | None:
    """The one node that a label names; None where it names none, several, or something of its own."""
    found = _named(label[:LONGEST])
    if found is not None and "decoder" in label[:LONGEST].lower():
        return Named(found.node.replace("encoder", "decoder", 1), found.every) if "encoder" in found.node else None
    return found


@lru_cache(maxsize=2**14)
def _named(label: str) -> Named | None:
    if not _ANYTHING.search(label):
        return None
    tensor = next((name for pattern, name in _TENSOR if pattern.search(label)), None)
    found = [node for family in _PATTERNS if (node := _first(family, label)) is not None]
    if len(found) > 1 or _several(label) or (found and _TOTAL.search(label)):
        return None
    every = bool(_ALL.search(label)) and not _ONE.search(label)
    if found:
        if _NORM.search(label):
            return Named("embeddings.norm") if found == ["embeddings"] or "embed" in label.lower() else None
        node = found[0]
        leaf = node.startswith(BLOCK) and node.count(".") > 2
        return (
            Named(f"{node}.{tensor}" if tensor and leaf else node, every)
            if not tensor or leaf or tensor == "kernel"
            else None
        )
    if _NORM.search(label) or tensor == "bias":
        return None
    if _ATTENTION.search(label):
        return Named(f"{BLOCK}.attention", every) if not tensor else None
    if _ONE.search(label):
        return Named(f"{BLOCK}.attention" if _HEADS.search(label) else BLOCK)
    if _TOTAL.search(label):
        return Named(TOTAL)
    return Named("encoder", False) if every else None


def _first(family: tuple[tuple[re.Pattern[str], str, re.Pattern[str] | None], ...], label: str) -> str | None:
    for says, node, but in family:
        if says.search(label) and not (but and but.search(label)):
            return node
    return None


_LIST = re.compile(
    r"\bq\W{1,3}k\W{1,5}(?:and )?v\b|quer\w*\W+(?:and )?key|\bwith(?:out)?\b|\bincluding\b|\badding\b|\bplus\b|"
    r"\band\b|\+|&|,",
    _FLAGS,
)


def _several(label: str) -> bool:
    """Whether a label lists more than one thing, or takes something away."""
    return bool(_LIST.search(label))
