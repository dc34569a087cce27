"""A matrix of releases for a terminal, as Markdown, and as one JSON object."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from reconcile.formula import to_ascii
from reconcile.releases.matrix import AXES, MODELS, NUMERICS, Change, Matrix, Size, State
from reconcile.render.flow import flowing
from reconcile.render.objects import dumped
from reconcile.render.registry import Look

SCHEMA = 1
NUMERICS_MEAN = (
    "Numerics: each component's weights are filled by a rule under which an epsilon and the form of a GELU show; "
    "the outputs of a trained model lie closer together."
)
COLUMNS = ("releases", "", "training", "trainable", "inference", "trainable", "layers", "arrays", "dialect")
_ALIGN = ("left", "right", "right", "right", "right", "right", "right", "right", "left")


def render_text(several: Sequence[Matrix], look: Look) -> str:
    """The matrices for a terminal."""
    return "\n".join(_text(matrix, look.width, look.ascii_only) for matrix in several)


def _text(matrix: Matrix, width: int | None, ascii_only: bool) -> str:
    """The whole matrix as text: what each release changed, then the totals of every state."""
    flow = flowing(width, ascii_only)
    lines = [flow(heading(matrix), "", "  ")]
    if matrix.versions:
        lines.append(flow("built on " + ", ".join(f"{name} {v}" for name, v in matrix.versions.items()), "", "  "))
    for answer in matrix.answers:
        lines += ["", flow(answer.title, "", "  "), *(_item(text, flow) for text in answer.lines)]
    for state in matrix.states:
        lines += ["", *(flow(text, "", "  ") for text in _state_lines(state, matrix))]
        lines += [flow(text, "- ", "  ") for text in _change_lines(state.changes)]
        lines += [flow(text, "", "  ") for text in _rest(state)]
    lines += ["", _table(matrix, ascii_only), ""] if matrix.states else [""]
    for title, texts in sections(matrix):
        lines += [flow(title, "", "  "), *(_item(text, flow) for text in texts), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _item(text: str, flow: Callable[[str, str, str], str]) -> str:
    """One line of a list; what is quoted as it was printed stays as it is."""
    return text if text.startswith("    ") else flow(text, "- ", "  ")


def render_markdown(several: Sequence[Matrix], look: Look) -> str:
    """The matrices as Markdown."""
    return "\n".join(_markdown(matrix, look.ascii_only) for matrix in several)


def _markdown(matrix: Matrix, ascii_only: bool) -> str:
    """The same as Markdown, without the versions that it was built on."""

    def plain(text: str) -> str:
        text = to_ascii(text) if ascii_only else text
        for sign in ("\\", "|", "*", "_", "<", "[", "]", "#"):
            text = text.replace(sign, "\\" + sign)
        return text

    def part(title: str, texts: Sequence[str]) -> list[str]:
        items = (text if text.startswith("    ") else f"- {plain(text)}" for text in texts)
        return [f"## {plain(title)}", "", *items, ""]

    lines = [f"# {plain(heading(matrix))}", ""]
    for answer in matrix.answers:
        lines += part(answer.title, answer.lines)
    for state in matrix.states:
        lines += [f"## {plain(span(state.releases))}", "", *map(plain, _state_lines(state, matrix)), ""]
        lines += [f"- {plain(text)}" for text in _change_lines(state.changes)]
        lines += [""] if state.changes else []
    lines += ["## Totals", "", _table(matrix, ascii_only, "pipe"), ""] if matrix.states else []
    for title, texts in sections(matrix):
        lines += part(title, texts)
    return "\n".join(lines).rstrip("\n") + "\n"


def render_json(several: Sequence[Matrix], look: Look) -> str:
    """The matrix as one JSON object."""
    return dumped([as_object(matrix) for matrix in several], look.ascii_only)


def as_object(matrix: Matrix) -> dict[str, Any]:
    """The matrix as plain data in the shape that `docs/json.md` fixes."""
    return {
        "schema": SCHEMA,
        "command": "releases",
        "subject": {"name": matrix.model, "title": matrix.title, "versions": dict(matrix.versions)},
        "against": matrix.against or None,
        "states": [_state_object(state) for state in matrix.states],
        "since": dict(matrix.since),
        "interface": [{"release": release, "text": text} for release, text in matrix.interface],
        "supplied": [{"name": name, "releases": list(releases)} for name, releases in matrix.supplied],
        "answers": [
            {"title": one.title, "lines": list(one.lines), "releases": list(one.releases), "severity": one.severity}
            for one in matrix.answers
        ],
        "failed": [{"release": release, "why": why} for release, why in matrix.failed],
        "not_importable": [{"release": release, "why": why} for release, why in matrix.not_importable],
        "repairs": [{"release": release, "text": text} for release, text in matrix.repairs],
    }


def _state_object(state: State) -> dict[str, Any]:
    main = state.sizes.get(MODELS[0]) or next(iter(state.sizes.values()))
    return {
        "from": state.releases[0],
        "to": state.releases[-1],
        "releases": list(state.releases),
        "total": main.total,
        "models": {name: _size_object(size) for name, size in state.sizes.items()},
        "changes": [
            {"axis": one.axis, "path": one.path, "text": one.text, "models": list(one.models)} for one in state.changes
        ],
    }


def _size_object(size: Size) -> dict[str, Any]:
    return {
        "total": size.total,
        "trainable": size.trainable,
        "layers": size.layers,
        "arrays": size.arrays,
        "unmapped": size.unmapped,
        "dialect": size.dialect,
    }


def heading(matrix: Matrix) -> str:
    """What was built, how often, and from which release to which."""
    built = [release for state in matrix.states for release in state.releases]
    what = f"{matrix.title} ({matrix.model})"
    if not built:
        return what if matrix.answers else f"{what}: no release was built"
    many = f"{len(built)} releases of keras-bert, {span(built)}" if len(built) > 1 else f"keras-bert {built[0]}"
    return f"{what} with {many}" + (f", against {matrix.against}" if matrix.against else "")


def span(releases: Sequence[str]) -> str:
    """The first and the last of some releases."""
    return releases[0] if len(releases) == 1 else f"{releases[0]} … {releases[-1]}"


def _state_lines(state: State, matrix: Matrix) -> Iterator[str]:
    totals = [f"{name} {size.total:,}" if (size := state.sizes.get(name)) else f"no {name} model" for name in MODELS]
    yield f"{state.releases[0]}: {' · '.join(totals)}"
    if matrix.against and not state.changes:
        yield f"agrees with {matrix.against}"


def _rest(state: State) -> Iterator[str]:
    """The releases behind the first one of a state."""
    rest = state.releases[1:]
    if rest:
        yield f"{span(rest)}, {len(rest)} releases: the same" if len(rest) > 1 else f"{rest[0]}: the same"


def _change_lines(changes: Iterable[Change]) -> Iterator[str]:
    for change in changes:
        only = f" ({change.models[0]} only)" if len(change.models) == 1 else ""
        where = f"{change.path}: " if change.path else ""
        yield f"{change.axis}: {where}{change.text}{only}"


def sections(matrix: Matrix) -> Iterator[tuple[str, list[str]]]:
    """Everything beside the states and what was asked, under a title each; none that would be empty."""
    order = [release for state in matrix.states for release in state.releases]
    since = [f"{axis}: {matrix.since[axis]}" for axis in AXES if axis in matrix.since]
    rows: Mapping[str, list[str]] = {
        "As in the last release since": since if order else [],
        "What get_model takes": [f"{release}: {text}" for release, text in matrix.interface],
        "Not built": [f"{release}: {why}" for release, why in matrix.failed],
        "Cannot be imported": [f"{span(group)}: {why}" for group, why in _alike(matrix.not_importable)],
        "Decided where the packages' requirements do not": [f"{span(g)}: {why}" for g, why in _alike(matrix.repairs)],
        "Supplied by the adaptation layer, in the worker only": [
            f"{name}: {', '.join(span(run) for run in _runs(releases, order))}" for name, releases in matrix.supplied
        ],
    }
    yield from ((title, texts) for title, texts in rows.items() if texts)
    if any(change.axis == NUMERICS for state in matrix.states for change in state.changes):
        yield NUMERICS_MEAN, []
    if not matrix.every and not matrix.against and len(order) > 1:
        yield "Releases in between were not built; --all builds every one.", []


def _alike(rows: Iterable[tuple[str, str]]) -> Iterator[tuple[list[str], str]]:
    groups: dict[str, list[str]] = {}
    for release, text in rows:
        groups.setdefault(text, []).append(release)
    yield from ((releases, text) for text, releases in groups.items())


def _runs(releases: Sequence[str], order: Sequence[str]) -> Iterator[list[str]]:
    """Releases that follow each other, together."""
    run: list[str] = []
    wanted = set(releases)
    for release in order:
        if release in wanted:
            run.append(release)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _table(matrix: Matrix, ascii_only: bool, form: str = "simple") -> str:
    from tabulate import tabulate

    rows = [list(COLUMNS)]
    for state in matrix.states:
        cells = [span(state.releases), str(len(state.releases))]
        sizes = [state.sizes.get(name) for name in MODELS]
        for size in sizes:
            cells += [f"{size.total:,}", f"{size.trainable:,}"] if size else ["", ""]
        main = next(size for size in sizes if size)
        rows.append([*cells, str(main.layers), str(main.arrays), main.dialect or ""])
    rows = [[to_ascii(cell) for cell in row] for row in rows] if ascii_only else rows
    text: str = tabulate(rows, "firstrow", tablefmt=form, colalign=_ALIGN, disable_numparse=True)
    return text
