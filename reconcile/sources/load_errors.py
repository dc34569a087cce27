"""The errors and warnings that frameworks print when weights do not fit a model, read from a pasted text."""

import re
from collections.abc import Iterator

from reconcile.frozen import dataclass
from reconcile.sources.summary.cleaning import clean_lines

LARGEST = 2 * 2**20
"""Characters of the largest text that is read; an error that lists every array is some hundred thousand."""

LAYERS, WEIGHTS, SHAPE, MISSING, UNUSED, OBJECTS, NO_LAYER = (
    "layers", "weights", "shape", "missing", "unused", "objects", "no-layer",
)  # fmt: skip
"""Kinds of errors: numbers of layers or of weights that differ, a shape that does, names on one side only."""


@dataclass(frozen=True, slots=True)
class LoadError:
    """One thing that did not fit: what the model has and what it was `given` (a file's, a list's), as the text says.

    `layer` and `names` are the layer and the tensors that it is about; shapes as they are printed.
    """

    kind: str
    shown: str
    layer: str = ""
    names: tuple[str, ...] = ()
    model: int | None = None
    given: int | None = None
    model_shape: tuple[int, ...] | None = None
    given_shape: tuple[int, ...] | None = None


_S = r"(?:torch\.Size\(|TensorShape\()?[\[(][\d, ]{0,60}[\])]\)?"
_M, _G = rf"(?P<model_shape>{_S})", rf"(?P<given_shape>{_S})"
_QUOTED = r"(?:['\"][^'\"]{1,300}['\"],? ?){1,20000}"

# Keras 1 and 2, tf-keras, Keras 3, PyTorch, Transformers, TensorFlow 1; each as its source words it.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (LAYERS, r"weight file containing (?P<given>\d+) layers into a model with (?P<model>\d+) layers"),
        (LAYERS, r"Layer count mismatch when loading weights from file\. Model expected (?P<model>\d+) layers, "
                 r"found (?P<given>\d+) saved layers"),
        (WEIGHTS, r"Layer #?\d+ \(named \"?(?P<layer>[^\")]{1,200})\"?[^)]{0,80}\)[^#]{0,200}?expects (?P<model>\d+) "
                  r"weights?(?:\(s\))?, but the saved weights have (?P<given>\d+) element"),
        (WEIGHTS, r"Weight count mismatch for (?:top-level )?(?:layer|weights)[^(]{0,40}"
                  r"\(named (?P<layer>[^),]{1,200})[^)]{0,200}\)\. "
                  r"Layer expects (?P<model>\d+) weight\(s\)\. Received (?P<given>\d+) saved weight"),
        (WEIGHTS, r"You called `?set_weights\(weights\)`? on layer [\"'](?P<layer>[^\"']{1,200})[\"'] with "
                  r"a weight list of length (?P<given>\d+), but the layer was expecting (?P<model>\d+) weights"),
        (WEIGHTS, r"Layer ['\"](?P<layer>[^'\"]{1,200})['\"] expected (?P<model>\d+) variables, but received "
                  r"(?P<given>\d+) variables during loading(?:\. Expected: \[(?P<names>[^\]]{0,2000})\])?"),
        (OBJECTS, r"A total of (?P<model>\d+) objects could not be loaded"),
        (SHAPE, rf"[Ll]ayer (?:(?P<layer>[^\s(]{{1,200}}) )?weight shape {_M} (?:is )?not compatible with provided "
                rf"weight shape {_G}"),
        (SHAPE, rf"Shape mismatch in (?:layer|top-level weight)[^(]{{0,20}}\(named (?P<layer>[^)]{{1,200}})\) ?"
                rf"for weight (?P<names>\S{{1,300}})\. "
                rf"Weight expects shape {_M}\. Received saved weight with shape {_G}"),
        (SHAPE, rf"Layer #?\d+ \(named \"(?P<layer>[^\"]{{1,200}})\"\), weight <tf\.Variable "
                rf"'(?P<names>[^']{{1,300}})'[^>]{{0,200}}> has shape {_M}, but the saved weight has shape {_G}"),
        (SHAPE, rf"Cannot assign value to variable ' ?(?P<names>[^']{{1,300}})': Shape mismatch\.? ?"
                rf"The variable shape {_M}, and the assigned value shape {_G}"),
        (SHAPE, rf"variable\.shape={_M}, Received: value\.shape={_G}\. Target variable: <\w{{0,20}}Variable "
                r"(?:shape=[^=]{1,80}=\w{1,20}, )?path=(?P<names>[^,>]{1,300})"),
        (SHAPE, rf"size mismatch for (?P<names>[\w.]{{1,300}}): copying a param with shape {_G} from checkpoint, "
                rf"the shape in current model is {_M}"),
        (SHAPE, rf"size mismatch for (?P<names>[\w.]{{1,300}}): copying a param of {_G} from checkpoint, "
                rf"where the shape is {_M} in current model"),
        (SHAPE, rf"- (?P<names>[\w.]{{1,300}}): found shape {_G} in the checkpoint and {_M} in the model"),
        (SHAPE, rf"(?<![\w./:])(?P<names>[\w./:]{{1,300}}) \| MISMATCH[ |]{{1,40}}[^|:]{{0,80}}"
                rf"ckpt: {_G} vs model: ?{_M}"),
        (SHAPE, rf"Assign requires shapes of both tensors to match\. lhs shape ?= ?{_M} rhs shape ?= ?{_G}"),
        (SHAPE, rf"Shape of variable (?P<names>[\w./:]{{1,300}}) \({_M}\) doesn't match with shape of "
                rf"tensor \S{{1,300}} \({_G}\) from checkpoint"),
        (MISSING, rf"Missing key\(s\) in state_dict: (?P<names>{_QUOTED})"),
        (UNUSED, rf"Unexpected key\(s\) in state_dict: (?P<names>{_QUOTED})"),
        (UNUSED, rf"Some (?:weights|layers) (?:of|from) the (?:PyTorch |TF 2\.0 )?model checkpoint at \S{{1,300}} "
                 rf"were not used when initializing (?:the )?[\w. ]{{1,100}}: ?\[(?P<names>{_QUOTED})"),
        (MISSING, rf"Some (?:weights|layers)(?: or buffers)? of (?:the )?[\w. ]{{1,100}} were not initialized from the "
                  rf"[\w. ]{{0,20}}model(?: checkpoint)?[^:\[]{{0,400}}: ?\[(?P<names>{_QUOTED})"),
        (UNUSED, r"(?<![\w./:])(?P<names>[\w./:]{1,300}) \| UNEXPECTED"),
        (MISSING, r"(?<![\w./:])(?P<names>[\w./:]{1,300}) \| MISSING"),
        (MISSING, r"Key (?P<names>[\w./:\-]{1,300}) not found in checkpoint"),
        (MISSING, r"Tensor name \"(?P<names>[\w./:\-]{1,300})\" not found in checkpoint"),
        (NO_LAYER, r"No such layer: (?P<layer>[\w./:\-]{1,200}?)(?=[\s.]|$)"),
        (WEIGHTS, r"(?i)\bexpect(?:s|ed|ing)? (?P<model>\d+) (?:weights|variables|tensors|arrays),? (?:but )?"
                  r"(?:only )?(?:got |received |given |has |have )?(?P<given>\d+)\b"),
    )
)  # fmt: skip
_SIGNS = (
    "layers",
    "eight",
    "hape",
    "key(s)",
    "not found",
    "objects",
    "No such layer",
    "UNEXPECTED",
    "MISSING",
    "expect",
)
_NAME = re.compile(r"[\w./:\-]{1,300}")
_NUMBER = re.compile(r"\d+")


def read_load_errors(text: str) -> tuple[LoadError, ...]:
    """Every error of this kind in a text, in order, each once; names on one side gathered in one. Empty for none."""
    if len(text) > LARGEST or not any(sign in text for sign in _SIGNS):
        return ()
    joined = " ".join(" ".join(clean_lines(text)).split())
    found: list[tuple[int, LoadError]] = []
    taken: list[tuple[int, int]] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(joined):
            if not any(start < match.end() and match.start() < end for start, end in taken[-50:]):
                found.append((match.start(), _error(kind, match)))
                taken.append(match.span())
    found.sort(key=lambda item: item[0])
    return tuple(dict.fromkeys(_gathered([error for _, error in found])))


def _error(kind: str, match: re.Match[str]) -> LoadError:
    groups = match.groupdict()
    names = tuple(dict.fromkeys(_NAME.findall(groups.get("names") or "")))
    return LoadError(
        kind,
        match[0][:200],
        (groups.get("layer") or "").strip().removesuffix(" in the current model"),
        names,
        _whole(groups.get("model")),
        _whole(groups.get("given")),
        _shape(groups.get("model_shape")),
        _shape(groups.get("given_shape")),
    )


def _gathered(errors: list[LoadError]) -> Iterator[LoadError]:
    """Rows of a report and repeated messages put together: all names that are missing, all that are not used."""
    sides: dict[str, list[str]] = {MISSING: [], UNUSED: []}
    for error in errors:
        if error.kind in sides:
            sides[error.kind].extend(error.names)
    told: set[str] = set()
    for error in errors:
        if error.kind not in sides:
            yield error
        elif error.kind not in told:
            told.add(error.kind)
            yield LoadError(error.kind, error.shown, names=tuple(dict.fromkeys(sides[error.kind])))


def _whole(text: str | None) -> int | None:
    return int(text) if text and len(text) < 12 else None


def _shape(text: str | None) -> tuple[int, ...] | None:
    return None if text is None else tuple(map(int, _NUMBER.findall(text)))
