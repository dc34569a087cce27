"""The figures that a text states for a whole model, and how many tensors it says there are."""

import re
from collections.abc import Iterator

from reconcile.frozen import dataclass
from reconcile.inventory import Bounds
from reconcile.quantity.counts import whole_number
from reconcile.sources.listings.lines import bare
from reconcile.sources.listings.rounded import bounds_of, bytes_of

TOTAL, TRAINABLE, NON_TRAINABLE, TENSORS, BYTES = "total", "trainable", "non-trainable", "tensors", "bytes"
PRINTED = "printed bytes"
"""The size that a table states of the rows it has counted."""

_PARTS = re.compile(r"\|\||\||;|, (?=[A-Za-z])|\u2502")
_FIGURE = re.compile(
    r"(?<![\w.])([0-9]{1,3}(?:[, _'.][0-9]{3}){1,5}|[0-9]{1,20})(\.[0-9]+)?"
    r" {0,2}([KMB](?![\w/])|[mM]illion|[bB]illion)?(?![\w%])"
)
_LABEL = re.compile(
    r"param|paráme|paramè|numel|elements|weights|参数|參數|パラメータ|パラメーター|파라미터|매개변수|парам",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:total|all|sum|overall|insgesamt|gesamt)|num_parameters|count_params|numel\(|\bnumber of|#\s?param"
    r"|总|總|合计|合計|総|총|전체|всего|totaux|totales",
    re.IGNORECASE,
)
_ONLY = re.compile(r"^\W*(?:model |total )?(?:params|parameters|# ?params)\W*$", re.IGNORECASE)
_PLAIN = re.compile(
    r"(?:[\W\d_]|(?:grand|total|overall|all|sum|number|num|count|no|of|in|the|this|model|network|parameters?|params?|is|has"
    r"|nombre|número|numero|de|des|du|los|paramètres|parámetros|totaux|totales|anzahl|der|gesamt\w*|insgesamt|parameter"
    r"|всего|число|параметров)(?![a-zé])|总|總|合计|合計|総|总计|的|共|个|個|参数|參數|量|数|數|モデル|パラメーター?|の"
    r"|총|전체|모델|파라미터|매개변수|개수|수|는|은|개)*",
    re.IGNORECASE,
)
"""What a figure says that is the total of all that is listed, and of nothing else."""
_BESIDE = re.compile(r"^\W{0,6}(?:grand )?(?:total|sum)\W{0,120}$", re.IGNORECASE)
_NON = re.compile(r"non[-_ ]?trainable|untrainable|not trainable|frozen|freezed|fixed", re.IGNORECASE)
_LEARNT = re.compile(r"trainable|requires_grad|learnable", re.IGNORECASE)
_OTHER = re.compile(
    r"\b[KMG]i?B\b|\((?:[KMG]i?B|[KMGT])\)|mult-adds|flops|macs|%|bytes|optimizer|estimated", re.IGNORECASE
)
_CODE = re.compile(r"numel\(\)|num_parameters\(|count_params\(|count_parameters\(")
_TENSORS = re.compile(
    r"\b(\d{1,6}) (?:different |separate |trainable )?(?:named parameters|tensors|variables|parameter tensors)\b"
    r"|number of (?:named parameters|tensors|variables) ?[:=] ?(\d{1,6})\b", re.IGNORECASE
)  # fmt: skip
_TOTALLED = re.compile(r"\W{0,6}(?:grand )?(?:total|sum)\W{1,120}[0-9][0-9_, .']{0,30}\W{0,3}$", re.IGNORECASE)
_AHEAD = re.compile(
    r"\s{0,80}([0-9][0-9,]{0,30}(?:\.\d{1,4})?(?: ?[KMBGT])?) +(total|trainable|non-trainable)(?: model)? "
    r"(?:params|parameters)\b\W*$",
    re.IGNORECASE,
)  # figures before their labels, as Lightning and Transformers print them
_SIZE = re.compile(
    r"\s{0,80}(?P<ahead>\d[\d,]{0,20}(?:\.\d{1,6})?)?\s{0,80}Total estimated model params size \(MB\)"
    r"(?:: {1,20}(?P<behind>\d[\d,]{0,20}(?:\.\d{1,6})?))?\s*$"
)  # Lightning's
_PRINTED = re.compile(r"\s{0,80}Params size \(MB\): {1,20}(?P<figure>\d[\d,]{0,20}(?:\.\d{1,6})?)\s*$")
"""That of torchinfo and of torchsummary."""
_BARE = re.compile(r"[0-9][0-9_,]{0,30}$")


@dataclass(frozen=True, slots=True)
class Stated:
    """A figure at a line; `kind` says which; `value` is None for one that is rounded, which has `bounds`.

    `plain` says that its line has no other word than that it is a total.
    """

    line: int
    kind: str
    shown: str
    value: int | None
    bounds: Bounds | None = None
    plain: bool = False


def stated_in(lines: list[str]) -> Iterator[Stated]:
    """Every figure for a whole model, in order; `lines` that hold rows of a listing are empty here."""
    asked = ""
    for place, line in enumerate(lines):
        if not line or len(line) > 500:
            asked = ""
            continue
        answer = bare(line)
        if asked and _BARE.match(answer):
            yield Stated(place, _kind(asked) or TOTAL, answer, whole_number(answer))
        code = _CODE.search(line)
        # Below code stands its output.
        asked = line if code and not re.search(r"[=:] ?\d", line[code.end() :]) else asked if not answer else ""
        if (size := _SIZE.match(line)) and (figure := size["ahead"] or size["behind"]):
            yield Stated(place, BYTES, f"{figure} MB", None, bytes_of(figure))
        elif printed := _PRINTED.match(line):
            yield Stated(place, PRINTED, f"{printed['figure']} MB", None, bytes_of(printed["figure"]))
        elif found := _TENSORS.search(line):
            yield Stated(place, TENSORS, found[0], int(found[1] or found[2]))
        elif not asked and (_LABEL.search(line) or _TOTALLED.match(line)):
            yield from _labelled(place, line)


def _labelled(place: int, line: str) -> Iterator[Stated]:
    if ahead := _AHEAD.match(line):
        yield Stated(place, ahead[2].lower(), ahead[1], whole_number(ahead[1]), bounds_of(ahead[1]))
        return
    for part in _PARTS.split(line):
        figures = list(_FIGURE.finditer(part))
        if len(figures) != 1 or _OTHER.search(part):
            continue
        figure, label = figures[0], part[: figures[0].start()]
        kind = _kind(label) or (_kind(part) if _ALL.search(part) else None)
        if kind is None or not re.search(r"[:：=|]|\bis\b|\bhas\b|^\s*#|\s\s$", label or part):
            continue
        exact = not figure[2] and not figure[3]
        shown = figure[0].strip()
        value, plain = whole_number(figure[1]) if exact else None, _PLAIN.fullmatch(line) is not None
        yield Stated(place, kind, shown, value, bounds_of(shown), plain)


def _kind(label: str) -> str | None:
    """Which figure a label announces; None when it is none of a whole model's."""
    if _NON.search(label):
        return NON_TRAINABLE
    if _LEARNT.search(label) and not re.search("all|non", label, re.IGNORECASE):
        return TRAINABLE
    return TOTAL if _ALL.search(label) or _ONLY.match(label) or _BESIDE.match(label) else None
