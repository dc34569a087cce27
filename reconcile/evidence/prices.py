"""What a reading of rows, or of arrays by their names, pays or earns beside the lengths of counts and sizes, in bits.

Each was measured on the printed summaries of the tests and on those that `make bench` draws; what is said of a price is
what goes wrong without it. The margins of verdicts stand with the judge.
"""

KIND = 5.6
"""Which of some fifty kinds of layers a row is."""
PLACE = 1.5
"""Where rows stand that are no part of the model, once for rows that follow each other."""
FAULT = 4.0
"""That a row contradicts a reading, beside by how much: without it random blocks are a model with faults."""
LACKING = 8.0
"""That no row is a component that every model of the architecture has: a stack alone is no GPT-2 without embeddings.
Of arrays, that a node is not there, or not as its formula has it, beside how large it is."""
OTHER_NAME = 4.0
"""That a row is called like another component, or stands behind what it belongs in front of."""
OTHER_FAMILY = 8.0
"""That a title or a class names another family, or one that nobody here knows: a ConvBERT is no BERT. That arrays are
called like those of an architecture, and are of a model akin to it."""
OWN_FAMILY = 3.0
"""Earned where a title names the family."""
NAMELESS = 3.0
"""Blocks that stand by themselves, without the rest of a model."""
CALLED_BLOCK = 3.0
"""Earned by equal blocks that are called blocks."""
TOGETHER = 8.0
"""By how much two tables in one row must be shorter to say than their sum, which many sizes make."""
KNOWN = 4.0
"""Which known model one row is, where its class names the family."""
NO_FAMILY = 4.0
"""A family that no class names, for a whole model in one row."""
ADAPTED = 4.0
"""That a known model has adapters, beside their size."""
