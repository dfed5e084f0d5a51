#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Read the project's tables: vm/kernels, vm/architectures, freestanding/boards/table. A table
has words in columns. "#: NAME NAME ..." names the columns, a row begins with the row's
name, and other lines that begin with # are comments. A word "-" means "nothing there".

Usage: tools/table.py FILE COLUMN[,COLUMN...] [ROW]
         prints these columns of all rows, in the table's order, or of the row ROW
       tools/table.py --make FILE...
         prints assignments for make: the rows' names, as NAME-OF-FIRST-COLUMN, and
         COLUMN-ROW for each other word

Exit status: 0, 1 if the table does not have the row, or 2 if it does not have the column. 2
also if a row has too few or too many words.
"""

import pathlib
import signal
import sys


class TableError(Exception):
    """A table that does not have what was asked for: (message, exit status)."""


def read(path):
    """The rows of the table: {name: {column: word}}, in the table's order."""
    columns, rows = [], {}
    try:
        text = pathlib.Path(path).read_text("utf-8")
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}", 2) from error
    for line in text.splitlines():
        words = line.split()
        if line.startswith("#: "):
            columns = words[1:]
        elif words and not line.startswith("#"):
            if len(words) != len(columns):
                raise TableError(f"{path} has no word for each column in row {words[0]}", 2)
            rows[words[0]] = dict(zip(columns, words))
    return rows


def select(path, columns, name=None):
    """The words of the columns, a list for each row, or only for the row of that name."""
    rows = read(path)
    for column in columns:
        if any(column not in row for row in rows.values()):
            raise TableError(f"{path} has no column {column}", 2)
    if name is not None and name not in rows:
        raise TableError(f"{path} has no row {name}, but: {' '.join(rows)}", 1)
    return [[row[column] for column in columns]
            for row in (rows.values() if name is None else [rows[name]])]


def for_make(path):
    """The table as make's assignments, none of which has a space."""
    operator = ":="
    for name, row in read(path).items():
        first, *columns = row
        yield f"{first}{operator}{name}"
        yield from (f"{column}-{name}:={row[column]}" for column in columns)
        operator = "+="


def main():
    arguments = sys.argv[1:]
    # a reader such as head may take only the first lines
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        if arguments[:1] == ["--make"]:
            for path in arguments[1:]:
                print(*for_make(path), sep="\n")
        elif len(arguments) in (2, 3):
            for words in select(arguments[0], arguments[1].split(","), *arguments[2:]):
                print(*words)
        else:
            print(__doc__.split("\n\n")[1], file=sys.stderr)
            return 2
    except TableError as error:
        print(f"table: {error.args[0]}", file=sys.stderr)
        return error.args[1]
    return 0


if __name__ == "__main__":
    sys.exit(main())
