"""A graph's operations against the formulas, as a table and as JSON."""

from collections.abc import Sequence
from typing import Any

from reconcile.costing.profiled import Profile
from reconcile.formula import to_ascii
from reconcile.render.objects import dumped
from reconcile.render.registry import Look

SCHEMA = 1


def render_text(profiles: Sequence[Profile], look: Look) -> str:
    """The profiles for a terminal."""
    return "\n".join(_table(profile, False, look.ascii_only) for profile in profiles)


def render_markdown(profiles: Sequence[Profile], look: Look) -> str:
    """The profiles as Markdown."""
    return "\n".join(_table(profile, True, look.ascii_only) for profile in profiles)


def render_json(profiles: Sequence[Profile], look: Look) -> str:
    """The same as one JSON object."""
    return dumped([as_object(profile) for profile in profiles], look.ascii_only)


def _table(profile: Profile, markdown: bool, ascii_only: bool) -> str:
    """A row for each layer that computes something, and under it the sums and what is counted besides."""
    from tabulate import tabulate

    rows = [["layer", "component", "products by formula", "by the profiler", "others", "no rule for"]]
    for node in profile.nodes:
        if node.products or node.others or node.expected or node.without_rule:
            counts = [f"{count:,}" for count in (node.expected, node.products, node.others)]
            rows.append([node.layer, node.node, *counts, ", ".join(node.without_rule)])
    align = ("left", "left", "right", "right", "right", "left")
    form = "pipe" if markdown else "simple"
    table: str = tabulate(rows, "firstrow", tablefmt=form, colalign=align, disable_numparse=True)
    text = "\n".join([table, "", *(line + ("\n" if markdown else "") for line in summary(profile))])
    return (to_ascii(text) if ascii_only else text).rstrip("\n") + "\n"


def summary(profile: Profile) -> list[str]:
    """What the table comes to."""
    lacking = sorted({kind for node in profile.nodes for kind in node.without_rule})
    said = "to the last one" if profile.products == profile.expected_products else "NOT what the profiler counts"
    whole = "as the formulas say" if profile.total == profile.expected else f"by the formulas {profile.expected:,}"
    return [
        f"products by formula {profile.expected_products:,}, by the profiler {profile.products:,}: {said}",
        f"all that the profiler counts of one call: {profile.total:,} FLOPs, {whole}",
        f"it has no rule for {', '.join(lacking)} and counts nothing for them",
        f"outside the call, the initialisation of weights, it counts {profile.besides:,}",
        f"results that gradients read: {sum(profile.kept.values()):,} bytes",
    ]


def as_object(profile: Profile) -> dict[str, Any]:
    """The profile as plain data; every count is an integer."""
    return {
        "schema": SCHEMA,
        "command": "cost",
        "subject": {"name": profile.model.name, "architecture": profile.model.architecture.name},
        "S": profile.workload.length,
        "B": profile.workload.batch,
        "agrees": profile.agrees,
        "products": {"expected": profile.expected_products, "actual": profile.products},
        "total": {"expected": profile.expected, "actual": profile.total},
        "besides": profile.besides,
        "kept": dict(profile.kept),
        "layers": [
            {
                "layer": node.layer, "component": node.node or None, "expected": node.expected,
                "products": node.products, "others": node.others, "without_rule": list(node.without_rule),
            }
            for node in profile.nodes
        ],
    }  # fmt: skip
