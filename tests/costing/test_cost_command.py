"""`reconcile cost` and the figures of operations of `reconcile explain`, as they are run."""

import json
from pathlib import Path

import pytest
from support import ROOT, integer, printed_rows, run

from reconcile.formula import Formula

BERT = {
    "model_type": "bert", "architectures": ["BertModel"], "vocab_size": 30522, "hidden_size": 768,
    "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072, "max_position_embeddings": 512,
    "type_vocab_size": 2,
}  # fmt: skip


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(BERT), "utf-8")
    return path


def of(*arguments: object) -> dict:
    done = run("cost", *arguments, "--format", "json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert isinstance(found, dict)
    return found


def test_the_sources() -> None:
    """A spec, a part of it, a known model by its name and the example summary are the same blocks."""
    for source, given in (
        ("bert-base-uncased", ("--part", "backbone+pooler")),
        ("BERT base, uncased", ()),
        ("bert base uncased", ()),
    ):
        assert of(source, *given)["total"] == 22_348_431_360
    summary = of(ROOT / "docs" / "examples" / "bert-base-summary.txt", "--seq", 128)
    assert summary["totals"]["encoder"] == 22_347_251_712
    assert of("bert-base-uncased")["total"] == 28_500_298_752


def test_a_configuration(config: Path) -> None:
    found = of(config, "--convention", "fvcore", "--attention", "sdpa")
    assert found["total"] == 10_884_513_792
    assert (found["convention"], found["attention"], found["unit"]) == ("fvcore", "sdpa", "MACs")
    assert (found["S"], found["B"]) == (128, 1)
    assert {"path", "operation", "formula", "count"} <= set(found["rows"][0])
    assert {"what", "bytes", "formula"} <= set(found["memory"][0])


def test_rows_add_up_and_formulas_give_their_counts(config: Path) -> None:
    for convention in ("matmul", "electra", "tensorflow", "calflops"):
        found = of(config, "--convention", convention, "--seq", 200, "--batch", 3)
        sizes = {**found["dimensions"], "S": 200, "B": 3}
        assert sum(row["count"] for row in found["rows"]) == found["total"]
        for row in found["rows"]:
            assert Formula.of(row["formula"]).evaluate(sizes) == row["count"], row


def test_the_printed_table_adds_up(config: Path) -> None:
    done = run("cost", config, "--training")
    rows = printed_rows(done.out.partition("Memory in")[0])
    assert rows[-1]["operation"] == "total"
    for column in ("forward", "backward", "total"):
        assert sum(integer(row[column]) for row in rows[:-1]) == integer(rows[-1][column])
    assert integer(rows[-1]["total"]) == 3 * 22_348_431_360


def test_no_figure_without_its_convention(config: Path) -> None:
    for form in ("text", "markdown"):
        done = run("cost", config, "--convention", "calflops", "--format", form)
        assert done.status == 0
        assert "calflops" in done.out.splitlines()[1] + done.out.splitlines()[2]


def test_all_conventions_are_compared(config: Path) -> None:
    out = run("cost", config, "--compare").out
    counters = "11,186,503,680 10,884,513,792 10,885,300,992 28,616,498,688 11,176,673,408 109,482,240"
    for figure in counters.split():
        assert figure in out


def test_the_feed_forward(config: Path) -> None:
    out = run("cost", config, "--active-ffn", "0.003").out
    assert "56,623,104 of 109,482,240 parameters, 51.7 %" in out
    assert "9 of 3,072 neurons" in out


def test_the_curve(config: Path, tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    out = run("cost", config, "--curve", "--svg", picture).out
    assert "the two attention products alone take as much as the feed-forward at S = F = 3,072" in out
    assert "attention with its projections takes as much as the feed-forward at S = F − 2·H = 1,536" in out
    assert picture.read_text("utf-8").startswith("<svg ")


def test_ascii(config: Path) -> None:
    out = run("cost", config, "--ascii", "--compare", "--curve", "--training").out
    assert out.isascii()
    assert "2*B*L*S*H^2" in out


def test_a_mixture_of_experts_and_a_decoder() -> None:
    assert "12,879,925,248" in run("cost", "Mixtral 8x7B").out
    assert "one token behind it" in run("cost", "GPT-2 small", "--with", "head").out


WRONG = [
    (("no-such-model",), "no-such-model: got no such file"),
    (("bert-base-uncased", "--convention", "flops"), "--convention: got 'flops', takes"),
    (("bert-base-uncased", "--part", "head"), "--part: got 'head', takes"),
    (("bert-base-uncased", "--with", "wheels"), "--with: got 'wheels', takes"),
    (("bert-base-uncased", "--training", "--convention", "thop"), "a counter of forward passes"),
    (("bert-base-uncased", "--training", "--dtype", "int4"), "--dtype: got int4"),
    (("bert-base-uncased", "--active-ffn", "2"), "takes a part from above 0 to 1"),
    (("bert-base-uncased", "--active-ffn", "1/0"), "takes a part from above 0 to 1"),
    (("bert-base-uncased", "--seq", "0"), "0 is not in the range"),
    (("BERT base, uncased", "--profile"), "--profile: got BERT base, uncased, takes a spec"),
    (("bert-base-uncased", "--profile", "--seq", "1000"), "--seq: got 1000, takes at most 512"),
    (("bert-base-uncased", "--svg", "/dev/null/place.svg"), "/dev/null/place.svg: got File exists"),
]


@pytest.mark.parametrize(("arguments", "says"), WRONG)
def test_what_cannot_be_run(arguments: tuple[str, ...], says: str) -> None:
    done = run("cost", *arguments)
    assert done.status == 2
    assert done.out == ""
    assert says in done.err
    assert "Traceback" not in done.err


EXPLAINED = [
    (("10,884,513,792", "--unit", "flops"), ("fvcore", "sdpa", "301,989,888", "11,186,503,680")),
    (("28,616,498,688", "--unit", "flops"), ("get_infer_flops", "without the factor H", "at every position")),
    (("11,176,673,408 MACs",), ("torchprofile", "transformers 4")),
    (("78,922,121,216", "--unit", "flops", "--dims", "H=1024,L=24,F=4096,A=16"), ("S = 128",)),
    (("10,885,300,992", "--unit", "flops", "--model", "bert-base-uncased"), ("ptflops", "sdpa")),
    (("1,862,270,976", "--unit", "flops", "--model", "bert-base-uncased"), ("one block of", "22,347,251,712")),
]


@pytest.mark.parametrize(("arguments", "said"), EXPLAINED)
def test_explain_names_the_counter(arguments: tuple[str, ...], said: tuple[str, ...]) -> None:
    done = run("explain", *arguments)
    assert done.status == 0, done.err
    for text in said:
        assert text in done.out


def test_explain_as_json() -> None:
    found = json.loads(run("explain", "10,884,513,792", "--unit", "flops", "--format", "json").out)
    assert found["explained"] is True
    (one,) = found["explanations"]
    assert (one["value"], one["difference"], one["counter"]) == (10_884_513_792, 0, "fvcore 0.1.5")
    assert one["attention"] == ["sdpa", "flash"]
    assert "attention" in {left["kind"] for left in one["left_out"]}


@pytest.mark.parametrize("figure", ["12,345,678,901", "22.5 GFLOPs"])
def test_what_nothing_comes_to_is_not_explained(figure: str) -> None:
    done = run("explain", figure, *(() if "FLOP" in figure else ("--unit", "flops")))
    assert done.status == 1
    assert " is explained" not in done.out


def test_a_summary_without_a_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"model_type": "resnet"}), "utf-8")
    done = run("cost", path)
    assert done.status == 2
    assert len(done.err.splitlines()) == 1


def test_a_sequence_longer_than_the_table_of_positions_is_told() -> None:
    said = "longer than the model takes: its table has P = 512 positions"
    assert said in run("cost", "bert-base-uncased", "--seq", "513").out
    assert said not in run("cost", "bert-base-uncased", "--seq", "512").out
    assert "longer than" not in run("cost", "LLaMA 7B", "--seq", "4096").out  # which has no table
