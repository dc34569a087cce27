"""Which whole models one row's count can be: sizes that no model has are no account of it."""

import pytest

from reconcile.inventory import Layer
from reconcile.mapping.summary.recognition import ADAPTERS, whole_readings
from reconcile.mapping.summary.seen import Seen, seen

BASE = {"V": 30_522, "P": 512, "T": 2, "H": 768, "L": 12, "F": 3_072}


def backbone(V: int, P: int, T: int, H: int, L: int, F: int) -> int:  # noqa: N803 (the paper's letters)
    """The parameters of a BERT without its pooler."""
    return (V + P + T) * H + 2 * H + L * (4 * (H * H + H) + 2 * H * F + F + H + 4 * H)


def row(count: int, class_name: str = "BertModel") -> Seen:
    (found,) = seen([Layer("layer_1", class_name, "(None, 128, 768)", count)])
    return found


def fits(count: int, class_name: str = "BertModel") -> list[dict[str, int]]:
    judged = whole_readings(row(count, class_name), {})
    readings = (judged.best, *judged.rivals) if judged else ()
    return [{**reading.meaning.sizes, **dict(reading.meaning.extra)} for reading in readings]


def test_the_sizes_that_were_meant_are_found() -> None:
    assert backbone(**BASE) == 108_891_648
    assert any(BASE.items() <= sizes.items() for sizes in fits(backbone(**BASE)))


@pytest.mark.parametrize(
    ("changed", "held"),
    [
        ({"V": 1_000}, True),
        ({"V": 999}, False),  # no vocabulary
        ({"P": 10_000}, True),
        ({"P": 10_001}, False),  # no text is so long
        ({"F": 8 * 768}, True),
        ({"F": 8 * 768 + 1}, False),
        ({"F": 768 // 2}, True),
        ({"F": 768 // 2 - 1}, False),
    ],
)
def test_sizes_that_no_model_has_are_no_account_of_a_count(changed: dict[str, int], held: bool) -> None:
    sizes = BASE | changed
    assert any(sizes.items() <= found.items() for found in fits(backbone(**sizes))) is held


def test_sizes_that_are_told_elsewhere_are_not_looked_for() -> None:
    count = backbone(**BASE | {"V": 31_337})
    (found,) = seen([Layer("layer_1", "BertModel", "(None, 128, 768)", count)])
    judged = whole_readings(found, {"V": 31_337})
    assert judged is not None
    assert {reading.meaning.sizes["V"] for reading in (judged.best, *judged.rivals)} == {31_337}


def test_a_known_model_s_count_is_no_other_sizes() -> None:
    (sizes,) = fits(109_482_240)
    assert BASE.items() <= sizes.items()


def test_where_no_width_is_shown_usual_ones_are_tried() -> None:
    sizes = {"V": 50_257, "P": 1_024, "H": 768, "L": 4, "F": 3_072}
    (found,) = seen([Layer("layer_1", "TFGPT2MainLayer", "multiple", 67_736_832)])
    judged = whole_readings(found, {})
    assert judged is not None
    assert judged.shown
    assert judged.best.meaning.sizes == sizes


@pytest.mark.parametrize(("size", "held"), [(64, True), (767, True), (768, False)])
def test_adapters_are_narrower_than_the_model(size: int, held: bool) -> None:
    count = backbone(**BASE) + ADAPTERS.evaluate({**BASE, "a": size})
    assert any(found.get("a") == size for found in fits(count)) is held


def test_a_count_that_names_no_family_pays_for_it() -> None:
    named, nameless = (whole_readings(row(124_439_808, name), {}) for name in ("GPT2Model", ""))  # GPT-2 small
    assert named is not None
    assert nameless is not None
    balances = {reading.name: reading.balance for reading in (nameless.best, *nameless.rivals)}
    assert named.best.balance - balances[named.best.name] == 4.0


@pytest.mark.parametrize(
    ("class_name", "shape", "count"),
    [
        ("TFBertMainLayer", "multiple", 25_779_264),  # the vocabulary counts once more in the output bias
        ("BertModel", "(None, 128, 768)", 109_482_240),
        ("Functional", "(None, 64, 312)", 14_000_064),
    ],
)
def test_every_account_of_a_count_makes_it(class_name: str, shape: str, count: int) -> None:
    (found,) = seen([Layer("layer_1", class_name, shape, count)])
    judged = whole_readings(found, {})
    for reading in (judged.best, *judged.rivals) if judged else ():
        fit = reading.meaning
        assert fit.formula.evaluate({**fit.sizes, **dict(fit.extra)}) == count
    assert judged is None or judged.best.meaning.sizes
