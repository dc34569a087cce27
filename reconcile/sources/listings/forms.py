"""The forms of listings that are read, in the order in which they take lines: the more peculiar one comes first."""

from collections.abc import Callable

from reconcile.frozen import dataclass
from reconcile.sources.listings import estimates, literals, modules, printed, tables, tabulated, trees, variables
from reconcile.sources.listings.entry import Listing


@dataclass(frozen=True, slots=True)
class Form:
    """A form: what it is called, who finds it in prepared lines, whether it looks as a summary of Keras does.

    `headed` says that each has a header, so that its lines are surely its own.
    """

    name: str
    find: Callable[[list[str]], list[Listing]]
    beside_summaries: bool = False
    headed: bool = False


FORMS = (
    Form("estimates of memory", estimates.find_estimates, beside_summaries=True),
    Form("printed PyTorch modules", modules.find_modules, beside_summaries=True),
    Form("tables of layers", trees.find_trees, beside_summaries=True, headed=True),
    Form("tables of Flax", tabulated.find_tabulated, beside_summaries=True, headed=True),
    Form("printed objects", literals.find_literals),
    Form("printed variables", variables.find_variables),
    Form("tables with a header", tables.find_tables, headed=True),
    Form("rows of one line", printed.find_rows),
)
