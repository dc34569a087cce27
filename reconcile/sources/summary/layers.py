"""Rows made into layers, with what must be said about their counts."""

import re

from reconcile.frozen import dataclass
from reconcile.inventory import Layer
from reconcile.quantity.counts import whole_number
from reconcile.sources.summary.rows import RowLines
from reconcile.sources.summary.tables import Table

_CUT = re.compile(r"(?:\u2026|\.\.\.?|\u22ef)$")
_NOTE = re.compile(r"([0-9][0-9,_]*) *\(([a-z]*)(?:\)|\u2026|$)")
_NO_COUNT = {"", "?", "-", "multiple", "None"}
_FLAGS = {"Y": True, "N": False}
_QUOTED = re.compile(r"'([^',]+)")
_ITEMS = re.compile(r",\s*|(?<=\u2026)\s+")
_AFTER_COMMA = re.compile(r",(?=[^\s)\]}])|(?<=['\"]):(?=\S)")


@dataclass(frozen=True, slots=True)
class Count:
    """A count as read, None where it cannot be; `kind` is that of the remark it needs, if any.

    One that is not `sure` holds only if the rows then add up to the total.
    """

    value: int | None
    shown: str
    kind: str = ""
    sure: bool = True


def layer_of(row: RowLines, table: Table) -> tuple[Layer, Count]:
    """The layer that a row shows, and how its count was read."""
    count = _count(row, table)
    name, class_name, name_cut, class_cut = _names(row, table)
    if not table.name_first:
        name, class_name, name_cut, class_cut = class_name, name, class_cut, name_cut
    layer = Layer(
        name=name,
        class_name=class_name,
        output_shape=_shape(row.joined("shape", " " if table.boxed else "")),
        params=count.value,
        inbound=_inbound(row, table),
        trainable=_FLAGS.get(row.joined("trainable")),
        depth=max(line.depth for line in row.lines),
        name_cut=name_cut,
        class_cut=class_cut,
    )
    return layer, count


def _count(row: RowLines, table: Table) -> Count:
    pieces = [line.count.strip("*` ") for line in row.lines if line.count]
    shown = (" " if table.boxed else "").join(pieces)
    if shown in _NO_COUNT:
        return Count(None, shown, "no-count")
    noted = _NOTE.match(shown)
    if noted:
        return Count(whole_number(noted[1]), shown, _note(noted[2], table.boxed))
    value = whole_number(shown)
    if value is None:
        return Count(None, shown, "cut-count" if shown[0].isdigit() or _CUT.search(shown) else "unread-count")
    sure = all(line.sure for line in row.lines)
    if len(pieces) == 1:
        return Count(value, shown, "" if sure else "cut-count", sure and not _may_be_cut(shown, row, table))
    return Count(value, pieces[0], "wrapped-digits", sure and _is_wrapped(pieces, table))


def _note(word: str, boxed: bool) -> str:
    """What Keras says of a layer without weights: 2 `0 (unused)`, 3 `0 (unbuilt)`, which a narrow column cuts."""
    if word[:3] in ("unu", "unb"):
        return "unused" if word[:3] == "unu" else "unbuilt"
    return "unbuilt" if boxed else "unused"


def _may_be_cut(piece: str, row: RowLines, table: Table) -> bool:
    """Whether more digits may have followed: the piece fills its column, and what Keras prints then is not there."""
    if table.boxed or not _fills(piece, table):
        return False
    return not table.wrapped or row.broken or not row.named


def _is_wrapped(pieces: list[str], table: Table) -> bool:
    """Whether each piece but the last fills the column, as Keras fills it before it takes another line."""
    return all(_fills(piece, table) and len(piece) == len(pieces[0]) for piece in pieces[:-1])


def _fills(piece: str, table: Table) -> bool:
    width = table.grid.width("count") if table.grid else None
    if width is None or table.grid is None:
        return False
    # The last column is filled to its end; tf-keras leaves three blanks behind the others, 2.7 two, Keras 2 one.
    blanks = 0 if table.grid.is_last("count") else 3 if table.wrapped else 1
    return len(piece) >= width - blanks


def _names(row: RowLines, table: Table) -> tuple[str, str, bool, bool]:
    """A layer's name and class, and whether either is cut."""
    text = row.joined("name", " " if table.boxed else "").lstrip("\u2514\u2570 ").strip("*`")
    name, bracket, class_name = text.rpartition("(") if "(" in text else (text, "", "")
    name, name_cut = _uncut(name.strip())
    class_name, class_cut = _uncut(class_name)
    name_cut = name_cut or (not bracket and _fills_name(text, table))
    return name, class_name.removesuffix(")"), name_cut, class_cut or not class_name.endswith(")")


def _uncut(text: str) -> tuple[str, bool]:
    """What is visible of a text, and whether an ellipsis says that more was there."""
    visible = _CUT.sub("", text)
    return visible, visible != text


def _fills_name(text: str, table: Table) -> bool:
    width = table.grid.width("name") if table.grid else None
    return width is not None and len(text) >= width - (3 if table.wrapped else 1)


def _shape(text: str) -> str:
    """A shape with one blank after each comma, wherever it was wrapped."""
    return _AFTER_COMMA.sub(lambda found: found[0] + " ", " ".join(text.split()))


def _inbound(row: RowLines, table: Table) -> tuple[str, ...]:
    """The names of the layers that a row says it gets its input from; one that is cut ends with an ellipsis."""
    texts = [line.inbound for line in row.lines if line.inbound]
    joined = (" " if table.boxed else "").join(texts)
    if "'" in joined:
        items = _QUOTED.findall(joined)
    elif table.boxed or "," in joined:
        items = _ITEMS.split(joined)
    else:
        items = texts
    return tuple(name for item in items if (name := _inbound_name(item.strip())))


def _inbound_name(item: str) -> str:
    """`dense_1` of `dense_1[0][0]`; `dense\u2026` of `dense` where the cell ends before the bracket."""
    name, bracket, _ = item.partition("[")
    name = _CUT.sub("", name).strip("] ")
    return "" if name == "-" else name if bracket or not name else name + "\u2026"
