"""`reconcile.read`, `build`, `diff` and `cost`: models as somebody has them, in Python."""

from collections.abc import Sequence
from fractions import Fraction
from os import PathLike
from typing import Any

from reconcile.api.displayed import Cost, Difference, Report, Reports, displayed
from reconcile.pipeline.given import open_given, open_one


def read(source: Any, *, model: str | None = None, index: int | None = None, depth: str = "group") -> Report:
    """Reconcile one model that exists: every parameter in its component, every count against its formula.

    `source` is one of
    - a text with line ends: a summary, a listing of tensors, a configuration as somebody pasted it;
    - the path or name of a file or directory that holds one, or a checkpoint: all that the command takes;
    - a Keras model or layer (Keras 2, tf-keras, Keras 3, keras-bert's too), or a PyTorch module, as it stands;
    - a state dict: a mapping of names to arrays of any library.

    Nothing about a model in memory is changed, no weight is looked at, and no framework is imported that is not there
    already.

    Args:
        model: the spec or configuration of the model that it should be, to be told what differs.
        index: which of several models in the source is meant, from 1; `read_all` gives all.
        depth: how far rows are folded: "group", "tensor", or a number of levels of the component tree.

    Returns:
        A report. `total` and every other count is a whole number of parameters; `rows` add up to `total`.

    Raises:
        InputError: the source is none of these, cannot be read, or holds several models and no `index` says which.
    """
    return _report(open_one(source, spec=model, index=index, built=False), "read", depth)


def read_all(source: Any, *, model: str | None = None, depth: str = "group") -> Reports:
    """Reconcile every model in a source, in order: what `read` does, for as many as there are.

    Args and errors are those of `read`.
    """
    opened = open_given(source, spec=model, built=False)
    return Reports(_report(one, "read", depth) for one in opened)


def build(
    spec: str | PathLike[str],
    *,
    depth: str = "group",
    timeout: float | None = None,
    memory_limit: int | None = None,
    use_cache: bool = True,
) -> Report:
    """Build the model of a spec with keras-bert, in a process of its own, and reconcile it.

    Args:
        spec: a spec's file, a configuration's, or the name of a model that comes with the project (`model_names()`).
        depth: how far rows are folded, as for `read`.
        timeout: seconds that building may take.
        memory_limit: bytes that the process may take.
        use_cache: whether what was built before with the same arguments and packages may be used.

    Returns:
        A report, in parameters.

    Raises:
        InputError: there is no such spec, or something in it is wrong.
        BuildError: the model cannot be built, or takes longer or more memory than it may.
    """
    from reconcile.environments.build import TIMEOUT
    from reconcile.pipeline.build import build as build_spec

    report = build_spec(
        str(spec), depth=depth, timeout=timeout or TIMEOUT, memory_limit=memory_limit, use_cache=use_cache
    )
    return displayed(Report, report)


def diff(a: Any, b: Any, *, a_index: int | None = None, b_index: int | None = None, depth: str = "group") -> Difference:
    """What model `b` has other than model `a`, by component, whatever each calls its parts.

    Args:
        a, b: whatever `read` takes, or the name of a model to be built.
        a_index, b_index: which of several models in each is meant, from 1.
        depth: how far rows are folded, as for `read`.

    Returns:
        A difference: `difference` is b's parameters less a's, and `rows` with `other` add up to each side's total.

    Raises:
        InputError: one cannot be read, or holds several models and no index says which.
        BuildError: one is to be built and cannot be.
    """
    from reconcile.pipeline.diff import compare_opened

    left, right = open_one(a, index=a_index), open_one(b, index=b_index)
    return displayed(Difference, compare_opened(left, right, depth=depth))


def cost(
    source: Any,
    *,
    seq: int = 128,
    batch: int = 1,
    convention: str = "matmul",
    attention: str = "eager",
    masked: int | None = None,
    training: bool = False,
    dtype: str = "fp32",
    optimizer: str = "adam",
    part: str | None = None,
    options: Sequence[str] = (),
    active_ffn: str | Fraction | None = None,
    compare: bool = False,
    curve: bool = False,
    index: int | None = None,
) -> Cost:
    """The operations and the bytes of a model, component by component; nothing is built or run.

    Args:
        source: a spec, the name of a model that is known, such as "GPT-2 small", or whatever `read` takes.
        seq: positions of a sequence.
        batch: sequences at once.
        convention: whose way of counting: "matmul" (FLOPs, two to a product), "mac", or a counter's, such as "fvcore".
        attention: how attention is computed: "eager", "sdpa" or "flash".
        masked: positions at which tokens are predicted; all of them by default.
        training: a step with its backward pass, gradients, optimizer and activations.
        dtype: how values are stored: "fp32", "bf16", "fp16", "int8" or "int4".
        optimizer: "adam", "adamw", "sgd" or "adafactor".
        part: only what a total that people quote has, such as "backbone+pooler".
        options: parts besides, such as a head.
        active_ffn: what is left if only so much of each feed-forward is computed, such as "1/8".
        compare: all conventions side by side.
        curve: cost against length.
        index: which of several models in the source is meant, from 1.

    Returns:
        A cost: `cost.total` in the convention's own unit, each of `memory` in bytes.

    Raises:
        InputError: the model or a name is not known, or something of its cost cannot be.
    """
    from reconcile.costing.conventions import load_convention
    from reconcile.costing.memory import storage
    from reconcile.costing.variants import part_of, with_options
    from reconcile.costing.workload import Workload
    from reconcile.pipeline.cost import cost_report, model_given

    model = with_options(model_given(source, index), tuple(options))
    report = cost_report(
        model if part is None else part_of(model, part), Workload(seq, batch, None, masked, attention),
        load_convention(convention), storage(dtype, optimizer), training=training,
        fraction=None if active_ffn is None else Fraction(active_ffn), with_curve=curve, compared=compare,
    )  # fmt: skip
    return displayed(Cost, report)


def _report(opened: Any, command: str, depth: str) -> Report:
    return displayed(Report, opened.report(command, depth))
