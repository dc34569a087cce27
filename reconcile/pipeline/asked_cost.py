"""A question of operations or memory in words -> the cost of the model that it names, as `reconcile cost` has it."""

import re
from typing import TYPE_CHECKING

from reconcile.errors import InputError

if TYPE_CHECKING:
    from reconcile.costing.report import CostReport

ASKS = re.compile(
    r"\bhow (?:many|much|large|big)\b[^?？]*?"
    r"\b(?:[kmgt]?flops?|[kmgt]?macs?|operations|memory|v?ram|[kmgt]i?b|bytes|cache)\b"
    r"|(?:多少|多大)[^?？]*(?:显存|内存|[GM]B|FLOPs?|字节)|(?:显存|内存|计算量|运算量)[^?？]*(?:多少|多大)",
    re.IGNORECASE,
)
"""How people ask for a number of operations or bytes."""
TYPES = {
    "int4": r"\b4[- ]?bits?\b|\bint4\b|\bnf4\b|4 ?位",
    "int8": r"\b8[- ]?bits?\b|\bint8\b|8 ?位",
    "bf16": r"\bbf16\b|\bbfloat16\b",
    "fp16": r"\bfp16\b|\bfloat16\b|\bhalf\b|\b16[- ]?bits?\b|\bmixed\b|半精度|混合精度",
}
"""How a question names the type of values; without one it is fp32."""
OPTIMIZERS = ("adafactor", "sgd", "adamw", "adam")
LENGTH = re.compile(
    r"\b(?:at|context|window)[\s=:]*(?:of |length |window )*(\d[\d,]*)k?\b"
    r"|(?<![\w.])(\d[\d,]*)k?[\s个-]*(?:tokens?\b|词元)",
    re.IGNORECASE,
)
"""How a question says a length as no statement of one does: `at 4096`, `a context of 8k`, `512 个 token`."""
KILO = re.compile(r"\dk\b", re.IGNORECASE)
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?!x\d)")
"""A figure of a question; `8x7B` is a name."""
TRAINS = re.compile(r"\b(?:train|fine-?tun|gradient|optimi[sz]er)|训练|微调", re.IGNORECASE)


def cost_asked(text: str) -> "tuple[str, CostReport] | None":
    """The command that a question stands for, and its result; None for a text that asks for nothing of the kind.

    Raises InputError where it names no model whose operations are known, or several.
    """
    from reconcile.claims.structure.lexicon import cue
    from reconcile.claims.structure.mentions import mentions
    from reconcile.costing.conventions import load_convention
    from reconcile.costing.memory import storage
    from reconcile.costing.parts import PRODUCTS
    from reconcile.costing.workload import Workload
    from reconcile.explanation.question import figures_in
    from reconcile.known_model import known_models
    from reconcile.pipeline.cost import cost_report, model_of

    stated = [one for one in figures_in(text) if one.unit in ("bytes", "operations")]
    if not ASKS.search(text) or (stated and not cue("key_cache").search(text)):  # a cache is no count of parameters
        return None
    known = {model.name for model in known_models()}
    every = mentions(text)
    named = dict.fromkeys(one.candidates[0].name for one in every if one.candidates and one.candidates[0].name in known)
    if len(named) != 1:
        models = "several models" if named else "no model whose sizes are known"
        got = f"a question of operations or memory, of {models}"
        raise InputError("what was given", got=got, takes="the name of one, or `reconcile cost FILE`")
    dtype = next((name for name, words in TYPES.items() if re.search(words, text, re.IGNORECASE)), "fp32")
    optimizer = next((name for name in OPTIMIZERS if name in text.lower()), OPTIMIZERS[-1])
    usual = Workload()
    length, batch = _said(text, LENGTH, cue("lengths")), _said(text, cue("batches"))
    types = (found for words in TYPES.values() for found in re.finditer(words, text, re.IGNORECASE))
    read = [found.span() for found in (length, batch, *types) if found is not None]
    read += [(one.start, one.end) for one in every]
    read += [(one.start, one.end) for one in stated]
    if any(not any(start - 1 <= found.start() < end for start, end in read) for found in NUMBER.finditer(text)):
        return None  # what else is asked about
    workload = Workload(_size(length, usual.length), _size(batch, usual.batch))
    trains = TRAINS.search(text) is not None
    options = {"--seq": workload.length, "--batch": workload.batch, "--dtype": dtype}
    options |= {"--optimizer": optimizer} if trains else {}
    (model,) = named
    command = " ".join((f'cost "{model}"', *(f"{name} {value}" for name, value in options.items())))
    report = cost_report(
        model_of(model), workload, load_convention(PRODUCTS), storage(dtype, optimizer), training=trains
    )
    return command + (" --training" if trains else ""), report


def _said(text: str, *ways: re.Pattern[str]) -> re.Match[str] | None:
    """Where a text says a size, in the first of some ways."""
    return next((found for way in ways if (found := way.search(text))), None)


def _size(found: re.Match[str] | None, usual: int) -> int:
    """The size that is said, or the usual one."""
    if found is None:
        return usual
    written = next(filter(None, found.groups())).replace(",", "")
    return int(written) * (1024 if KILO.search(found[0]) else 1)
