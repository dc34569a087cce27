"""`python -m reconcile.cli` is the command `reconcile`."""

from reconcile.cli.main import main

if __name__ == "__main__":
    main()
