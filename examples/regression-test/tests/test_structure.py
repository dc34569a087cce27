"""The classifier keeps its structure, and every parameter of it is accounted for."""

import classifier
import pytest


@pytest.fixture(scope="module")
def model():
    return classifier.build()


def test_every_parameter_has_its_place(model, reconciled):
    # 1000·32 + 16·32 + 2·32 + 2·32 = 32,640 in the embeddings; 2 blocks of 4·32² + 2·32·64 + 64 + 9·32 = 8,544;
    # 32·64 + 64 = 2,112 and 64·3 + 3 = 195 on top of them
    total = reconciled(model).total
    assert total == 32_640 + 2 * 8_544 + 2_112 + 195


def test_the_structure_is_kept(model, model_snapshot):
    model_snapshot(model)
