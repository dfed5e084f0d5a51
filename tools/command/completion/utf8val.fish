# SPDX-License-Identifier: GPL-2.0-only OR MIT
# fish completion for utf8val: commands, options and arguments are what --help says

function __utf8val_commands
    $argv[1] --help | string replace -rf '^  ([a-z]+) +(.*)' '$1\t$2'
end

function __utf8val_options
    set -l option '^  (?:-(?<letter>.), |    )--(?<name>[a-z0-9-]+)(?:\[?=(?<argument>[^] ]*)\]?)?(?: +(?<does>.*))?$'
    set -l before $argv[-1]
    set -l named $argv[2]
    $argv[1] $named --help | while read -l line
        string match -rq -- $option $line; or continue
        if test "$before" = "--$name" -a -n "$argument"
            string match -q '*|*' $argument; and string split '|' $argument
            test $argument = CHARSET; and iconv -l | string split ' ' | string trim -c /
        else if string match -q -- '-*' (commandline -ct)
            printf '%s\t%s\n' --$name $does
            test -n "$letter"; and printf '%s\t%s\n' -$letter $does
            string match -q '*|*' "$argument"
            and printf '%s\n' --$name=(string split '|' $argument)
        end
    end
end

set -l first 'test (count (commandline -opc)) -eq 1'
complete -c utf8val -f -n $first -a '(__utf8val_commands (commandline -opc))'
complete -c utf8val -n "not $first" -a '(__utf8val_options (commandline -opc))'
complete -c utf8val -n '__fish_seen_subcommand_from journal' -a 'list show prune'
