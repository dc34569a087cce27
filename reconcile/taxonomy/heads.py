"""How an architecture says that the matrices of its attention layers are cut into heads."""

from collections.abc import Mapping
from typing import Any

from reconcile.datafile import check_keys, take
from reconcile.frozen import dataclass

_KEYS = ("of", "columns", "rows")


@dataclass(frozen=True, slots=True)
class HeadCut:
    """The matrices of the attention layer `of`, each with the dimension that says into how many heads it is cut.

    `columns` are cut between columns, `rows` between rows.
    """

    of: str
    columns: Mapping[str, str]
    rows: Mapping[str, str]

    @classmethod
    def read(cls, file: str, table: Mapping[str, Any]) -> "HeadCut":
        """The table `heads` of an architecture's file. Raises InputError."""
        check_keys(file, table, _KEYS, _KEYS, under="heads")
        columns, rows = (take(file, table, key, dict, under="heads") for key in ("columns", "rows"))
        return cls(take(file, table, "of", str, under="heads"), columns, rows)
