"""Steps 3 to 5: where the figures of a text stand, which model each is said of, and which component its words mean."""
