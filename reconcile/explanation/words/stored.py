"""The sentences for what is stored: a source's files, how its arrays are kept, and what is no parameter."""

from collections.abc import Callable

from reconcile.explanation.phrases import listed, number
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
    "bare-parameters": "a parameter that a module holds by itself and not in a layer is not in the text, as `print` "
    "shows none ({where})",
    "below-more": "{where} has {shown} by its own row, and the rows below it {value} more: some stand there twice",
    "left-out": "{where} may be {shown} once more and is left out, since not all of the model is in the text: with it "
    "what was read makes {value}; two tied arrays count once",
    "less-than-stated": "what was read makes {value}, and the text states {shown}: the rest is not in the text, or "
    "was not read",
    "maybe-shared": "{where} may be {shown} once more, which the text does not tell: the total counts both; with the "
    "two tied the model has {value}",
    "more-than-stated": "what was read makes {value}, and the text states {shown}: some of it stands there twice",
    "not-read": "{value} lines with figures were not read, line {where}: {shown}",
    "rounded-rows": "{value} rows, {where} first, have rounded counts, which are not in the text to the last digit: "
    "the model has {shown}",
    "shared": "{where} uses the array of {shown}: so the text's total counts it, {value}, once",
    "tied-unseen": "{where} counts a matrix that two modules share in each of them: if the model ties its output "
    "matrix to the token table, that stands in the total twice",
    "counted-again": "the count of {where} is that of {shown} once more, {value}, which it uses again: it counts once",
    "count-contradicts-shape": "{where}: the text says {shown}, and its shape makes {value}",
    "count-differs": "{where}: {shown} {value}",
    "counts-only": "{shown}: the dimensions are those that the counts make by the names' formulas",
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
    "not-in-index": "{where}: {shown}",
    "one-of-several": "{where} is {shown}: the rest of the model is in the others",
    "repeated-module": "{where} is used again {shown}: it counts once",
    "rounded": "the {where} figure, {shown}, is rounded: no total is taken from it",
    "stored-twice": "{where}: {shown} stand there a second time",
    "total-size": "{where}: {shown}",
    "twice-stored": "{where}: {shown}",
    "unbuilt": "{where} is not built yet, so its parameters are in no figure here",
    "unread-storages": "{where}: {shown}",
    "unused-bytes": "{where}: {shown}",
}


def _not_executed(finding: Finding) -> str:
    names = finding.facts["names"]
    what = "it was" if len(names) == 1 else "they were"
    return f"the file asks for {listed(_at_most(names))}: {what} neither imported nor called."


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
    if facts["open"]:
        return (
            f"{which} ({values}): as large as what usually is the same array, and nothing here tells whether it is: "
            f"{number(accounted)} parameters if it is, {number(accounted + count)} if not."
        )
    if facts["what"] == "tied copy":
        return (
            f"{which} ({values}): stored a second time and no further parameters: with them the source has "
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
        "the parts make up no model that is known here, BERT or another: the layers are explained one by one, by "
        "formulas of their own."
    )


def _no_parameters(finding: Finding) -> str:
    return "there is no parameter of a model in it, only what stands beside one."


def _dimensions(finding: Finding) -> str:
    parts = [f"{evidence.dimension} of {_rows(evidence.rows)}" for evidence in finding.facts["evidence"]]
    return f"the dimensions are axes of the arrays: {listed(parts)}."


def _rows(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{number(len(names))} arrays"


def _frozen_parts(finding: Finding) -> str:
    facts, frozen = finding.facts, finding.actual or 0
    if facts["everything"]:
        return f"all {number(frozen)} parameters are frozen: none is trained."
    trained = f"{number(facts['trainable'])} are."
    whole = _at_most([f"{row} ({number(count)})" for row, count in facts["whole"].items()])
    rest, others = frozen - sum(facts["whole"].values()), facts["others"]
    whole += [(f"{number(rest)} of " if whole else "") + listed(_at_most(others))] if rest else []
    return f"{number(frozen)} parameters are not trained, {listed(whole)}; {trained}"


def _at_most(names: list[str]) -> list[str]:
    """As many names as a sentence lists, and how many more there are."""
    more = [f"{number(len(names) - MOST_NAMED)} others"] if len(names) > MOST_NAMED + 1 else []
    return [*names[: MOST_NAMED if more else None], *more]


def _heads_beside(finding: Finding) -> str:
    return f"A = {number(finding.facts['heads'])} is what {finding.facts['shown']} says: no array shows it."


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
    "file-not-executed": _not_executed,
    "no-parameters": _no_parameters,
    "dimensions": _dimensions,
    "frozen-parts": _frozen_parts,
    "heads-beside": _heads_beside,
    "heads-unstated": _heads,
    "layout": _layout,
    "one-array": _one_array,
    "beside": _beside,
    "no-known-model": _no_known_model,
    "bytes": _bytes,
    "load-error": _load_error,
}
