#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Type a page's walk through `make rehearse` at its terminal, and compare what is
printed with what the page shows; TAP on standard output. The suites rehearse,
break-glass and monitoring call this.

The page's console blocks are typed in their order: after "$ " stands the command that
starts the machine, after "# " what is typed in it. The lines below have to be printed
in this order; "..." stands for any lines, and in a line for any text. Where the machine
asks for root's password, it is typed. journalctl is typed again until the page's lines
are printed, because records reach the journal a little later. With COVERED, a page,
each indented line of that page has to be among what is typed.

Usage: vm/image/walk.py PAGE LOG [COVERED]
"""

import os
import pathlib
import re
import sys
import time

import pexpect

PROMPT = r"root@[\w-]+:\S*# "
LOCKED = r"Press Enter to continue\."
# Debian 12: "Give root password for maintenance"; 13: "Enter root password for system ..."
PASSWORD = r"(?:(?:Give|Enter) root password|Press Enter) for (?:system )?maintenance\s+.*: $"
# how a terminal is told colours, titles and the end of a paste
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")
# for each command; a boot on a busy machine takes minutes
TIMEOUT = 1200


def steps(page):
    """[(prompt, command, [lines that it prints])] of the page."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.M | re.S):
        for line in block.splitlines():
            if re.match(r"[$#] ", line):
                found.append((line[0], line[2:], []))
            else:
                found[-1][2].append(line)
    return found


def pattern(lines):
    """The regular expression that a command's output has to match."""
    parts = [r"(?:.*\n)*" if line == "..." else
             ".*".join(re.escape(word) for word in line.split("...")) + r"\n" for line in lines]
    return re.compile("".join(parts))


def plain(text):
    """A terminal's text as lines; of a line that was written over, what is left."""
    lines = re.sub(r"\r+\n", "\n", ESCAPE.sub("", text)).split("\n")
    return "\n".join(line.rpartition("\r")[2] for line in lines)


def not_typed(page, walk):
    """The indented lines of a page, but comments and transcripts, that no command has."""
    page = re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S)
    typed = "\n".join(command for _, command, _ in walk)
    lines = [re.sub(r"(^|  +)# .*", "", line).strip()
             for line in re.findall(r"^    .*", page, re.M)]
    return [line for line in lines if line not in typed]


class Terminal:
    def __init__(self, log):
        self.log = log
        self.child = None

    def run(self, prompt, command):
        """Type a command. Returns: the output until the next prompt, or until the
        machine is off."""
        if prompt == "$":
            if self.child and self.child.isalive():
                self.child.send("\x01x")
                self.child.expect(pexpect.EOF)
            # lines as long as a page's are not wrapped
            self.child = pexpect.spawn(
                "/bin/sh", ["-c", command], encoding="utf-8", timeout=TIMEOUT,
                codec_errors="backslashreplace", dimensions=(50, 200),
                env={**os.environ, "DEPS": "no", "MAKEFLAGS": "-s"})
            self.child.logfile_read = self.log
        else:
            self.child.sendline(command)
        said = ""
        if command in ("reboot", "systemctl reboot"):
            # the shell goes on until it is stopped, too
            self.child.expect("reboot: Restarting system")
            said = self.child.before
        while True:
            which = self.child.expect([PROMPT, PASSWORD, LOCKED, pexpect.EOF])
            said += self.child.before
            if which == 1:
                said += self.child.after
                self.child.sendline("root" if "password" in self.child.after else "")
                continue
            if which == 3 and self.child.wait():
                said += f"\nended with {self.child.exitstatus}"
            # the first line is the command as it was typed
            return plain(said).partition("\n")[2]


def results(walk, log, covered):
    """(name, what is wrong) of each point."""
    if covered:
        yield f"each line of {covered} is typed", \
            not_typed(pathlib.Path(covered).read_text("utf-8"), walk)
    terminal = Terminal(log)
    for prompt, command, lines in walk:
        if prompt == "#" and not terminal.child.isalive():
            yield command, ["the machine has ended"]
            return
        begin = time.monotonic()
        said = terminal.run(prompt, command)
        while command.startswith("journalctl ") and not pattern(lines).fullmatch(said) \
                and time.monotonic() < begin + TIMEOUT:
            said = terminal.run(prompt, command)
        yield command, [] if pattern(lines).fullmatch(said) else \
            ["wanted:", *lines, "printed:", *said.splitlines()[-40:]]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    walk = steps(pathlib.Path(sys.argv[1]).read_text("utf-8"))
    count = failed = 0
    log_file = pathlib.Path(sys.argv[2])
    log_file.parent.mkdir(parents=True, exist_ok=True)
    with log_file.open("w", encoding="utf-8") as log:
        try:
            for name, wrong in results(walk, log, "".join(sys.argv[3:])):
                count += 1
                failed += bool(wrong)
                print(f"{'not ' if wrong else ''}ok {count} -",
                      name.replace("#", r"\#"), flush=True)
                for line in wrong:
                    print(f"# {line}")
        except pexpect.TIMEOUT:
            print(f"Bail out! no prompt within {TIMEOUT} s; {log.name} has all")
            return 1
    print(f"1..{count}")
    return 1 if failed or not walk else 0


if __name__ == "__main__":
    sys.exit(main())
