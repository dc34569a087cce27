"""The sentences for what is stored: a source's files, how its arrays are kept, and what is no parameter."""

from collections.abc import Callable

from reconcile.explain.phrases import listed, number
from reconcile.finding import Finding

MOST_NAMED = 4
"""Names that a sentence lists; of more it gives the number."""

_WHAT = {
    "parameter": "of parameters",
    "buffer": "of buffers",
    "optimizer": "of the optimizer",
    "flag": "of flags",
    "tied copy": "of second copies",
}

_REMARKS = {
    "count-contradicts-shape": "{where}: the text says {shown}, and its shape makes {value}",
    "count-differs": "{where}: {shown} {value}",
    "cut-line": "{where}: its line is cut ({shown})",
    "cut-module": "{where}: the text ends within it, so parts may be missing",
    "duplicate": "{where} stands there again ({shown}): it counts once",
    "elided": "something is left out of the text {where}: {shown}",
    "hidden-parameters": "{where} holds {shown} too, which PyTorch does not print; they follow from its output",
    "larger-storage": "{where}: {shown}: a part of a larger array was saved with all of it",
    "link": "{where} is a link to {shown}: it counts once",
    "missing-data": "{where}: {shown}; the index suffices to count, but the weights are not there",
    "no-count": "{where} ({shown}): its parameters are not in the text",
    "not-counted": "{where}: {shown}, which is no array of numbers: it is not counted",
    "not-executed": "{where}: {shown}",
    "not-in-index": "{where}: {shown}",
    "one-of-several": "{where} is {shown}: the rest of the model is in the others",
    "repeated-module": "{where} is used again {shown}: it counts once",
    "rounded": "the {where} figure, {shown}, is rounded: no total is taken from it",
    "stored-twice": "{where}: {shown} stand there a second time",
    "total-size": "{where}: {shown}",
    "twice-stored": "{where}: {shown}",
    "unbuilt": "{where} is not built yet, so its parameters are in no figure here",
    "unused-bytes": "{where}: {shown}",
}


def _remark(finding: Finding) -> str:
    value = "" if finding.actual is None else number(finding.actual)
    text = _REMARKS.get(finding.facts["remark"], "{where}: {shown}")
    return text.format(where=finding.where, shown=finding.facts["shown"], value=value) + "."


def _heads(finding: Finding) -> str:
    return "A, the number of heads, changes no count and no shape here, so it cannot be read from them."


def _layout(finding: Finding) -> str:
    kinds = finding.facts["kinds"]
    names = list(kinds)
    which = listed(names) if len(names) <= MOST_NAMED else f"{len(names)} kinds of components ({names[0]} and others)"
    return f"{which}: {finding.facts['says']}."


def _one_array(finding: Finding) -> str:
    return f"{listed(finding.facts['names'])} are one array under {len(finding.facts['names'])} names, counted once."


def _beside(finding: Finding) -> str:
    facts = finding.facts
    names, count, accounted = facts["names"], finding.actual or 0, facts["accounted"]
    which = listed(names) if len(names) <= MOST_NAMED else f"{number(len(names))} arrays ({names[0]} and others)"
    values = "1 value" if count == 1 else f"{number(count)} values"
    if facts["what"] == "tied copy":
        return (
            f"{which} ({values}) is stored a second time and is no further parameter: with it the source has "
            f"{number(accounted + count)}, the model {number(accounted)}."
        )
    return f"{which}: {values} of {_BESIDE.get(facts['what'], facts['what'])}, which no total counts."


_BESIDE = {
    "buffer": "a buffer",
    "optimizer": "the optimizer's own state",
    "flag": "a flag or counter",
}


def _no_known_model(finding: Finding) -> str:
    return (
        "no dialect knows the names here as a model's: the layers are explained one by one, by formulas of their own."
    )


def _load_error(finding: Finding) -> str:
    return f"{finding.where}: {finding.facts['title']}."


def _bytes(finding: Finding) -> str:
    facts = finding.facts
    parts = []
    for share in facts["shares"]:
        each = share.nbytes // share.values if share.values and share.nbytes % share.values == 0 else None
        how = f" × {each} = {number(share.nbytes)}" if each else f" in {number(share.nbytes)} bytes"
        what = _WHAT.get(share.what, share.what)
        parts.append(f"{number(share.values)} {what} ({share.dtype}){how}")
    if facts["container"]:
        parts.append(f"{number(facts['container'])} of the container (names, shapes, headers, padding)")
    size = facts["size"]
    return f"the {number(size)} bytes of the source ({_mega(size)}) are {listed(parts)}."


def _mega(size: int) -> str:
    """Bytes in both of the units that people mix up, such as MB of 10⁶ and MiB of 2²⁰."""
    units = ((10**6, "MB"), (2**20, "MiB")) if size >= 10**6 else ((10**3, "kB"), (2**10, "KiB"))
    return " or ".join(f"{_hundredths(size, unit)} {name}" for unit, name in units)


def _hundredths(size: int, unit: int) -> str:
    hundredths = (200 * size + unit) // (2 * unit)
    return f"{hundredths // 100:,}.{hundredths % 100:02}"


SENTENCES: dict[str, Callable[[Finding], str]] = {
    "file": _remark,
    "heads-unstated": _heads,
    "layout": _layout,
    "one-array": _one_array,
    "beside": _beside,
    "no-known-model": _no_known_model,
    "bytes": _bytes,
    "load-error": _load_error,
}
