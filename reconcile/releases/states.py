"""Releases one after another -> states: runs of releases whose models are the same, and what each changed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from reconcile.frozen import dataclass
from reconcile.releases.changes import OTHER_OUTPUTS, Model, compare_models
from reconcile.releases.matrix import AXES, MODELS, NUMERICS, Change, Size, State

COMPILES = "Model.compile, which does nothing"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one release: its models by name, what get_model takes and what had to be supplied; or why not."""

    release: str
    models: Mapping[str, Model] = field(default_factory=dict)
    takes: Mapping[str, str] = field(default_factory=dict)
    supplied: tuple[str, ...] = ()
    failed: str = ""


def states(outcomes: Sequence[Outcome], against: Model | None = None) -> tuple[State, ...]:
    """The runs of equal releases, oldest first. With `against`, the changes of each are those against that model."""
    found: list[State] = []
    before: Outcome | None = None
    for outcome in (one for one in outcomes if not one.failed):
        changes = tuple(changes_between(before, outcome)) if before else ()
        if before and not changes:
            found[-1] = _longer(found[-1], outcome.release)
        else:
            told = tuple(compare_models(against, _fitting(outcome, against))) if against else changes
            found.append(_state(outcome, told))
        before = outcome
    return tuple(found)


def _longer(state: State, release: str) -> State:
    return State((*state.releases, release), state.sizes, state.changes, state.rows)


def _state(outcome: Outcome, changes: tuple[Change, ...]) -> State:
    sizes = {name: _size(model) for name, model in outcome.models.items()}
    rows = {
        name: tuple((layer.name, layer.params or 0) for layer in model.ledger.inventory.layers)
        for name, model in outcome.models.items()
    }
    return State((outcome.release,), sizes, changes, rows)


def _size(model: Model) -> Size:
    ledger, inventory = model.ledger, model.ledger.inventory
    unmapped = sum(item.params for item in ledger.unmapped)
    dialect = ledger.dialect.title if ledger.dialect else None
    arrays = len(inventory.tensors)
    return Size(ledger.total, inventory.trainable or 0, len(inventory.layers), arrays, unmapped, dialect)


def changes_between(before: Outcome, after: Outcome) -> Iterator[Change]:
    """What changed from one release to the next, equal changes in both models as one."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name in MODELS:
        mine, other = before.models.get(name), after.models.get(name)
        if mine and other:
            for change in compare_models(mine, other):
                groups.setdefault((change.axis, change.path, change.text), []).append(name)
        elif mine or other:
            text = f"the {name} model can {'no longer' if mine else 'now'} be asked for"
            groups.setdefault((AXES[0], "", text), []).append(name)
    found = [Change(*key, models=tuple(names)) for key, names in groups.items()]
    yield from sorted(_joined(found), key=lambda change: AXES.index(change.axis))


def _joined(changes: Sequence[Change]) -> Iterator[Change]:
    """One change for two that say the same: of more components in one model, and by how much each model's outputs."""
    left = list(changes)
    while left:
        one = left.pop(0)
        other = next((other for other in left if _same(one, other)), None)
        if other:
            left.remove(other)
            wide = max(one, other, key=lambda change: len(change.path))
            text = one.text if one.text == other.text else f"{one.text} ({one.models[0]}), {_short(other)}"
            one = Change(one.axis, wide.path, text, (*one.models, *other.models))
        yield one


def _same(one: Change, other: Change) -> bool:
    if one.axis != other.axis or one.models == other.models or len(one.models + other.models) != 2:
        return False
    paths = set(one.path.split(", ")), set(other.path.split(", "))
    alike = one.axis == NUMERICS or one.text == other.text
    return alike and (paths[0] <= paths[1] or paths[1] <= paths[0])


def _short(change: Change) -> str:
    return f"{change.text.removeprefix(OTHER_OUTPUTS)} ({change.models[0]})"


def _fitting(outcome: Outcome, against: Model) -> Model:
    """The model of a release that another is compared with: the one with as many of its heads."""
    options = against.ledger.options
    return min(outcome.models.values(), key=lambda model: len(model.ledger.options ^ options))


def since(found: Sequence[State]) -> dict[str, str]:
    """From which release on each axis is as it is in the last one."""
    last = dict.fromkeys(AXES, found[0].releases[0]) if found else {}
    for state in found:
        last |= {change.axis: state.releases[0] for change in state.changes}
    return last


def interface(outcomes: Iterable[Outcome]) -> Iterator[tuple[str, str]]:
    """What get_model takes otherwise than in the release before, and where it stops compiling what it makes."""
    before: Outcome | None = None
    for outcome in (one for one in outcomes if one.takes):
        if before:
            won = [name for name in outcome.takes if name not in before.takes]
            lost = [name for name in before.takes if name not in outcome.takes]
            parts = [f"takes {', '.join(won)}"] if won else []
            parts += [f"no longer takes {', '.join(lost)}"] if lost else []
            parts += [
                f"{name} is {value} by default, not {before.takes[name]}"
                for name, value in outcome.takes.items()
                if before.takes.get(name, value) != value
            ]
            compiled = [COMPILES in one.supplied for one in (before, outcome)]
            if compiled[0] != compiled[1]:
                parts.append("compiles the model" if compiled[1] else "no longer compiles the model")
            if parts:
                yield outcome.release, "; ".join(parts)
        before = outcome


def supplied(outcomes: Iterable[Outcome]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each name that the adaptation supplied, with the releases that asked for it."""
    found: dict[str, list[str]] = {}
    for outcome in outcomes:
        for name in outcome.supplied:
            found.setdefault(name, []).append(outcome.release)
    return tuple((name, tuple(releases)) for name, releases in found.items())
