"""The command line: arguments, files and the exit status. Each command's own module is imported when it is called."""
