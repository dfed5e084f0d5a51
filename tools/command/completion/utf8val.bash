# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash
# bash completion for utf8val

_utf8val()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local common="--help --usage --version" options

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W \
			"check scan fix journal trace show mount guard" -- "$cur")
		return
	fi
	case $prev in
	--form)
		mapfile -t COMPREPLY < <(compgen -W \
			"utf-8 cesu-8 mutf-8 ucs-4" -- "$cur")
		return
		;;
	--sure)
		mapfile -t COMPREPLY < <(compgen -W \
			"possible likely certain" -- "$cur")
		return
		;;
	--guessed)
		mapfile -t COMPREPLY < <(compgen -W "$(
			iconv -l 2>/dev/null | tr -d /)" -- "$cur")
		return
		;;
	--from)
		mapfile -t COMPREPLY < <(compgen -W "CESU-8 MUTF-8 $(
			iconv -l 2>/dev/null | tr -d /)" -- "$cur")
		return
		;;
	--journal | --undo | --plan | --files0-from)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--sysroot)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return
		;;
	--threads | --batch | -j | --exclude | --max-depth | --depth | --days)
		return
		;;
	esac
	case ${COMP_WORDS[1]} in
	check)
		options="--all --form --recursive --files-with-errors --null
			--json --quiet --follow --cross-devices --threads
			--exclude --files0-from --max-depth --invert
			--skip-binary --warn"
		;;
	scan)
		options="--null --json --quiet --follow --cross-devices
			--threads --no-guess --exclude --files0-from
			--max-depth --mojibake --names --normalization
			--portable --unsafe --damaged --tabs --summary --depth"
		;;
	fix)
		options="--apply --from --guess --guessed --sure --replace --escape
			--shorten --journal --batch --undo --dry-run --null
			--json --quiet --cross-devices --threads
			--exclude --files0-from --max-depth --interactive
			--last --mojibake --normalization --plan --portable
			--trust-names --app-data --no-lock --touch"
		;;
	journal)
		options="--days --dry-run --json --null --undone"
		;;
	trace | show)
		options="--hex --text"
		;;
	mount)
		options="--all --json --persist --stats --sysroot"
		;;
	guard)
		options="--anyway --fstab"
		;;
	*)
		return
		;;
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options $common" -- "$cur")
	elif [[ ${COMP_WORDS[1]} == journal ]] && ((COMP_CWORD == 2)); then
		mapfile -t COMPREPLY < <(compgen -W "list show prune" -- "$cur")
	elif [[ ${COMP_WORDS[1]} == guard ]] && ((COMP_CWORD == 2)); then
		mapfile -t COMPREPLY < <(compgen -W \
			"enforce start stop status set log" -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

complete -o filenames -F _utf8val utf8val
