# SPDX-License-Identifier: GPL-2.0-only OR MIT
# fish completion for utf8val

set -l commands check scan fix trace show mount

set -l none "not __fish_seen_subcommand_from $commands"
complete -c utf8val -f -n $none -a check -d "is this text UTF-8? where not, and why?"
complete -c utf8val -f -n $none -a scan -d "names that are not UTF-8"
complete -c utf8val -f -n $none -a fix -d "rename them, and undo that"
complete -c utf8val -f -n $none -a trace -d "the automaton at work, byte by byte"
complete -c utf8val -f -n $none -a show -d "code points, their bytes and other forms"
complete -c utf8val -f -n $none -a mount -d "what the kernel enforces here"

set -l in "__fish_seen_subcommand_from check"
complete -c utf8val -n $in -s a -l all -d "every ill-formed sequence"
complete -c utf8val -n $in -l form -x -a "utf-8 cesu-8 mutf-8 ucs-4" -d "which form of UTF-8"
complete -c utf8val -n $in -s r -l recursive -d "files under directories"
complete -c utf8val -n $in -s l -l files-with-errors -d "only names of bad files"
complete -c utf8val -n $in -s L -l follow -d "follow symbolic links"

set -l in "__fish_seen_subcommand_from scan"
complete -c utf8val -n $in -s L -l follow -d "follow symbolic links"
complete -c utf8val -n $in -l no-guess -d "do not say what names probably are"

set -l in "__fish_seen_subcommand_from fix"
complete -c utf8val -n $in -l apply -d "rename"
complete -c utf8val -n $in -l from -x -d "the charset of the names"
complete -c utf8val -n $in -l guess -d "go by the guess that scan shows"
complete -c utf8val -n $in -l sure -x -a "possible likely certain" -d "how sure guesses must be"
complete -c utf8val -n $in -l replace -d "replace by U+FFFD"
complete -c utf8val -n $in -l escape -d "write as %XX"
complete -c utf8val -n $in -l shorten -d "cut names that become too long"
complete -c utf8val -n $in -l journal -r -d "where to keep the journal"
complete -c utf8val -n $in -l batch -x -d "names per synchronisation"
complete -c utf8val -n $in -l undo -r -d "give the names of a journal back"
complete -c utf8val -n $in -s n -l dry-run -d "rename nothing"

set -l in "__fish_seen_subcommand_from check scan fix"
complete -c utf8val -n $in -s 0 -l null -d "exact bytes, ended by NUL"
complete -c utf8val -n $in -l json -d "one JSON object a line"
complete -c utf8val -n $in -s q -l quiet -d "no output but errors"
complete -c utf8val -n $in -l cross-devices -d "enter other file systems"
complete -c utf8val -n $in -s j -l threads -x -d "directories read at a time"

set -l in "__fish_seen_subcommand_from trace show"
complete -c utf8val -n $in -s x -l hex -d "hexadecimal digits"
complete -c utf8val -n $in -s t -l text -d "text"

set -l in "__fish_seen_subcommand_from mount"
complete -c utf8val -n $in -s a -l all -d "mounts without utf8val= too"
complete -c utf8val -n $in -s s -l stats -d "what was checked and refused"
complete -c utf8val -n $in -l sysroot -r -d "another system's /proc and /sys"

set -l in "__fish_seen_subcommand_from check scan fix trace show mount"
complete -c utf8val -n $in -s h -l help -d "show help"
complete -c utf8val -n $in -l usage -d "show a short usage message"
complete -c utf8val -n $in -s V -l version -d "show the version"
