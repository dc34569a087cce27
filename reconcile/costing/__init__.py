"""What a model costs to run and to train: operations by any counter's convention, and bytes, on the same components."""
