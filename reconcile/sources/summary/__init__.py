"""The texts that Keras' `model.summary()` prints, as people paste them: read back into inventories."""

from reconcile.sources.summary.reader import read_text

__all__ = ["read_text"]
