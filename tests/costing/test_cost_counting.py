"""Operations by each convention: published figures, what real counters say of real models, and laws."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import BASE, LARGE, ODD, cost, model
from reconcile.costing.conventions import convention_names, kinds, load_convention
from reconcile.costing.counting import model_operations
from reconcile.errors import InputError
from reconcile.taxonomy import architecture_names, load_architecture

# 12 · (4·2·128·768² + 2·2·128²·768 + 2·2·128·768·3072) = 22,347,251,712, and a pooler's 2·768².
PRODUCTS = [
    (BASE, 128, ("pooler",), 22_348_431_360),
    (BASE, 128, (), 22_347_251_712),
    (BASE, 512, ("pooler",), 96_637_943_808),
    (LARGE, 128, ("pooler",), 78_922_121_216),
    (LARGE, 512, ("pooler",), 335_009_546_240),
    (BASE, 128, ("pooler", "mlm", "nsp"), 28_500_298_752),
]


@pytest.mark.parametrize(("sizes", "length", "options", "total"), PRODUCTS)
def test_products(sizes: dict[str, int], length: int, options: tuple[str, ...], total: int) -> None:
    assert cost(model(sizes, options), length=length).total == total
    assert 2 * cost(model(sizes, options), "mac", length).total == total


# google-research/electra, flops_computation.py: TransformerHparams(h, l, s=s, v=30522).get_infer_flops()
ELECTRA = [
    (BASE, 128, 28_616_498_688, 22_615_629_312),
    (BASE, 512, 122_298_857_472, 98_295_379_968),
    (LARGE, 128, 87_465_671_680, 79_464_512_512),
    (LARGE, 512, 370_347_667_456, 338_343_030_784),
]


@pytest.mark.parametrize(("sizes", "length", "dense", "sparse"), ELECTRA)
@pytest.mark.parametrize("options", [(), ("pooler",), ("pooler", "mlm", "nsp")])
def test_electras_script(sizes: dict[str, int], length: int, dense: int, sparse: int, options: tuple[str, ...]) -> None:
    """Its classifier takes the place of any head, so that heads change nothing."""
    assert cost(model(sizes, options), "electra", length).total == dense
    assert cost(model(sizes, options), "electra-sparse", length).total == sparse


# Hugging Face's BERT base with its pooler at S = 128: counter, then eager and sdpa.
COUNTERS = [
    ("fvcore", 11_186_503_680, 10_884_513_792),
    ("ptflops-aten", 11_184_833_280, 10_882_843_392),
    ("ptflops", 11_189_650_176, 10_885_300_992),
    ("calflops", 22_363_078_656, 21_756_739_584),
    ("thop", 11_184_046_080, 11_184_046_080),
    ("torchprofile", 11_176_673_408, 11_176_673_280),
    ("torchinfo", 109_482_240, 109_482_240),
    ("torch", 22_348_431_360, 21_744_451_584),
]


@pytest.mark.parametrize(("counter", "eager", "sdpa"), COUNTERS)
def test_counters_on_bert_base(counter: str, eager: int, sdpa: int) -> None:
    assert cost(model(BASE), counter, attention="eager").total == eager
    assert cost(model(BASE), counter, attention="sdpa").total == sdpa


def test_what_versions_change() -> None:
    base = model(BASE)
    scores = 12 * 12 * 128**2  # each score multiplied by 1/√D, in transformers 5
    assert cost(base, "torchprofile", version="transformers 5").total == 11_176_673_408 - 128 + scores == 11_179_032_576
    assert cost(base, "torchprofile", attention="sdpa", version="torchprofile 0.0.4").total == 10_874_683_392
    assert cost(base, "thop", version="thop 0.1.1").total == 11_184_046_080 - 301_989_888


SMALL = {
    "BertModel": (ODD, ("pooler",), "bert", ()),
    "BertForPreTraining": (ODD, ("pooler", "mlm", "nsp"), "bert", ()),
    "BertForMaskedLM": (ODD, ("mlm",), "bert", ()),
    "DistilBertModel": (ODD, (), "bert", ("embeddings.segment",)),
    "DistilBertForMaskedLM": (ODD, ("mlm",), "bert", ("embeddings.segment",)),
    "AlbertModel": (ODD | {"E": 14}, ("pooler",), "albert", ()),
    "AlbertForPreTraining": (ODD | {"E": 14}, ("pooler", "mlm", "sop"), "albert", ()),
    "ElectraModel": (ODD | {"E": 14}, (), "electra", ()),
    "ElectraForPreTraining": (ODD | {"E": 14}, ("detector",), "electra", ()),
    "ElectraForMaskedLM": (ODD | {"E": 14}, ("mlm",), "electra", ()),
    "GPT2Model": (ODD, (), "gpt2", ()),
    "GPT2LMHeadModel": (ODD, ("head",), "gpt2", ()),
    "LlamaForCausalLM": (ODD | {"K": 1, "D": 8}, ("head",), "llama", ()),
    "MobileBertModel": (ODD | {"H": 36, "E": 14, "B": 24, "N": 3}, ("pooler",), "mobilebert", ()),
}
SAID = tomllib.loads(Path(__file__).with_name("counters.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_counters_on_small_models(name: str, attention: str) -> None:
    """What the counters themselves said of what transformers 5 builds."""
    built = model(*SMALL[name])
    versions = {"torchprofile": "transformers 5"} if attention == "eager" else {}
    said = SAID[name][attention]
    ours = {
        counter: cost(built, counter, 7, attention=attention, version=versions.get(counter)).total for counter in said
    }
    assert ours == said
    assert set(said) >= {"torch", "fvcore", "ptflops", "ptflops-aten", "calflops", "thop", "torchinfo"}


def test_every_small_model_was_counted() -> None:
    assert set(SAID) == set(SMALL)


@given(
    st.fixed_dictionaries({
        "V": st.integers(2, 500), "P": st.integers(64, 99), "T": st.integers(1, 4), "A": st.integers(1, 6),
        "D": st.integers(1, 9), "F": st.integers(1, 99), "L": st.integers(1, 9),
    }),
    st.integers(1, 64),
    st.integers(1, 5),
)  # fmt: skip
def test_laws_of_products(sizes: dict[str, int], length: int, batch: int) -> None:
    """Rows add up, MACs are half, sequences cost alike, and training is three times the products."""
    built = model({**sizes, "H": sizes["A"] * sizes["D"]}, ("pooler", "mlm", "nsp"))
    whole = cost(built, length=length, batch=batch)
    assert whole.total == sum(row.count for row in whole.rows) == batch * cost(built, length=length).total
    assert whole.total == 2 * cost(built, "mac", length, batch=batch).total == whole.totals["pretraining"]
    assert cost(built, length=length, batch=batch, training=True).total == 3 * whole.total
    flash = cost(built, length=length, batch=batch, training=True, attention="flash")
    scores = 2 * batch * length**2 * sizes["A"] * sizes["D"] * sizes["L"]
    assert flash.total == 3 * whole.total + scores  # 2.5 times the two products instead of twice
    heads = {row.path: row.count for row in cost(built, length=length, batch=batch, predicted=1).rows}
    assert heads["mlm.decoder.kernel"] == 2 * batch * sizes["V"] * built.dimensions["H"]


@pytest.mark.parametrize("name", architecture_names())
def test_every_operation_of_every_architecture_has_a_kind_in_words(name: str) -> None:
    """And every kernel, table and norm is computed: what has weights and no operation is a bias of a norm."""
    sizes = ODD | {"E": 14, "B": 24, "N": 24, "M": 2, "W": 90, "D": 8, "K": 1, "U": 8, "X": 4, "Z": 2, "G": 1}
    options = tuple(load_architecture(name).options)
    built = model(sizes, options, name)
    found = model_operations(built)
    assert {one.kind.partition(".")[0] for one in found} <= set(kinds())
    silent = {part.path for part in built.components} - {one.path for one in found}
    assert {path.rpartition(".")[2] for path in silent} <= {"beta"}


def test_what_is_left_out_is_said() -> None:
    left = {one.kind: one.amount for one in cost(model(BASE), "fvcore", attention="sdpa").left_out}
    assert left["attention"] == 301_989_888
    assert left["bias"] == 10_617_600  # 128 · (9·768) · 12 + 768
    assert "norm" not in left
    assert "product" not in left


@pytest.mark.parametrize("name", convention_names())
def test_each_convention_can_be_read(name: str) -> None:
    convention = load_convention(name)
    assert convention.title
    assert convention.unit in ("FLOPs", "MACs", "parameters")


WRONG = [
    ("no-such", {}, "--convention: got 'no-such', takes one of "),
    ("fvcore", {"training": True}, "--training: fvcore: got a counter of forward passes, takes a convention"),
]


@pytest.mark.parametrize(("convention", "given_", "says"), WRONG)
def test_what_cannot_be_counted(convention: str, given_: dict[str, bool], says: str) -> None:
    with pytest.raises(InputError) as raised:
        cost(model(BASE), convention, **given_)
    assert says in str(raised.value)


def test_a_counter_of_one_library_is_not_asked_of_another_architecture() -> None:
    with pytest.raises(InputError, match="takes a model of bert"):
        cost(model(ODD, (), "gpt2"), "tensorflow", 7)


def test_an_unknown_dimension_is_named() -> None:
    built = model(ODD)
    without = type(built)("x", built.architecture, built.components, {**built.dimensions, "F": None}, 0)
    with pytest.raises(InputError, match=r"no size of F \(feed-forward size\)"):
        cost(without)
