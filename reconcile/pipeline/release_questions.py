"""What is asked beside the changes: where a total comes from, and whether a user's own packages are affected."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reconcile.errors import ArchiveError, InputError
from reconcile.mapping.ledger import TASK
from reconcile.pipeline.release_changes import compare_releases
from reconcile.pipeline.release_results import Running, outcomes_of
from reconcile.releases.lock import PROJECT, Lock, Release, archive_name
from reconcile.releases.matrix import Change, Matrix, ReleaseAnswer
from reconcile.releases.results import plan
from reconcile.releases.states import changes_between
from reconcile.spec import Spec, load_spec

if TYPE_CHECKING:
    from reconcile.environments.index import Archive
    from reconcile.inventory import Inventory
    from reconcile.mapping.ledger import Ledger
    from reconcile.releases.pins import Pins

Announce = Callable[[str], None]
BASE = "stackexchange-bert-base"


def total_of(text: str) -> int | None:
    """A total as somebody writes it, `109,705,010`; None for anything else."""
    plain = text.replace(",", "").replace("_", "").replace(" ", "")
    return int(plain) if plain.isdecimal() and len(plain) <= 20 else None


def summary_of(name: str) -> "tuple[Inventory, Spec, tuple[str, ...]]":
    """The one summary in a file without its own head, a spec of a model with its sizes, and the head's rows in words.

    Raises InputError for anything else.
    """
    from reconcile.pipeline.source import open_stored

    opened = open_stored(name)
    if len(opened) != 1:
        raise InputError(name, got=f"{len(opened)} models", takes="a file with one summary")
    ledger = opened[0].ledger
    spec = load_spec("tiny")
    sizes = {key: ledger.dimensions.get(letter) for key, letter in _SIZES.items()}
    missing = [key for key, size in sizes.items() if size is None]
    if missing:
        raise InputError(
            name, got=f"no {missing[0]} that its counts tell", takes="a summary of a model of keras-bert's"
        )
    hidden = sizes["embed_dim"] or 1
    heads = next(number for number in (12, 8, 4, 2, 1) if hidden % number == 0)
    length = min(sizes["pos_num"] or 1, ledger.dimensions.get("S") or 512)
    arguments = {**spec.arguments, **sizes, "head_num": heads, "seq_len": length}
    model, head = without_head(ledger)
    return model, replace(spec, name="its sizes", title=f"a model of the sizes in {name}", arguments=arguments), head


def without_head(ledger: "Ledger") -> "tuple[Inventory, tuple[str, ...]]":
    """A summary's model without the rows of a head that somebody put on top, its total less by them, and these rows.

    Rows without parameters behind the last one of the model belong to the head as well.
    """
    inventory = ledger.inventory
    names = {name for part in ledger.stored if part.path.startswith(TASK) for name in part.items}
    head = [layer for layer in inventory.layers if layer.name in names and layer.params]
    total = ledger.total - ledger.apart - sum(layer.params or 0 for layer in head)
    if not head:
        return inventory, ()
    own = [place for place, layer in enumerate(inventory.layers) if layer.params and layer not in head]
    kept = [layer for place, layer in enumerate(inventory.layers) if layer not in head and place <= max(own, default=0)]
    stated = total if inventory.total is not None else None
    return replace(inventory, layers=tuple(kept), total=stated), tuple(
        f"{layer.name} ({layer.params:,})" for layer in head
    )


_SIZES = {"token_num": "V", "pos_num": "P", "embed_dim": "H", "transformer_num": "L", "feed_forward_dim": "F"}


def comes_from(
    text: str, lock: Lock, wanted: Sequence[Release], model: str | None, running: Running, complete: bool
) -> Matrix:
    """The releases compared, and from which of them a total, or the summary in a file, can come.

    A total alone is looked for at the sizes of BERT base with 30,000 words unless `model` names another spec.
    """
    from reconcile.releases.which import which

    head: tuple[str, ...] = ()
    total, source = total_of(text), None
    spec = load_spec(model or BASE)
    if total is None:
        source, own, head = summary_of(text)
        spec = load_spec(model) if model else own
        total = source.total
        if total is None:
            raise InputError(text, got="no total", takes="a summary with its last lines")
    matrix = compare_releases(wanted, spec, running, complete=complete)
    answer = which(matrix, [one.version for one in lock.importable], total, source)
    if head:
        aside = f"without the head that its own rows show, {', '.join(head)}"
        answer = replace(answer, lines=(aside, *answer.lines))
    return replace(matrix, answers=(answer,))


def affected(file: str, lock: Lock, wanted: Sequence[Release], spec: Spec, running: Running, complete: bool) -> Matrix:
    """The releases compared, where a user's own requirements stand among them, and which of the user's other packages
    of the family change the model. Raises InputError for what cannot be read."""
    from reconcile.datafile import read_text
    from reconcile.releases.pins import read_pins, release_of

    pins = read_pins(read_text(Path(file)), file)
    release = lock.releases[release_of(pins, list(lock.releases))]
    every = {one.version for one in wanted} | {release.version}
    among = [one for one in lock.releases.values() if one.version in every]
    matrix = compare_releases(among, spec, running, complete=complete)
    said = [] if pins.exact(PROJECT) else [f"{PROJECT} is not pinned; {release.version} is the newest that it allows"]
    if not release.importable:
        return replace(
            matrix, answers=(ReleaseAnswer(f"{release.version} cannot be imported", (release.reason,), (), "error"),)
        )
    return replace(matrix, answers=(place_of(release, matrix, said), _siblings(pins, release, lock, spec, running)))


def _siblings(pins: "Pins", release: Release, lock: Lock, spec: Spec, running: Running) -> ReleaseAnswer:
    """What the user's own versions of the family's other packages change, one at a time and then all together."""
    stated = {project: pins.exact(project) for project in release.siblings}
    differing = {
        project: version for project, version in stated.items() if version not in (None, release.siblings[project])
    }
    archives = _archives({project: str(version) for project, version in differing.items()}, lock, running.announce)
    unlocked = [archive.file for archive in archives.values() if archive.file not in lock.archives]
    lines = [f"{name} is not in the lock: its hash is what the package index says now" for name in unlocked]
    whole, said = archives, list[str]()
    left = [project for project, version in stated.items() if version is None]
    if left:
        whole, said = _open(left, pins, release, archives, lock, running.announce)
    variants = [_with(release, {project: archive}) for project, archive in archives.items()]
    label = "what an installation takes now" if left else ""
    variants += (
        [_with(release, whole, label)] if whole not in ({}, *({name: one} for name, one in archives.items())) else []
    )
    told, grave = _told(release, variants, spec, running)
    if len(left) < len(stated) and not differing:
        lines.append("every version that is pinned is the one that the lock has")
    return ReleaseAnswer(
        "The other packages of the family", (*lines, *said, *told), (release.version,), "error" if grave else "note"
    )


def _open(
    left: Sequence[str], pins: "Pins", release: Release, own: "dict[str, Archive]", lock: Lock, announce: Announce
) -> "tuple[dict[str, Archive], list[str]]":
    """The siblings that differ from the lock's when those that are not pinned are the newest that are allowed."""
    from reconcile.environments.archives import install
    from reconcile.environments.index import Archive
    from reconcile.releases.relock import of_today
    from reconcile.releases.versions import allows

    named = (Archive(name.rpartition("-")[0], name, sha256) for name, sha256 in lock.archives.items())
    known = [one for one in named if one.project != PROJECT and one not in own.values()]
    install([*release.archives, *known, *own.values()], announce)
    asked = {name: text for name, text in pins.conditions.items() if name != PROJECT and text}
    many = f"{', '.join(left)} {'are' if len(left) > 1 else 'is'} not pinned"
    try:
        taken = of_today(release, asked, [*known, *own.values()])
    except ArchiveError as error:
        return own, [f"{many}, and nothing fits: {error}"]
    found = {one.project: one for one in taken if release.siblings.get(one.project) != one.version} | own
    now = ", ".join(f"{one.project} {one.version}" for one in found.values() if one.project in left)
    refused = [
        f"{one.project}{asked[one.project]} contradicts another package, which requires {one.version}"
        for one in taken
        if not allows(asked.get(one.project, ""), one.version)
    ]
    return found, [f"{many}; an installation now takes {now or 'what the lock has'}", *refused]


def _told(release: Release, variants: Sequence[Release], spec: Spec, running: Running) -> tuple[list[str], bool]:
    """What each variant changes in words, and whether one changes anything."""
    if not variants:
        return [], False
    first, *others = outcomes_of([release, *variants], plan(spec), running)
    lines, grave = [], False
    for outcome in others:
        found = [outcome.failed] if outcome.failed else [_said(change) for change in changes_between(first, outcome)]
        grave |= bool(found)
        lines += [f"{outcome.release}: {text}" for text in found or ["the same model"]]
    return lines, grave


def _said(change: Change) -> str:
    where = f"{change.path}: " if change.path else ""
    only = f" ({change.models[0]} only)" if len(change.models) == 1 else ""
    return f"{change.axis}: {where}{change.text}{only}"


def _archives(wanted: dict[str, str], lock: Lock, announce: Announce) -> "dict[str, Archive]":
    """The archive of each version, by the lock's hash where it has one, else as the index has it now."""
    from reconcile.environments.index import Archive, listed

    found = {}
    for project, version in wanted.items():
        name = archive_name(project, version)
        if name in lock.archives:
            found[project] = Archive(project, name, lock.archives[name])
            continue
        announce(f"asking the package index for {project} {version} ...")
        known = {archive.file: archive for archive in listed([project])}
        if name not in known:
            raise InputError("--env", project, version, f"a version with a source archive on the package index, {name}")
        found[project] = known[name]
    return found


def _with(release: Release, archives: "dict[str, Archive]", label: str = "") -> Release:
    """A release with some of its siblings exchanged; it is called by them, or by a label."""
    kept = [archives.get(one.project, one) for one in release.archives]
    label = label or ", ".join(f"{project} {archive.version}" for project, archive in archives.items())
    return replace(release, version=f"{release.version} with {label}", archives=tuple(kept))


def place_of(release: Release, matrix: Matrix, said: Sequence[str]) -> ReleaseAnswer:
    """In which state a release is, and what changes after it."""
    versions = [state.releases[0] for state in matrix.states]
    held = [place for place, state in enumerate(matrix.states) if release.version in state.releases]
    if not held:
        return ReleaseAnswer(
            f"{release.version} was not built", (release.reason,) if release.reason else (), (), "error"
        )
    state = matrix.states[held[0]]
    lines = [*said]
    lines += [f"{name}: {size.total:,} parameters, {size.trainable:,} trainable" for name, size in state.sizes.items()]
    for later in matrix.states[held[0] + 1 :]:
        axes = ", ".join(dict.fromkeys(change.axis for change in later.changes))
        lines.append(f"{later.releases[0]} changes {axes}")
    if versions[-1] == state.releases[0]:
        lines.append("nothing changes after it")
    first = state.releases[0]
    title = f"{release.version} is as {first}" if first != release.version else f"{first} among these releases"
    return ReleaseAnswer(title, tuple(lines), state.releases)
