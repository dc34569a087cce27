"""What an account of a figure of operations says: which counter, which path, of what, and what it leaves out."""

from collections.abc import Iterator
from dataclasses import replace

from reconcile.costing.accounts import Account, one_of
from reconcile.costing.conventions import kind_of, load_convention
from reconcile.costing.counting import Cost, count
from reconcile.costing.parts import PRODUCTS
from reconcile.frozen import dataclass

MOST_NAMED = 3
BLOCK = "all that a block computes"
"""The group of `[operations.groups]` that is all of a block."""


@dataclass(frozen=True, slots=True)
class OperationsAnswer:
    """A figure of operations as it was written, with its accounts, the shortest first, and how many there are."""

    text: str
    value: int
    unit: str
    exact: bool
    accounts: tuple[Account, ...]
    found: int

    @property
    def explained(self) -> bool:
        """Whether one account is clearly shorter than the figure, so that it may be stated."""
        return bool(self.accounts) and self.accounts[0].carried

    @property
    def verdict(self) -> str:
        """How far the figure carries what comes to it."""
        if not self.accounts:
            return "not explained"
        if self.explained:
            return "explained"
        return "fits" if self.exact else "holds as"


def heading(answer: OperationsAnswer) -> str:
    """The figure with its verdict."""
    return f"{answer.text}: {verdict(answer)}"


def verdict(answer: OperationsAnswer) -> str:
    """The verdict in words."""
    many = f", the shortest of {answer.found} accounts that come to it" if answer.found > len(answer.accounts) else ""
    return {
        "explained": "explained",
        "not explained": "not explained: no counter and no part of a model that is known comes to it",
        "fits": f"what follows comes to it and may be chance{many}",
        "holds as": f"a rounded figure; what follows is that when rounded{many}",
    }[answer.verdict]


def title(account: Account) -> str:
    """The account in one sentence."""
    convention, workload = account.convention, account.workload
    who = f"what {convention.counter} counts" if convention.counter else f"{_plainly(account)}"
    path = " or ".join(name for name in account.paths if name)
    on = f" with attention by {path}" if path else ""
    version = f" ({account.path.version})" if account.path.version else ""
    times = " forward and backward" if account.passes > 1 else ""
    return f"{who}{on}{version}{times}: {_what(account)}, S = {workload.length:,}, batch {workload.batch:,}"


def lines(account: Account) -> Iterator[str]:
    """What the figure consists of, what is left out of it, and what it is by other ways of counting."""
    if account.slip:
        yield f"mistake: {account.slip.says}"
        if account.right is not None:
            yield f"right is {account.right:,}"
        return
    cost = account.cost()
    yield f"{account.formula}{' · 3' if account.passes > 1 else ''} = {account.value:,}"
    if account.whole and account.convention.counter:
        yield "it is " + " + ".join(_kinds(cost))
        yield f"it counts {cost.convention.unit}" + _called(cost)
    if account.whole:
        yield from cost.convention.remarks
        left = [f"{one.says} ({one.amount:,} {one.unit})" for one in cost.left_out]
        yield from (["it leaves out " + ", ".join(left)] if left else [])
    if account.blocks:
        yield from _of_blocks(account)
    yield from _otherwise(account, cost)
    if account.also:
        more = f" and {len(account.also) - MOST_NAMED} more" if len(account.also) > MOST_NAMED else ""
        yield f"the same of {', '.join(account.also[:MOST_NAMED])}{more}"


def _plainly(account: Account) -> str:
    return "matrix products as FLOPs, two to a multiply-add" if account.convention.name == PRODUCTS else "multiply-adds"


def _what(account: Account) -> str:
    if account.whole:
        return account.model.name
    many = one_of(account.model)
    blocks = "" if account.blocks is None else "one block of " if account.blocks == 1 else f"all {many} blocks of "
    what = (
        "" if account.scope == BLOCK else f"{account.scope} of " if account.blocks is None else f"{account.scope} in "
    )
    return f"{what}{blocks}{account.model.name}"


def _kinds(cost: Cost) -> Iterator[str]:
    """The sums of each kind in a cost, with what was counted for each of it."""
    sums: dict[str, list[int]] = {}
    for row in cost.rows:
        entry = sums.setdefault(row.kind.partition(".")[0], [0, 0])
        entry[0] += row.forward
        entry[1] += row.amount
    for kind, (counted, amount) in sums.items():
        each = f", {counted // amount:,} for each" if amount and counted % amount == 0 and counted != amount else ""
        yield f"{counted:,} of {kind_of(kind).says}{each}"


def _called(cost: Cost) -> str:
    convention = cost.convention
    return f", which it calls {convention.calls}" if convention.calls != convention.unit else ""


def _of_blocks(account: Account) -> Iterator[str]:
    many = one_of(account.model)
    if account.blocks == 1 and many > 1:
        yield f"all {many} blocks take {many * account.value:,}"
    elif many > 1:
        yield f"one block takes {account.value // many:,}"


def _otherwise(account: Account, cost: Cost) -> Iterator[str]:
    """The figure of the same counter on its other paths, and the products of the same model."""
    for path in account.convention.ways:
        if account.whole and path.attention and path.attention not in account.paths:
            workload = replace(account.workload, attention=path.attention)
            other = count(account.model, workload, account.convention, version=path.version or None)
            version = f" ({path.version})" if path.version else ""
            yield f"with attention by {path.attention}{version} it says {other.total:,}"
    products = count(account.model, account.workload, load_convention(PRODUCTS)).total
    if products not in (account.value, 2 * account.value) or not account.whole:
        yield f"all products of the model are {products:,} FLOPs, {products // 2:,} multiply-adds, forward"
