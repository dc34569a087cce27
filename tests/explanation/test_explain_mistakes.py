"""The mistakes: what each counts for BERT base and large, against the figures that were published."""

import pytest

from reconcile.errors import InputError
from reconcile.explanation.contexts import anything, of_spec
from reconcile.explanation.engine import explain_figure
from reconcile.explanation.terms import load_terms, model_of
from reconcile.formula import Formula
from reconcile.mistake import Mistake, _read, load_mistakes
from reconcile.selection import value
from reconcile.spec import load_spec
from reconcile.taxonomy import load_architecture

BASE = {"V": 30522, "P": 512, "T": 2, "H": 768, "A": 12, "D": 64, "F": 3072, "L": 12, "S": 128}
LARGE = BASE | {"H": 1024, "A": 16, "F": 4096, "L": 24}
SIZES = {"base": BASE, "large": LARGE}
MODELS = {"base": of_spec(load_spec("bert-base-uncased")), "large": of_spec(load_spec("bert-large-uncased"))}
BERT = load_architecture("bert")
PARTS = BERT.active(frozenset(BERT.options) - {"task"})

# Of the first scope of each, for (base, large); the arithmetic is in the data or beside the figure.
STATED = {
    "full-width-heads": (21_261_312, None),  # (768·768·3 + 768·3)·12
    "output-per-head": (7_078_656, None),  # 12·768·768 + 768
    "key-dim-per-head": (28_339_968, None),  # 21,261,312 + 7,078,656: the two above, built
    "full-width-heads-throughout": (343_356_672, 1_468_709_888),  # 109,482,240 + 12·11·3·(768² + 768)
    "output-per-head-throughout": (187_339_008, 712_629_248),  # 109,482,240 + 12·11·768²
    "full-width-biases": (109_786_368, 336_247_808),  # 109,482,240 + 12·3·12·(768 − 64)
    "full-width-biases-of-projections": (1_797_120, None),  # 12·3·(768·64 + 768)
    "misprinted-width": (22_268_952, None),  # (786·786·3 + 786·3)·12
    "misprinted-width-output": (7_414_338, None),  # 12·786·786 + 786
    "misprinted-width-attention": (2_474_328, None),  # 4·(786² + 786)
    "layers-times-width-times-heads": (110_592, 393_216),  # 12·768·12, 24·1024·16
    "encoder-matrices-only": (84_934_656, 301_989_888),  # 12·12·768²
    "output-projection-forgotten": (102_395_136, 309_951_488),  # 109,482,240 − 12·590,592
    "encoder-biases-and-pooler": (108_808_704, 333_871_104),  # 109,482,240 − 82,944 − 590,592
    "simplified-blocks-no-segments": (108_768_768, 333_768_704),  # (30522 + 512)·768 + 84,934,656
    "simplified-blocks": (108_770_304, None),  # 23,835,648 + 84,934,656
    "norms-forgotten": (109_443_840, 335_041_536),  # 109,482,240 − 25·1,536
    "intermediate-bias-forgotten": (109_445_376, 335_043_584),  # 109,482,240 − 12·3,072
    "attention-biases-forgotten": (109_445_376, None),  # 109,482,240 − 12·4·768
    "paper-vocabulary": (109_081_344, 334_607_360),  # 109,482,240 − 522·768
    "tied-decoder-counted-twice": (133_547_324, 367_480_636),  # 110,106,428 + 30522·768
    "state-dict": (133_577_846, 367_511_158),  # 133,547,324 + 30,522
    "heads-counted": (110_106_428, 336_226_108),  # 109,482,240 + 590,592 + 1,536 + 30,522 + 1,538
    "pooler-missing": (108_891_648, 334_092_288),  # 109,482,240 − 590,592
    "segments-missing": (109_480_704, 335_139_840),  # 109,482,240 − 2·768
    "sixteen-segments": (109_492_992, 335_156_224),  # 109,482,240 + 14·768
    "positions-of-the-run": (109_187_328, 334_748_672),  # 109,482,240 − 384·768
    "positions-missing": (109_089_024, 334_617_600),  # 109,482,240 − 512·768
    "narrow-feed-forward": (66_987_264, 184_073_216),  # F = H: 109,482,240 − 12·(2·768·2304 + 2304)
    "feed-forward-twice": (165_588_480, 535_619_584),  # V·H + 84,934,656 + 56,623,104 + 768²
    "tables-skipped": (85_646_592, None),  # 109,482,240 − 23,835,648
    "flag-counted": (109_482_241, None),  # 109,482,240 + 1
    "more-heads": (109_482_240, 335_141_888),
    "tensors": (199, 391),  # 5 + 16·12 + 2, 5 + 16·24 + 2
    "one-figure-for-every-vocabulary": (110_000_000, None),
    "file-size": (110_118_283, None),  # a quarter of 4·110,106,428 + 47,421 bytes
    "macs-as-flops": (11_174_215_680, 39_461_060_608),
    "attention-products-forgotten": (21_744_451_584, 77_311_508_480),
    "dense-lookup": (28_616_498_688, 87_465_671_680),
}
FIRST = {}
for _mistake in load_mistakes():
    FIRST.setdefault(_mistake.id, _mistake)

WITHOUT_FORMULA = {"one-figure-for-every-vocabulary", "file-size", "dense-lookup"}
"""A figure of another model, a file with its container, and a script whose conventions are not kept here."""


def counted(mistake: Mistake, model: str) -> int | None:
    """What a mistake counts for a model, by its selection, its formula, or the number of tensors."""
    if mistake.rule == "tensors":
        right = mistake.right.account(PARTS, BERT.totals) or {}
        times = [part.times.evaluate(SIZES[model]) for part in PARTS if part.path in right]
        return sum(times)
    if mistake.count is not None:
        account = mistake.count.account(PARTS, BERT.totals)
        assert account
        return (value(account) + mistake.plus).evaluate(SIZES[model])
    return mistake.formula.evaluate(SIZES[model]) if mistake.formula else None


@pytest.mark.parametrize("name", FIRST)
def test_what_a_mistake_counts_is_what_was_published(name: str) -> None:
    mistake, stated = FIRST[name], STATED.get(name, (None, None))
    assert tuple(mistake.stated.get(model) for model in SIZES) == stated
    for model, figure in mistake.stated.items():
        if name not in WITHOUT_FORMULA:
            assert counted(mistake, model) == figure


def test_a_file_is_its_parameters_and_less_than_a_thousandth() -> None:
    assert 440_473_133 - 4 * 110_106_428 == 47_421 < 440_473_133 // 1000
    assert FIRST["file-size"].stated["base"] == 440_473_133 // 4


def test_a_quarter_of_a_file_is_not_explained_and_is_said_to_look_like_one() -> None:
    answer = explain_figure(110_118_283, MODELS["base"])
    assert not answer.explained
    assert any("the bytes of a checkpoint divided by four" in note for note in answer.notes)


def test_the_lookup_is_part_of_what_the_script_counts_too_much() -> None:
    # 28,616,498,688 − 22,348,431,360 = 6,268,067,328, of which 2·30522·768·128 = 6,000,869,376 is the dense lookup
    product = 2 * 11_174_215_680
    lookup = Formula.parse(FIRST["dense-lookup"].written).evaluate(BASE)
    assert (product, lookup) == (22_348_431_360, 6_000_869_376)
    assert FIRST["dense-lookup"].stated["base"] - product - lookup == 267_197_952


WRITTEN = [one for one in load_mistakes() if one.written and one.count and one.count != one.right]


@pytest.mark.parametrize("mistake", WRITTEN, ids=lambda one: one.id)
def test_a_mistake_counts_what_its_author_wrote(mistake: Mistake) -> None:
    assert Formula.parse(mistake.written).evaluate(BASE) == counted(mistake, "base")


PARAMETERS = [
    (name, model, figure)
    for name, mistake in FIRST.items()
    if mistake.unit == "params" and mistake.rule not in ("elsewhere", "nothing", "container")
    for model, figure in mistake.stated.items()
]


@pytest.mark.parametrize(("name", "model", "figure"), PARAMETERS)
def test_a_mistake_explains_its_figure_with_a_bridge_to_the_right_one(name: str, model: str, figure: int) -> None:
    answer = explain_figure(figure, MODELS[model])
    assert answer.explained
    found = [one for one in answer.explanations if one.mistake and one.mistake.id == name]
    assert found, [one.text for one in answer.explanations]
    assert found[0].value == figure
    assert found[0].mistake is not None
    assert found[0].mistake.says in found[0].lines
    if found[0].bridge:
        assert found[0].right is not None
        assert found[0].right + sum(item.value for item in found[0].bridge) == figure
    else:
        assert found[0].mistake.rule in ("formula", "tensors")


@pytest.mark.parametrize(
    "figure", [21_261_312, 7_078_656, 28_339_968, 343_356_672, 335_043_584, 109_786_368, 108_770_304]
)
def test_well_known_mistakes_are_found_without_a_model(figure: int) -> None:
    answer = explain_figure(figure, anything())
    assert answer.explained
    assert any(one.kind == "mistake" for one in answer.explanations)


def test_no_mistake_is_offered_where_it_is_none() -> None:
    thirty = of_spec(load_spec("stackexchange-bert-base"))  # it has the 30,000 words of the paper
    answer = explain_figure(109_081_344, thirty)
    assert [one.kind for one in answer.explanations] == ["total"]


def test_every_mistake_is_a_term_or_has_a_rule() -> None:
    architectures = [load_architecture(name) for name in {one.architecture for one in load_mistakes()}]
    all_terms = [load_terms(model_of(one, {})) for one in architectures]
    terms = {term.mistake.id for terms in all_terms for term in terms if term.mistake}
    rules = {"elsewhere", "container", "cost", "nothing"}
    assert {one.id for one in load_mistakes()} - terms == {one.id for one in load_mistakes() if one.rule in rules}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"count": None}, "rule: got '', takes `count`, or one of"),
        ({"rule": "magic"}, "rule: got 'magic'"),
        ({"unit": "pounds"}, "unit: got 'pounds', takes one of params, bytes, flops"),
        ({"colour": "red"}, "colour: got a key that is not known here"),
        ({"plus": "H +"}, "plus"),
    ],
)
def test_what_is_wrong_with_an_entry_is_said(change: dict[str, object], said: str) -> None:
    entry = {
        "id": "one", "name": "n", "architecture": "bert", "about": "pooler", "count": "pooler", "right": "pooler",
        "says": "s", "source": {"title": "t"},
    } | change  # fmt: skip
    with pytest.raises(InputError) as error:
        list(_read("mistakes/test.toml", {key: one for key, one in entry.items() if one is not None}))
    assert said in str(error.value)
    assert "mistakes/test.toml" in str(error.value)
