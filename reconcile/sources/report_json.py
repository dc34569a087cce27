"""This program's own JSON reports -> inventories, component by component."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reconcile.errors import InputError
from reconcile.inventory import Inventory, Layer, Tensor
from reconcile.phrases import listed

KIND = "reconcile's report"
SCHEMAS = (1, 2)
COMMANDS = ("build", "read", "report")
"""Commands whose reports hold a model's components."""

_KEYS = ("subject", "dimensions", "total", "components")


def is_report(table: Mapping[str, Any]) -> bool:
    """Whether an object is one of this program's reports, or several of them."""
    return "schema" in table and "command" in table


def read_reports(table: Mapping[str, Any], source: str) -> tuple[Inventory, ...]:
    """Every model of a report. Raises InputError, naming the key, for what is no whole report."""
    if table["schema"] not in SCHEMAS:
        raise InputError(source, "schema", repr(table["schema"])[:80], " or ".join(map(str, SCHEMAS)))
    if table["command"] not in COMMANDS:
        takes = f"a report of {listed(COMMANDS, 'or')}, which holds a model"
        raise InputError(source, "command", repr(table["command"])[:80], takes)
    reports = table.get("reports", [table])
    if not isinstance(reports, list) or not all(isinstance(report, dict) for report in reports):
        raise InputError(source, "reports", "no list of reports", "a list of objects")
    return tuple(_inventory(report, source) for report in reports)


def _inventory(report: Mapping[str, Any], source: str) -> Inventory:
    for key in _KEYS:
        if key not in report:
            raise InputError(source, key, "nothing", "a report as this program printed it")
    try:
        layers = tuple(_layers(report, source))
        subject, total = report["subject"], report["total"]
        sizes = {name: size for name, size in report["dimensions"].items() if type(size) is int}
        meant = {"architecture": subject["architecture"], "dimensions": sizes}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(source, got=f"a report that was changed ({error!r})", takes="one as it was printed") from None
    if type(total) is not int:
        raise InputError(source, "total", repr(total)[:80], "a whole number")
    return Inventory(
        source, layers, total, report.get("trainable"), report.get("non_trainable"), kind=KIND, settings=meant
    )


def _layers(report: Mapping[str, Any], source: str) -> Iterator[Layer]:
    seen: set[str] = set()
    for part in report["components"]:
        path, count, shape = part["path"], part["actual"], part["shape"]
        if not isinstance(path, str) or path in seen or type(count) is not int:
            raise InputError(source, f"components.{path}"[:200], repr(count)[:80], "each path once, with its count")
        seen.add(path)
        tied, state = part["tied_to"], part["trainable"]
        config = {"formula": str(part["formula"]) or "-"} | ({"tied_to": tied} if tied else {})
        tensors = (Tensor(path, _shape(shape, count, path, source), "float32", state, tied or path),) if shape else None
        yield Layer(path, "", "", count, trainable=state, tensors=tensors, config=config)
    for item in report.get("unmapped", ()):
        yield Layer(item["name"], item["class"], "", int(item["params"]), config={"unmapped": True})
    for item in report.get("excluded", ()):
        tensor = Tensor(item["name"], (int(item["count"]),), "", None, item["name"])
        config = {"excluded": item["what"], "inside": item.get("inside") is not False}
        yield Layer(f"beside {item['name']}", "", "", 0, tensors=(tensor,), config=config)


def _shape(shape: Sequence[int], count: int, path: str, source: str) -> tuple[int, ...]:
    from math import prod

    if not all(type(axis) is int for axis in shape) or prod(shape) != count:
        got = f"shape {list(shape)} with {count:,} parameters"
        raise InputError(source, f"components.{path}", got, "a shape that holds them")
    return tuple(shape)
