"""A model against the one that somebody means: a spec, or a configuration."""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Protocol

from reconcile.comparison.axes import compare_uncounted
from reconcile.comparison.difference import Kind
from reconcile.comparison.ledgers import compare_shares
from reconcile.comparison.reason import reason
from reconcile.comparison.shares import Share, Shares, counted, joined, shares
from reconcile.finding import Finding
from reconcile.finding.settings import MeantOther, MeantSame, MeantSetting
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.taxonomy import load_architecture


class Meant(Protocol):
    """A model that somebody means."""

    @property
    def name(self) -> str: ...
    @property
    def architecture(self) -> str: ...
    @property
    def dimensions(self) -> Mapping[str, int | None]: ...
    @property
    def options(self) -> frozenset[str]: ...


def compare_meant(ledger: Ledger, meant: Meant) -> Iterator[Finding]:
    """Whether a source is the model that is meant, or what is otherwise in it."""
    architectures = [load_architecture(meant.architecture), *([ledger.architecture] if ledger.architecture else [])]
    found = compare_shares(_expected(meant), shares(ledger), architectures)
    wanted, total = found.totals
    counting = [one for one in found.differences if one.counts]
    # What stands on top of a model of which no head is meant makes it no other.
    on_top = [one for one in counting if one.kind == Kind.ONLY_RIGHT and one.path.startswith(TASK)]
    headless = not getattr(meant, "heads", {})
    if ledger.architecture is None:
        # Names that nobody here knows are no fault of a model that has just what is meant.
        why = "its names are not known"
        yield MeantOther(meant.name, wanted, total, why=why, severity="note" if total == wanted else "error")
    elif not counting or (headless and counting == on_top):
        yield MeantSame(meant.name, wanted, total, heads=sum(one.difference for one in on_top))
    else:
        yield MeantOther(meant.name, wanted, total, why=reason(found, meant.name, "this"), severity="error")
    for setting in compare_uncounted(meant.dimensions, ledger.dimensions):
        yield MeantSetting(setting.name, spec=meant.name, meant=setting.left, got=setting.right)


def _expected(meant: Meant) -> Shares:
    """What a model has by its formulas: each component, and the head that a configuration names; a spec names none."""
    architecture = load_architecture(meant.architecture).adapted(
        getattr(meant, "absent", ()), getattr(meant, "untied", ()), getattr(meant, "tied", ())
    )
    found = {}
    for path, part in architecture.written_out(meant.options, meant.dimensions):
        size = part.size.evaluate(meant.dimensions)
        found[path] = counted(size, part.size, meant.dimensions, tied_to=part.tied_to)
    for name, (shape, _) in getattr(meant, "heads", {}).items():
        layer = TASK + name.rpartition(".")[0]
        found[layer] = joined([*([found[layer]] if layer in found else []), Share(prod(shape))])
    return found
