"""Builds keras-bert's BERT base with real weights and saves them: python tests/save_base.py DIRECTORY (tf-keras)."""

import sys
from pathlib import Path

from keras_bert import get_model

folder = Path(sys.argv[1])
model = get_model(token_num=30522, seq_len=512)
model.save_weights(str(folder / "base.h5"))
model.save_weights(str(folder / "base.ckpt"))
