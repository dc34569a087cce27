"""From which releases a total, or the rows of a summary, can come."""

from collections.abc import Iterator, Mapping, Sequence

from reconcile.frozen import dataclass
from reconcile.inventory import Inventory
from reconcile.releases.matrix import Matrix, ReleaseAnswer, State

MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model of a state that has the total, with the rows by which it differs from the text (none: it fits)."""

    state: State
    model: str
    against: tuple[str, ...]


def which(matrix: Matrix, published: Sequence[str], total: int, source: Inventory | None = None) -> ReleaseAnswer:
    """The releases whose model has this total and, where a text is given, its rows.

    `published` are all releases: those between two that were built are as the one before.
    """
    candidates = list(_candidates(matrix, total, source))
    fitting = [one for one in candidates if not one.against]
    lines = []
    if not candidates:
        lines.append(f"no release has a model of {total:,} parameters: {_totals(matrix)}")
    for model, states in _by_model(fitting).items():
        lines += [f"{run} with training={model == 'training'}" for run in _runs(states, matrix, published)]
    for one in candidates if not fitting else ():
        shown = ", ".join(one.against[:MOST_NAMED])
        more = f" and {len(one.against) - MOST_NAMED} more" if len(one.against) > MOST_NAMED else ""
        first = one.state.releases[0]
        lines.append(f"{first} has it with training={one.model == 'training'}, but other rows: {shown}{more}")
    releases = tuple(release for one in fitting for release in _span(one.state, matrix, published))
    title = f"{total:,} parameters can come from" if fitting else f"Where {total:,} parameters can come from"
    return ReleaseAnswer(title, tuple(lines), tuple(dict.fromkeys(releases)), "note" if fitting else "error")


def _candidates(matrix: Matrix, total: int, source: Inventory | None) -> Iterator[Candidate]:
    for state in matrix.states:
        for model, size in state.sizes.items():
            if size.total == total:
                yield Candidate(state, model, tuple(_against(dict(state.rows[model]), source)) if source else ())


def _against(rows: Mapping[str, int], source: Inventory) -> Iterator[str]:
    """The layers that only a release or a text has, or that have other counts; cut names fit what they begin."""
    seen = set()
    for layer in (layer for layer in source.layers if layer.depth == 0):
        names = [name for name in rows if name == layer.name or (layer.name_cut and name.startswith(layer.name))]
        name = next((one for one in names if one not in seen and layer.params in (None, rows[one])), None)
        if name is None:
            yield f"{layer.name} is not in it" if not names else f"{layer.name} has {rows[names[0]]:,}"
        else:
            seen.add(name)
    yield from (f"it has {name}" for name in rows if name not in seen)


def _by_model(candidates: Sequence[Candidate]) -> dict[str, list[State]]:
    groups: dict[str, list[State]] = {}
    for one in candidates:
        groups.setdefault(one.model, []).append(one.state)
    return groups


def _runs(states: Sequence[State], matrix: Matrix, published: Sequence[str]) -> Iterator[str]:
    """States that follow each other as one range of releases."""
    places = {state.releases[0]: place for place, state in enumerate(matrix.states)}
    run: list[State] = []
    for state in states:
        if run and places[state.releases[0]] != places[run[-1].releases[0]] + 1:
            yield _range(run, matrix, published)
            run = []
        run.append(state)
    yield _range(run, matrix, published)


def _range(states: Sequence[State], matrix: Matrix, published: Sequence[str]) -> str:
    first, last = states[0].releases[0], _span(states[-1], matrix, published)[-1]
    return first if first == last else f"{first} … {last}"


def _span(state: State, matrix: Matrix, published: Sequence[str]) -> list[str]:
    """The releases of a state with those that were not built before the next one begins."""
    later = [other.releases[0] for other in matrix.states if other.releases[0] not in state.releases]
    start = published.index(state.releases[0])
    stop = min((published.index(other) for other in later if published.index(other) > start), default=None)
    if stop is None:
        stop = published.index(state.releases[-1]) + 1
    return list(published[start:stop])


def _totals(matrix: Matrix) -> str:
    found = sorted({size.total for state in matrix.states for size in state.sizes.values()})
    return f"with these sizes they have {', '.join(f'{total:,}' for total in found)}"
