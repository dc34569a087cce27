"""Ranges of releases, and what requirements allow."""

import pytest

from reconcile.errors import InputError
from reconcile.releases.lock import load_lock
from reconcile.releases.pins import read_pins, release_of
from reconcile.releases.versions import allows, chosen

PUBLISHED = list(load_lock().releases)

# Range -> how many releases it takes in, the first and the last.
RANGES = {
    "0.16..0.89": (80, "0.16.0", "0.89.0"),  # 90 that can be imported less 0.6 to 0.15
    "..": None,
    "..0.5": (5, "0.1.0", "0.5.0"),
    "0.88..": (2, "0.88.0", "0.89.0"),
    "0.33..0.33": (2, "0.33.0", "0.33.1"),  # an end takes in what it begins
    "0.16.5..0.17": None,
    "0.17..0.18": (1, "0.18.0", "0.18.0"),  # an end need not be published
    ">=0.70": (24, "0.70.0", "0.89.0"),
    ">=0.70,<0.71": (4, "0.70.0", "0.70.3"),
    "~=0.70.1": (3, "0.70.1", "0.70.3"),
    "==0.55.*": (3, "0.55.0", "0.55.2"),
    "0.89,0.15,0.16": (3, "0.15.0", "0.89.0"),
    "0.15, 0.88..": (3, "0.15.0", "0.89.0"),
    "0.16.0": (1, "0.16.0", "0.16.0"),
    "0.17": None,
    "0.90": None,
    "0.89..0.16": None,
    "0.16-0.89": None,
    "latest": None,
    "": None,
    "0.16,,0.18": None,
    ">0.89": None,
    "٠.16": None,
}


@pytest.mark.parametrize("text", RANGES)
def test_a_range(text: str) -> None:
    if RANGES[text] is None:
        with pytest.raises(InputError, match=r"^RANGE: got .*, takes "):
            chosen(text, PUBLISHED)
    else:
        found = chosen(text, PUBLISHED)
        assert (len(found), found[0], found[-1]) == RANGES[text]


ALLOWED = [
    ("==0.7", "0.7.0", True), ("==0.7.0", "0.7", True), ("!=0.7", "0.7.0", False), (">=0.28", "0.28.0", True),
    (">0.28", "0.28.0", False), ("<0.28", "0.9.0", True), ("~=0.7", "0.71", True), ("~=0.7.1", "0.8", False),
    ("==0.7.*", "0.70.1", False), ("==0.7.*", "0.7.5", True), ("!=0.7.*", "0.7.5", False), ("", "1", True),
    (">=0.1, <0.2", "0.1.9", True), ("=>0.1", "0.1", None), ("==1.0rc1", "1.0", None),
]  # fmt: skip


@pytest.mark.parametrize(("conditions", "version", "verdict"), ALLOWED)
def test_conditions(conditions: str, version: str, verdict: bool | None) -> None:
    assert allows(conditions, version) is verdict


REQUIREMENTS = {
    "keras-bert==0.81.0\n": "0.81.0",
    "# mine\nTensorFlow==2.1\n\nKeras_Bert == 0.81 # pinned\n": "0.81.0",
    "keras.bert[extra]>=0.70,<0.71; python_version < '4'\n": "0.70.3",
    "keras-bert\n": "0.89.0",
    "keras-bert (>=0.5,<0.9)\n": "0.8.0",
    "--index-url https://example.org/simple\n-r other.txt\nkeras-bert==0.6.0 --hash=sha256:12\n": "0.6.0",
    "keras-bert==0.80.0 \\\n    --hash=sha256:12 \\\n    --hash=sha256:34\nnumpy\n": "0.80.0",
    "keras-bert===0.80.0": "0.80.0",
    "\ufeffkeras-bert==0.80.0\r\n".lstrip("\ufeff"): "0.80.0",
}


@pytest.mark.parametrize("text", REQUIREMENTS)
def test_requirements_lead_to_a_release(text: str) -> None:
    assert release_of(read_pins(text, "requirements.txt"), PUBLISHED) == REQUIREMENTS[text]


REFUSED = {
    "numpy==1.16\n": r"^requirements\.txt: got no keras-bert, takes a line such as keras-bert==0\.89\.0$",
    "keras-bert @ https://example.org/keras-bert.zip\n": r"^requirements\.txt: got no keras-bert",
    "keras-bert==1.0rc1\n": r"^requirements\.txt: line 1: got ==1\.0rc1, takes versions of keras-bert",
    "\nkeras-bert==0.17\n": r"^requirements\.txt: line 2: got keras-bert==0\.17, takes a release that is published",
}


@pytest.mark.parametrize("text", REFUSED)
def test_requirements_that_lead_nowhere(text: str) -> None:
    with pytest.raises(InputError, match=REFUSED[text]):
        release_of(read_pins(text, "requirements.txt"), PUBLISHED)
