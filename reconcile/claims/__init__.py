"""A text somebody wrote -> its figures and equations, each with a verdict."""
