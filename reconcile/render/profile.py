"""A graph's operations against the formulas, as a table and as JSON."""

import json

from reconcile.costing.profiled import Profile
from reconcile.formula import to_ascii

SCHEMA = 1


def render_table(profile: Profile, markdown: bool = False, ascii_only: bool = False) -> str:
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


def render_json(profile: Profile) -> str:
    """The same as one JSON object."""
    return json.dumps(
        {
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
        },
        ensure_ascii=False,
        indent=1,
    ) + "\n"  # fmt: skip
