"""What the names in a summary say: which dialect's rules fit them, and which family titles and classes belong to."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from reconcile.datafile import packaged
from reconcile.dialect import Dialect, LayerRule, block_heads, dialects_with, load_dialect, names_of_layers
from reconcile.evidence import lengths
from reconcile.frozen import dataclass
from reconcile.inventory import Layer
from reconcile.mapping.summary.seen import Seen
from reconcile.taxonomy import Architecture, classes_of_wholes, template

_SEPARATORS = "-_/"
_SEPARATOR = re.compile(f"[{_SEPARATORS}]")
_VERSION = re.compile(r"[ ,].*|-\d.*$")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\-/.…]+")


@dataclass(frozen=True, slots=True)
class Named:
    """Every node that the visible name of a row allows, in the dialect's order; `model` is a prefix of the name."""

    nodes: tuple[str, ...] = ()
    model: str = ""


def dialects_of_blocks(rows: Sequence[Seen], prefixed: bool = False) -> Iterator[Dialect]:
    """The dialects of which some row can be a block: the text before a block's number is in some name, as far as that
    is visible; of a name that is `prefixed` behind the prefix."""
    text = "\n".join(row.name for row in rows)
    cut = () if prefixed else [row.name for row in rows if row.layer.name_cut or not row.layer.class_name]
    for name in dialects_with("layers"):
        heads = block_heads(name)
        shown = (sign + head for head in heads for sign in (_SEPARATORS if prefixed else ("",)))
        if any(one in text for one in shown) or any(head.startswith(one) for one in cut for head in heads):
            yield load_dialect(name)


def name_row(layer: Layer, dialect: Dialect) -> Named:
    """The nodes that a name allows, at once or behind a prefix such as `Expert-` that a second model brings."""
    separator = _SEPARATOR.search(layer.name)
    for start in (0, separator.end()) if separator else (0,):
        model, name = layer.name[:start], layer.name[start:]
        if found := dialect.find(name):
            return Named((found[1],), model)
        if layer.name_cut or not layer.class_name:
            cut = (rule.component_of_cut(name, dialect.index_base) for rule in dialect.rules)
            if nodes := tuple(node for node in cut if node):
                return Named(nodes, model)
    return Named()


def names_fit(
    rows: Iterable[Seen], nodes: Mapping[int, tuple[str, ...]], architecture: Architecture
) -> tuple[Dialect | None, float]:
    """The dialect whose rules name most of what a reading says, and what the names earn: each rule of it once."""
    rows = [row for row in rows if row.place in nodes]
    best: tuple[Dialect | None, float] = None, 0.0
    for dialect in _dialects(architecture.name):
        fitting: set[str] = set()
        for row in rows:
            rules = (rule for node in nodes[row.place] for rule in dialect.by_kind.get(template(node), ()))
            fitting.update(rule.name for rule in rules if rule.name not in fitting and _names(rule, row, dialect))
        bits = sum(map(_rarity, sorted(fitting)))
        if fitting and bits >= best[1]:
            best = dialect, bits
    return best


def _names(rule: LayerRule, row: Seen, dialect: Dialect) -> bool:
    """Whether a rule names a row as far as its name is visible."""
    if row.layer.name_cut:
        head = rule.name.partition("{block}")[0]
        return head.startswith(row.name) or row.name.startswith(head)
    return rule.component(row.name, dialect.index_base) is not None


@cache
def _dialects(architecture: str) -> tuple[Dialect, ...]:
    names = (name for name in dialects_with("layers") if packaged("dialects", name)["architecture"] == architecture)
    return tuple(map(load_dialect, names))


@cache
def _rarity(rule: str) -> float:
    """The bits that a name earns: the fewer implementations use it, the more. Versions of one are one."""
    using: dict[str, bool] = {}
    for title, names in names_of_layers().values():
        maker = _VERSION.sub("", title)
        using[maker] = using.get(maker, False) or rule in names
    return lengths.choice(len(using)) - lengths.choice(sum(using.values())) + 1.0


def spaced(text: str) -> str:
    """A name as words: `Embedding-Token (TokenEmbedding)` as `Embedding Token Token Embedding`."""
    return " ".join(_WORDS.sub(" ", text).split())


@cache
def families_named(text: str, cut: bool = False) -> frozenset[str] | None:
    """The architectures whose family a title or class names: empty for one that is not known here, None for none."""
    if not text:
        return None
    joined = re.sub(r"[_\-\s]", "", text).lower()
    found = {
        name
        for name, starts in classes_of_wholes().items()
        for start in starts
        if joined.startswith(start.lower()) or (cut and len(joined) > 3 and start.lower().startswith(joined))
    }
    if found:
        return frozenset(found)
    wholes = packaged("keras_layers", "keras")["wholes"]
    return frozenset() if re.search(wholes["other"], text) or re.search(wholes["titled"], text) else None


@cache
def block_family(class_name: str, cut: bool) -> frozenset[str] | None:
    """The architectures that the class of a block names; empty for a family that is not known here, None for none."""
    own = re.split(packaged("keras_layers", "keras")["wholes"]["generic"], class_name)[0]
    if not own or not class_name:
        return None
    found = families_named(own, cut)
    return frozenset() if found is None and not cut else found
