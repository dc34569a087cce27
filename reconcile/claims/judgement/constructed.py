"""Step 6b: figures in comments on code that makes a layer: `nn.LayerNorm(d)  # 1,536`."""

import re
from collections.abc import Iterator
from math import prod

from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.keras_layer import constructed as counts
from reconcile.phrases import number

_CALL = re.compile(r"\b([A-Z]\w+)\(([^()#]{1,80})\)[^#/\d]*(?:#|//)[\s\x01]*[~≈]?[\s\x01]*$")
_FACTOR = re.compile(r"(?:\w+\.)*([A-Za-z_]\w*)|(\d+)")


def _made_here(context: Context, one: Judged) -> Judged | None:
    """A figure right behind the call of a layer's constructor: what that layer has, or a mistake."""
    found = _CALL.search(context.document.at(one).before(160))
    if found is None or one.exact is None:
        return None
    positional = [each for each in found[2].split(",") if "=" not in each]
    sizes = list(_sizes(context.document, positional))
    right = counts(found[1], sizes, "=" not in found[2]) if len(sizes) == len(positional) else ()
    why = f"`{found[1]}({found[2].strip()})` has {{right}}"
    if one.exact in right:
        return None if one.holds else one.right(why.format(right=number(one.exact)))
    return one.wrong(right[0], why) if right else None


def _sizes(document: Document, arguments: list[str]) -> Iterator[int]:
    """The sizes that arguments are, as far as all their factors are figures or names that the text gives one."""
    for argument in arguments:
        factors = [_FACTOR.fullmatch(part.strip(" \x01`")) for part in argument.split("*")]
        known = [
            int(one[2]) if one[2] else document.symbols.get(one[1]) if one[1] in document.symbols else None
            for one in factors
            if one is not None
        ]
        if len(known) < len(factors) or None in known:
            return
        yield prod(size for size in known if size is not None)


def _is_asked(one: Judged) -> bool:
    return one.figure is not None and one.unit in ("", "params") and not one.accused


constructed = Table(_is_asked, (_made_here,))
"""What the code of a line makes, against the figure in its comment."""
