"""A summary's rows -> a ledger: by the best reading of each model in it as a whole."""
