"""The sentences for what a pasted summary gives reason to say."""

from collections.abc import Callable

from reconcile.explanation.phrases import listed, number
from reconcile.finding import Finding
from reconcile.mapping.ledger import Evidence, Whole

MOST_NAMED = 4
"""Rows that a sentence names; of more it gives the number."""


def _wrapped(finding: Finding) -> str:
    shown, value = finding.facts["shown"], number(finding.actual or 0)
    return (
        f"your summary shows {shown} for {finding.where}, the count is {value}: its last digits stand on the next line."
    )


def _recovered(finding: Finding) -> str:
    shown, value = finding.facts["shown"], number(finding.actual or 0)
    return f"{finding.where} shows {shown}, which is cut; only {value} fits (recovered, not read)."


def _cut(finding: Finding) -> str:
    shown = finding.facts["shown"]
    return f"{finding.where} shows {shown}, which is cut, and more than one count fits: it is unknown."


def _no_count(finding: Finding) -> str:
    shown = finding.facts["shown"] or "nothing"
    return f"where the count of {finding.where} belongs the text shows {shown}: it is unknown."


def _cut_figure(finding: Finding) -> str:
    return f"the {finding.where} figure under the table, {finding.facts['shown']}, is cut: it is unknown."


def _unbuilt(finding: Finding) -> str:
    return f"{finding.where} is not built yet ({finding.facts['shown']}), so its parameters are in no figure here."


def _unused(finding: Finding) -> str:
    return f"{finding.where} is not used ({finding.facts['shown']}): it has no weights."


def _no_header(finding: Finding) -> str:
    return "the text has no heading row: its beginning may be cut off."


def _no_footer(finding: Finding) -> str:
    return "the text has no totals under the table: its end may be cut off."


def _foreign(finding: Finding) -> str:
    lines = finding.actual or 1
    what = "1 line that is" if lines == 1 else f"{lines} lines that are"
    return f"{what} no part of the table left out, from {finding.facts['shown']!r} on."


def _remarked(finding: Finding) -> str:
    value = f" ({number(finding.actual)})" if finding.actual is not None else ""
    return (
        f"{finding.where}: {finding.facts['remark'].replace('-', ' ')} {finding.facts['shown']}{value}".rstrip() + "."
    )


def _tied_row(finding: Finding) -> str:
    size, holder = number(finding.facts["size"]), finding.facts["tied_to"]
    return (
        f"{size} of {finding.where} are counted in the row {holder} too: the two share one matrix, which the rows show "
        "twice and the total counts once."
    )


def _excluded(finding: Finding) -> str:
    what, size = finding.facts["what"], number(finding.actual or 0)
    if what == "flag":
        return (
            f"{finding.where} counts {size} more than the model has: a flag that TF-Hub's exporter adds, not trained."
        )
    return f"the total has {size} of the {what}'s own variables in it: they are no parameters of the model."


def _no_total(finding: Finding) -> str:
    return f"the text states no total; the rows add up to {number(finding.actual or 0)}."


def _row_sum(finding: Finding) -> str:
    rows, total, off = finding.expected or 0, finding.actual or 0, finding.difference or 0
    text = f"the rows add up to {number(rows)} and the total is {number(total)}, {number(abs(off))} "
    text += "more: weights that no row holds" if off > 0 else "less: some weights stand in two rows"
    lacking = finding.facts["lacking"]
    if lacking:
        text += f": just what {listed(lacking)} would have, of which there is no row"
    without = finding.facts["without"]
    if without:
        text += f"; {named_rows(tuple(without))} without a readable count"
    if finding.facts["cut"]:
        text += "; the text looks cut off, so rows may be missing"
    return text + "."


def _split(finding: Finding) -> str:
    parts = f"{number(finding.facts['trainable'])} trainable and {number(finding.facts['non_trainable'])} non-trainable"
    return f"{parts} make {number(finding.actual or 0)}, not the stated total of {number(finding.expected or 0)}."


def _dimension(finding: Finding) -> str:
    evidence: Evidence = finding.facts["evidence"]
    against = ""
    if evidence.against:
        others = listed(f"{name} ({evidence.dimension} = {size})" for name, size in evidence.against[:MOST_NAMED])
        against = f"; against it {others}"
    shapes = f"; so wide is the output of {named_rows(evidence.shapes)}" if evidence.shapes else ""
    source = f"from {evidence.formula} in {named_rows(evidence.rows)}"
    return f"{evidence.dimension} = {number(evidence.size)}, {source}{shapes}{against}."


def _heads(finding: Finding) -> str:
    hidden, heads = finding.facts["H"], finding.facts["A"]
    text = "A, the number of heads, changes no count, so it cannot be read from counts"
    if heads:
        size = f", which makes heads of {hidden // heads}" if hidden else ""
        return f"{text}; the text around the summary says A = {heads}{size}."
    return f"{text}, and the text does not state it."


def _positions(finding: Finding) -> str:
    rows, usual = finding.facts["positions"], finding.facts["usual"]
    return (
        f"the position table has {rows} rows, as many as the sequence is long, and not {usual}: keras-bert cuts it so "
        "when it loads a checkpoint. This is right."
    )


def _shape_width(finding: Finding) -> str:
    others = listed(f"{name} ({size})" for name, size in list(finding.facts["others"].items())[:MOST_NAMED])
    return f"the counts give H = {finding.facts['hidden']}, while the printed output of {others} has another width."


def _variant(finding: Finding) -> str:
    paths = finding.facts["paths"]
    return f"{finding.where} is {finding.facts['variant']} here ({named_rows(tuple(paths))})."


def _key_dim(finding: Finding) -> str:
    sizes = finding.facts["sizes"]
    n, width = sizes["n"], sizes.get("o", sizes.get("i"))
    text = f"{finding.facts['name']} projects to {number(n)} values, heads · key_dim, and not to its width"
    if width:
        text += f" of {number(width)}"
        if n % width == 0:
            text += f", but to {n // width} times that: Keras' key_dim is the size of one head, not of all together"
    return text + "."


def _whole(finding: Finding) -> str:
    whole: Whole = finding.facts["whole"]
    sizes = whole.dimensions
    text = (
        f"{number(whole.count)} is `{whole.total}` at V = {number(sizes['V'])} and {number(sizes['P'])} positions, "
        f"L = {sizes['L']}, H = {number(sizes['H'])}, F = {number(sizes['F'])}"
    )
    if "T" in sizes:
        text += f", {sizes['T']} segments" if sizes["T"] else ", without a segment table"
    if whole.extra:
        text += f", with adapters of {dict(whole.extra)['a']}"
    if not whole.known:
        return f"{text}: no known model has all these sizes, but no others fit as well."
    changed = [f"{name} = {number(sizes[name])}" for name in whole.changed]
    known = f"that of {whole.known}" + (f" but for {listed(changed)}" if changed else "")
    others = f" (the same count: {listed(whole.others[:MOST_NAMED])})" if whole.others else ""
    return f"{text}: {known}{others}."


def _copies(finding: Finding) -> str:
    count = finding.facts["count"]
    return f"the summary holds {count} models; their components stand behind their names: {finding.where}."


def _gap(finding: Finding) -> str:
    return f"{finding.where} has no row for {listed(finding.facts['lacking'])}, which other blocks have."


def _absent(finding: Finding) -> str:
    return f"no row of the summary is {listed(finding.facts['nodes'])}: the model has none, or the text lost it."


def _hidden(finding: Finding) -> str:
    return (
        f"{finding.where} ({finding.facts['class_name']}) shows 0 parameters although its name says that it wraps a "
        "whole model: Keras does not see the weights inside, so the total leaves that model out."
    )


def _no_bert(finding: Finding) -> str:
    return "no row is a BERT that any rule knows: the layers are explained one by one, by Keras' own formulas."


def _frozen(finding: Finding) -> str:
    facts = finding.facts
    parts = []
    if facts["always"]:
        size = sum(facts["always"].values())
        parts.append(
            f"{number(size)} moving means and variances of {named_rows(tuple(facts['always']))}, never trained"
        )
    if facts["flag"]:
        parts.append(f"{facts['flag']} flag")
    if facts["rest"] > 0:
        sets = list(facts["sets"])
        if len(sets) == 1:
            parts.append(f"{number(facts['rest'])} of {sets[0]}, which must be frozen")
        elif sets:
            parts.append(
                f"{number(facts['rest'])} of {listed(sets[:MOST_NAMED], 'or')}, which the count cannot tell apart"
            )
        else:
            parts.append(f"{number(facts['rest'])} that no set of whole parts makes")
    if facts["rest"] < 0:
        parts.append(f"{number(-facts['rest'])} fewer than those alone")
    return f"{number(finding.actual or 0)} non-trainable: {listed(parts)}."


def named_rows(names: tuple[str, ...]) -> str:
    """The rows that a sentence speaks of: by name where they are few, otherwise the first and how many."""
    distinct = tuple(dict.fromkeys(names))
    if len(distinct) <= MOST_NAMED:
        return listed(distinct)
    return f"{len(distinct)} rows ({distinct[0]} and others)"


SENTENCES: dict[str, Callable[[Finding], str]] = {
    "text-wrapped-digits": _wrapped,
    "text-recovered-count": _recovered,
    "text-cut-count": _cut,
    "text-no-count": _no_count,
    "text-unread-count": _no_count,
    "text-cut-figure": _cut_figure,
    "text-unbuilt": _unbuilt,
    "text-unused": _unused,
    "text-no-header": _no_header,
    "text-no-footer": _no_footer,
    "text-foreign-line": _foreign,
    "text": _remarked,
    "tied-row": _tied_row,
    "excluded": _excluded,
    "no-total": _no_total,
    "row-sum": _row_sum,
    "split": _split,
    "dimension": _dimension,
    "heads": _heads,
    "positions": _positions,
    "shape-width": _shape_width,
    "variant": _variant,
    "key-dim": _key_dim,
    "whole": _whole,
    "copies": _copies,
    "gap": _gap,
    "absent": _absent,
    "hidden": _hidden,
    "no-bert": _no_bert,
    "frozen": _frozen,
}
