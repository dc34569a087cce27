"""What `reconcile cost` says of one model: its cost with everything that follows from it, decided and in words."""

from collections.abc import Iterator

from reconcile.costing.counting import Cost
from reconcile.costing.decoding import Decoding
from reconcile.costing.experts import Experts
from reconcile.costing.feed_forward import Active, Share
from reconcile.costing.lengths import Curve
from reconcile.costing.memory import Bytes, Storage
from reconcile.costing.memory import total as all_bytes
from reconcile.frozen import dataclass


@dataclass(frozen=True, slots=True)
class CostReport:
    """A cost with its memory; `compared` are other conventions, and what a model has no part for is None."""

    cost: Cost
    store: Storage
    memory: tuple[Bytes, ...]
    share: Share | None = None
    active: Active | None = None
    decoding: Decoding | None = None
    experts: Experts | None = None
    curve: Curve | None = None
    compared: tuple[Cost, ...] = ()


def heading(report: CostReport) -> list[str]:
    """What is counted, of what, and by which convention; the total first."""
    cost = report.cost
    convention, workload, model = cost.convention, cost.workload, cost.model
    passes = "forward and backward" if cost.training else "forward"
    how = f" ({convention.counter})" if convention.counter else ""
    unit = (
        convention.calls if convention.calls == convention.unit else f"{convention.calls} (they are {convention.unit})"
    )
    on = f", attention {workload.attention}" if convention.paths else ""
    version = f", {cost.path.version}" if cost.path.version else ""
    sizes = " · ".join(
        f"{name} = {size:,}" for name, size in model.dimensions.items() if size is not None and name != "S"
    )
    lines = [
        f"{model.name}: {cost.total:,} {unit} {passes}",
        f"by {convention.name}: {convention.title}{how}{on}{version}",
        f"{sizes} · sequences of S = {workload.length:,}, batch {workload.batch:,}",
    ]
    table = model.dimensions.get("P")
    if table and workload.length > table:
        lines.append(f"longer than the model takes: its table has P = {table:,} positions")
    return lines + [f"assumed: {text}" for text in model.assumed]


def summary(report: CostReport) -> Iterator[str]:
    """What stands under the rows: totals that people quote, what is left out, and what that means for one token."""
    cost = report.cost
    totals = " · ".join(f"{name} {count:,}" for name, count in cost.totals.items())
    if totals:
        yield f"as totals that people quote: {totals}"
    if cost.training:
        yield f"forward {cost.forward:,}, backward {cost.total - cost.forward:,}"
        if cost.convention.backward is None:
            yield _of_backward(cost)
    positions = cost.workload.length * cost.workload.batch
    yield f"{_ratio(cost.total, cost.workload.batch)} for a sequence, {_ratio(cost.total, positions)} for a token"
    left = " · ".join(f"{one.says} {one.amount:,} {one.unit}" for one in cost.left_out)
    if left:
        yield f"not counted: {left}"
    yield from cost.convention.remarks
    if report.decoding:
        yield from _decoding(report.decoding)
    if report.experts:
        active, whole = report.experts.active, report.experts.total
        yield f"of {whole:,} parameters a token uses {active:,}, {percent(active, whole)}; all are stored"


def feed_forward(report: CostReport) -> Iterator[str]:
    """The feed-forward's share, and what is left where only some of it is computed."""
    share, active = report.share, report.active
    if share is None:
        return
    named = "".join(f", {percent(share.kernels, count)} of {count:,} ({name})" for name, count in share.totals.items())
    yield (
        f"the feed-forward's kernels are {share.kernels:,} of {share.parameters:,} parameters, "
        f"{percent(share.kernels, share.parameters)}{named}"
    )
    yield (
        f"its products are {share.operations:,} of {share.products:,} FLOPs at S = {report.cost.workload.length:,}, "
        f"{percent(share.operations, share.products)}; without any of it "
        f"{percent(share.products - share.operations, share.products)} are left"
    )
    if active:
        yield (
            f"with {active.neurons:,} of {active.width:,} neurons of each feed-forward computed: {active.touched:,} "
            f"parameters are touched, {percent(active.touched, share.parameters)}; {active.left:,} FLOPs are left, "
            f"{percent(active.left, share.products)}"
        )


def usual_part(cost: Cost) -> str:
    """The total that people quote the operations of where it is not the whole model; nothing where it is."""
    quoted = [name for name in cost.model.architecture.quoted if name in cost.totals]
    return next((name for name in quoted if cost.totals[name] < cost.total), "")


def memory_total(report: CostReport) -> int:
    """All bytes together."""
    return all_bytes(report.memory)


def crossings(report: CostReport) -> Iterator[str]:
    """Where attention overtakes the feed-forward, in a sentence each."""
    for crossing in report.curve.crossings if report.curve else ():
        exact = f"{crossing.formula} = {crossing.length:,}" if crossing.formula else f"S = {crossing.length:,}"
        yield f"{crossing.what} takes as much as the feed-forward at {exact}".replace(
            "products alone takes", "products alone take"
        )


def percent(part: int, whole: int) -> str:
    """A part of a whole in per cent with one decimal, reckoned in integers."""
    tenths = (2000 * part + whole) // (2 * whole) if whole else 0
    return f"{tenths // 10}.{tenths % 10} %"


def sized(count: int) -> str:
    """Bytes as people write them, beside the exact number: `437.9 MB`."""
    for unit, size in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            tenths = (20 * count + size) // (2 * size)
            return f"{tenths // 10:,}.{tenths % 10} {unit}"
    return f"{count} B"


def _ratio(count: int, parts: int) -> str:
    whole, rest = divmod(count, parts)
    return f"{whole:,}" if not rest else f"about {(2 * count + parts) // (2 * parts):,}"


def _of_backward(cost: Cost) -> str:
    if cost.workload.attention == "flash":
        return (
            "backward each product twice, by its input and by its weights; those of flash attention 2.5 times, as Q·Kᵀ "
            "is computed once more"
        )
    return "backward each product twice, by its input and by its weights"


def _decoding(decoding: Decoding) -> Iterator[str]:
    yield (
        f"a prompt of {decoding.length:,} positions takes {decoding.prompt:,} {decoding.unit}; one token behind it, "
        f"keys and values being kept, {decoding.token:,}"
    )
    yield "all S² scores are counted, as counters do; of them a causal mask keeps S·(S + 1)/2"
