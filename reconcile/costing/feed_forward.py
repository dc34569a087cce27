"""The feed-forward's share of parameters and operations, and what is left where some of its neurons are computed."""

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from reconcile.costing.parts import FEED_FORWARD, kernels_of, number, products_of
from reconcile.costing.workload import Model, Workload
from reconcile.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """The feed-forward's kernels among all parameters, and its products among those of the model at one length.

    `totals` are the parameters of totals that people quote, by name.
    """

    kernels: int
    parameters: int
    totals: Mapping[str, int]
    operations: int
    products: int


@dataclass(frozen=True, slots=True)
class Active:
    """A model of which `neurons` of `width` in each feed-forward are computed: the parameters that are touched, and the
    operations of products that are left."""

    fraction: Fraction
    neurons: int
    width: int
    touched: int
    left: int
    share: Share = field(repr=False)


def share(model: Model, workload: Workload, products: int) -> Share | None:
    """The feed-forward's share where `products` are the model's on the workload; None where it has none."""
    kernels = kernels_of(model, FEED_FORWARD)
    if not kernels or not model.parameters:
        return None
    operations = number(products_of(model, FEED_FORWARD), model, workload)
    return Share(kernels, model.parameters, _totals(model), operations, products)


def active(model: Model, workload: Workload, fraction: Fraction, whole: Share) -> Active | None:
    """What is left where so large a part of the neurons is computed, whole neurons, and one at least."""
    width = model.dimensions.get("F")
    if not width:
        return None
    neurons = max(1, int(fraction * width + Fraction(1, 2)))
    touched = whole.parameters - whole.kernels + whole.kernels // width * neurons
    left = whole.products - whole.operations + whole.operations // width * neurons
    return Active(fraction, neurons, width, touched, left, whole)


def _totals(model: Model) -> dict[str, int]:
    """The parameters of the totals that people quote of a model, those of which it has every part."""
    architecture, found = model.architecture, {}
    for name in architecture.quoted:
        account = architecture.totals[name].account(model.components, architecture.totals)
        if account:
            value = sum(formula.evaluate(model.dimensions) for formula in account.values())
            if value != model.parameters:
                found[name] = value
    return found
