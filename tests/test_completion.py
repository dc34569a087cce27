"""Shell completion: commands, options, models that come with the project, and files."""

import pytest
from support import command


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("reconcile bu", {"plain,build", "file,bu"}),
        ("reconcile bert-chin", {"plain,bert-chinese", "file,bert-chin"}),
        ("reconcile keras-b", {"plain,keras-bert==", "file,keras-b"}),
        (
            "reconcile diff keras-bert==0.8.",
            {"plain,keras-bert==0.8.0", "file,keras-bert==0.8."},
        ),
        ("reconcile releases 0.81", {"plain,0.81.0", "plain,0.81.1"}),
        ("reconcile releases 0.16..0.88", {"plain,0.16..0.88.0"}),
        ("reconcile releases --model tin", {"plain,tiny", "file,tin"}),
        ("reconcile explain --model bert-chin", {"plain,bert-chinese", "file,bert-chin"}),
        ("reconcile build bert-base-c", {"plain,bert-base-cased", "file,bert-base-c"}),
        ("reconcile report bert-chin", {"plain,bert-chinese", "file,bert-chin"}),
        ("reconcile diff tin", {"plain,tiny", "file,tin"}),
        ("reconcile read x --fail", {"plain,--fail-on"}),
        ("reconcile explain --unit ma", {"plain,macs"}),
    ],
)
def test_a_shell_is_offered_what_may_follow(typed: str, offered: set[str]) -> None:
    place = str(len(typed.split()) - 1)
    asked = {"_RECONCILE_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": place}
    assert set(command(**asked).out.split()) == offered


def test_there_is_a_script_for_the_shell() -> None:
    assert "complete -o nosort -F" in command(_RECONCILE_COMPLETE="bash_source").out
