"""Pipelines: each joins the rooms from a source to a report. They parse no arguments and print nothing."""
