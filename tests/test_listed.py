"""Listings of names with shapes, with counts alone, cut, and with totals beside them."""

import json
from math import prod
from pathlib import Path

import pytest
from implementation_lists import LISTS, read_list
from stored_files import errors, read, said, shapes_of
from support import ROOT, run


def lines(model: str, form: str) -> str:
    return "\n".join(form.format(name, prod(shape)) for name, shape in shapes_of(model).items())


COUNTED = [
    "huggingface.BertForPreTraining",
    "huggingface.BertForSequenceClassification",
    "huggingface.AlbertForMaskedLM",
    "huggingface.ElectraModel",
    "huggingface.DistilBertForMaskedLM",
    "huggingface.GPT2Model",
    "google.pretraining",
]


@pytest.mark.parametrize("form", ["{} {}", "| {} | {:,} |", "{}\t{}"])
@pytest.mark.parametrize("model", COUNTED)
def test_names_with_counts_alone_are_the_same_components(tmp_path: Path, model: str, form: str) -> None:
    from reconcile.mapping.tensors import map_source

    (tmp_path / "list.txt").write_text(lines(model, form))
    report, true = read(tmp_path / "list.txt"), map_source(read_list(LISTS / f"{model}.tsv"))
    assert not errors(report)
    held = {part.path: part.actual for part in report.components if part.tied_to is None}
    assert held == {part.path: part.actual for part in true.stored}
    assert {name: size for name, size in report.dimensions.items() if size and name not in "AD"} == {
        name: size for name, size in true.dimensions.items() if size and name not in "AD"
    }
    assert all(part.shape is None for part in report.components), "no shape is claimed that the text does not show"


def test_a_count_that_its_name_does_not_make_is_found(tmp_path: Path) -> None:
    text = lines("huggingface.BertModel", "{} {}").replace(
        "layer.1.output.dense.bias 24", "layer.1.output.dense.bias 25"
    )
    (tmp_path / "list.txt").write_text(text)
    assert errors(read(tmp_path / "list.txt")) == [
        "encoder.block[2].feed_forward.output.bias has 25 parameters where H makes 24: +1."
    ]


@pytest.mark.parametrize("model", sorted(path.stem for path in LISTS.glob("huggingface.*.tsv")))
def test_rows_of_one_axis_are_read_with_the_others(model: str) -> None:
    # The lists show a shape as 24x40, and one axis as 24, with the library's total above them.
    report = read(LISTS / f"{model}.tsv")
    assert report.residual == 0
    assert not [one for one in report.findings if one.severity == "error"]


@pytest.mark.parametrize(("stated", "off"), [(12_752, 0), (12_751, -1)])
def test_a_total_without_a_word_of_what_is_summed_is_compared(tmp_path: Path, stated: int, off: int) -> None:
    text = "\n".join(f"{name} {list(shape)}" for name, shape in shapes_of("huggingface.BertModel").items())
    (tmp_path / "list.txt").write_text(f"{text}\nTotal: {stated:,}\n")
    assert read(tmp_path / "list.txt").residual == off


def test_as_many_as_there_are_rows_is_no_total_of_parameters(tmp_path: Path) -> None:
    shapes = shapes_of("huggingface.BertModel")
    text = "\n".join(f"{name} {list(shape)}" for name, shape in shapes.items())
    (tmp_path / "list.txt").write_text(f"{text}\ntotal: {len(shapes)}\n")
    assert read(tmp_path / "list.txt").residual == 0


def test_of_a_listing_that_is_cut_nothing_is_missing(tmp_path: Path) -> None:
    rows = [f"{name} torch.Size({list(shape)})" for name, shape in shapes_of("huggingface.BertModel").items()]
    (tmp_path / "list.txt").write_text("\n".join([*rows[:20], "..."]))
    assert not said(read(tmp_path / "list.txt"), "missing")


def test_a_summary_and_a_listing_in_one_text_are_both_read(tmp_path: Path) -> None:
    summary = (ROOT / "docs" / "examples" / "bert-base-summary.txt").read_text("utf-8")
    listing = "encoder.kernel torch.Size([3, 4])\nencoder.bias torch.Size([4])\nhead.weight torch.Size([2, 4])\n"
    file = tmp_path / "both.txt"
    file.write_text(f"{summary}\n\n{listing}", encoding="utf-8")
    reports = json.loads(run("read", file, "--format", "json").out)["reports"]
    # 3·4 + 4 + 2·4 = 24
    assert [report["total"] for report in reports] == [109_705_010, 24]
