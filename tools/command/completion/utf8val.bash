# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash
# bash completion for utf8val: commands, options and arguments are what --help says

_utf8val()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} line words="" argument=""
	local option='^  (-(.), |    )(--[a-z0-9-]+)(\[?=([^] ]*))?'

	COMPREPLY=()
	# bash makes three words of --option=argument
	[[ $prev == "=" ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
	[[ $cur == "=" ]] && cur=""
	if ((COMP_CWORD == 1)); then
		while read -r line; do
			[[ $line =~ ^([a-z]+)\  ]] && words+=" ${BASH_REMATCH[1]}"
		done < <("${COMP_WORDS[0]}" --help 2>/dev/null | grep '^  [a-z]')
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return
	fi
	while IFS= read -r line; do
		[[ $line =~ $option ]] || continue
		words+=" ${BASH_REMATCH[3]}"
		[[ $prev == "${BASH_REMATCH[3]}" ||
			$prev == "-${BASH_REMATCH[2]}" ]] &&
			argument=${BASH_REMATCH[5]}
	done < <("${COMP_WORDS[0]}" "$command" --help 2>/dev/null)
	case $argument in
	"" | FILE | JOURNAL)
		;;
	*"|"*)
		mapfile -t COMPREPLY < <(compgen -W "${argument//|/ }" -- "$cur")
		return
		;;
	CHARSET)
		mapfile -t COMPREPLY < <(compgen -W "CESU-8 MUTF-8 $(
			iconv -l 2>/dev/null | tr -d /)" -- "$cur")
		return
		;;
	DIR)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return
		;;
	*)
		return
		;;
	esac
	if [[ $cur == -* && -z $argument ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	elif [[ $command == journal ]] && ((COMP_CWORD == 2)); then
		mapfile -t COMPREPLY < <(compgen -W "list show prune" -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

complete -o filenames -F _utf8val utf8val
