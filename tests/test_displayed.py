"""Results in Python: one line in a list, the text when printed, what unfolds in a notebook."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from shown import SUMMARY
from support import ROOT, run

import reconcile

OTHER = re.sub(r"(?m)^( NSP \(Dense\).* )1538( .*)$", r"\g<1>2307\2", SUMMARY).replace("109705010", "109705779")
"""The same with one class more: H + 1 = 769."""
FIGURE = "(768*768*3 + 768*3) * 12"


class Case(NamedTuple):
    """A result, the command that prints the same, how its line begins, and some of what its cell holds."""

    result: Callable[[], Any]
    command: tuple[str, ...]
    line: str
    cell: tuple[str, ...]


CASES = {
    "read": Case(
        lambda: reconcile.read("summary.txt"),
        ("read", "summary.txt"),
        "<Report of summary.txt: 109,705,010 parameters; agrees: all 109,705,010 parameters of a BERT are verified",
        ("<details", "4·(H² + H)", "Encoder-7-MultiHeadSelfAttention"),
    ),
    "read_all": Case(
        lambda: reconcile.read_all("two.txt"),
        ("read", "two.txt"),
        "<2 reports: two.txt, 109,705,010; two.txt, 109,705,779>",
        ("<details", "Side by side", "109,705,779"),
    ),
    "explain": Case(
        lambda: reconcile.explain(FIGURE, dims="H=768,L=12,A=12"),
        ("explain", FIGURE, "--dims", "H=768,L=12,A=12"),
        "<Answer of (768*768*3 + 768*3) * 12 = 21,261,312 can be several things, and the count alone does not say which; ",
        ("<details", "every head given query, key and value at full width"),
    ),
    "explain, operations": Case(
        lambda: reconcile.explain(22_347_251_712, unit="flops"),
        ("explain", "22347251712", "--unit", "flops"),
        "<OperationsAnswer of 22347251712: ",
        ("<details", "GPT-2 small"),
    ),
    "check": Case(
        lambda: reconcile.check(Path("notes.md")),
        ("check", "notes.md"),
        "<Checked of notes.md: ",
        ("mismatch", "The figures in the text"),
    ),
    "diff": Case(
        lambda: reconcile.diff("summary.txt", Path("other.txt")),
        ("diff", "summary.txt", "other.txt"),
        "<Difference of summary.txt and other.txt: +769 parameters; ",
        ("<table", "109,705,010", "+769"),
    ),
    "cost": Case(
        lambda: reconcile.cost("GPT-2 small"),
        ("cost", "GPT-2 small"),
        "<Cost of GPT-2 small: 22,347,251,712 FLOPs forward>",
        ("<table", "22,347,251,712"),
    ),
}


@pytest.fixture(scope="module", autouse=True)
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A folder of one's own with two summaries and a text."""
    folder = tmp_path_factory.mktemp("folder")
    notes = (ROOT / "docs" / "examples" / "bert-notes.md").read_text("utf-8")
    texts = {"summary.txt": SUMMARY, "other.txt": OTHER, "two.txt": f"{SUMMARY}\n{OTHER}", "notes.md": notes}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_result_shows_itself(case: Case) -> None:
    result = case.result()
    assert repr(result).startswith(case.line)
    assert "\n" not in repr(result)
    assert str(result) == run(*case.command).out
    assert result._repr_markdown_() == run(*case.command, "--format", "markdown").out
    for held in case.cell:
        assert held in result._repr_html_()


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_cell_leaves_the_notebook_alone(case: Case) -> None:
    cell = case.result()._repr_html_()
    assert "<script" not in cell
    (style,) = re.findall(r"<style>(.*?)</style>", cell, re.DOTALL)
    selectors = re.findall(r"^([^@{}\n]+)\{", style, re.MULTILINE)
    assert len(selectors) > 60
    for selector in ", ".join(selectors).split(","):
        assert re.match(r"\.(reconcile|icicle|heads)\b", selector.strip()), selector


def test_two_cells_of_one_notebook_share_no_name() -> None:
    report = reconcile.read("summary.txt")
    first, second = (set(re.findall(r'\bid="([^"]+)"', report._repr_html_())) for _ in range(2))
    assert len(first) == len(second) > 40
    assert first & second == set()


def test_names_that_are_markup_or_steer_a_terminal_stay_text() -> None:
    hostile = {"encoder.<img src=x onerror=alert(1)>.weight": np.zeros((4, 4)), "\x1b[2Jx\nerror: y": np.zeros(3)}
    report = reconcile.read(hostile)
    assert "<img" not in report._repr_html_()
    assert "\x1b" not in str(report) + repr(report) + report._repr_markdown_()
    assert "\nerror" not in str(report)


# What `read` takes: as many as the ways in which somebody has a model of 4·4 + 4 parameters.
LINES = "a.weight torch.Size([4, 4])\na.bias torch.Size([4])\n"
ARRAYS = {"a.weight": np.zeros((4, 4), "float32"), "a.bias": np.zeros(4, "float32")}


@pytest.mark.parametrize("form", ["text", "path", "name", "state dict"])
def test_one_door_for_reading(form: str, tmp_path: Path) -> None:
    file = tmp_path / "listing.txt"
    file.write_text(LINES)
    source = {"text": LINES, "path": file, "name": str(file), "state dict": ARRAYS}[form]
    assert reconcile.read(source).total == 20


def test_arrays_of_one_memory_count_once() -> None:
    table = np.zeros((7, 4), "float32")
    arrays = {"embed.weight": table, "head.weight": table.view(), "part.weight": table[2:], "steps": np.int64(3)}
    assert reconcile.read(arrays).total == 7 * 4 + 5 * 4


class Tensor:
    """An array as PyTorch has it: each look at a state dict's memory is an object of its own."""

    def __init__(self, place: int, *shape: int, dtype: str = "torch.float32") -> None:
        self.place, self.shape, self.dtype = place, shape, dtype

    def data_ptr(self) -> int:
        return self.place


def test_a_state_dict_of_pytorch_has_tied_matrices_once_and_buffers_apart() -> None:
    state = {
        "embeddings.word_embeddings.weight": Tensor(64, 7, 4),
        "embeddings.position_ids": Tensor(512, 1, 9, dtype="torch.int64"),
        "decoder.weight": Tensor(64, 7, 4),
        "decoder.bias": Tensor(0, 7),  # on the device without memory every address is 0
        "decoder.second_bias": Tensor(0, 7),
        "_extra_state": object(),
    }
    report = reconcile.read(state)
    assert report.total == 7 * 4 + 2 * 7
    assert [(one.what, one.count) for one in report.excluded] == [("buffer", 9)]


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("nothing.txt", "nothing.txt: got no such file, takes a file, a directory or a checkpoint's prefix"),
        ("tiny", "tiny: got a model to be built, takes reconcile build tiny"),
        (
            {"a": 1},
            "the model: got a dict, takes a built Keras model or layer (Keras 2, tf-keras or Keras 3), a PyTorch",
        ),
        (3, "the model: got an int, takes a built Keras model"),
        ("hello\nyou\n", "the text: got no "),
        ("two.txt", "two.txt: got 2 models, takes index=1 to index=2, or reconcile.read_all for a report of each"),
    ],
)
def test_what_cannot_be_read_is_refused(source: Any, says: str) -> None:
    with pytest.raises(reconcile.InputError) as refused:
        reconcile.read(source)
    assert str(refused.value).startswith(says)


def test_one_of_several_is_meant() -> None:
    assert [reconcile.read("two.txt", index=index).total for index in (1, 2)] == [109_705_010, 109_705_779]
    assert reconcile.diff("two.txt", "two.txt", a_index=1, b_index=2).difference == 769
    with pytest.raises(reconcile.InputError, match=r"two.txt: index: got 3, takes 1 to 2, the models that are there"):
        reconcile.read("two.txt", index=3)


def test_the_cost_of_what_somebody_has() -> None:
    totals = {reconcile.cost(source).cost.total for source in ("summary.txt", Path("summary.txt"), SUMMARY)}
    assert len(totals) == 1
    assert reconcile.cost("GPT-2 small", seq=256, batch=2).cost.total > 4 * 22_347_251_712


def test_an_answer_is_about_one_model_or_dimensions() -> None:
    with pytest.raises(reconcile.InputError, match="explain: got model and dims, takes one of them"):
        reconcile.explain("110M", model="tiny", dims="H=64")
