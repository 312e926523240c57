# shellcheck shell=bash
# bash completion of achdgen: options, files, and the words that options take; all from the program itself.

# The options that take a value: `--layout FILE.lua`, as --help writes them.
_achdgen_value_of() { # COMMAND OPTION
  "$1" --help 2>/dev/null | sed -n "s/^  $2 \([A-Z][^ ]*\|0|1\)  .*/\1/p"
}

# The words that an option takes, as achdgen says them when it is given another.
_achdgen_words() { # COMMAND OPTION
  "$1" "$2" '?' 2>&1 | sed -n "s/^ *remedy: write $2 //p" | sed 's/ or /\n/g'
}

# Files whose names end in one of these ways, and folders.
_achdgen_files() { # WORD SUFFIX...
  compopt -o filenames
  local name suffix word=$1
  shift
  while IFS= read -r name; do
    for suffix; do
      [[ -d $name || $name == *"$suffix" ]] || continue
      COMPREPLY+=("$name")
      break
    done
  done < <(compgen -f -- "$word")
}

_achdgen() {
  local command=$1 word=$2 option=$3 value
  COMPREPLY=()
  # --option=value comes as three words
  if [[ $word == = ]]; then
    word=
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ $option == -* ]]; then
    value=$(_achdgen_value_of "$command" "$option")
    case $value in
    '') ;;
    FILE*)
      _achdgen_files "$word" "${value#FILE}"
      return
      ;;
    NAME) return ;;
    LIST) # separated by commas
      local before=
      [[ $word != *,* ]] || before=${word%,*},
      mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_achdgen_words "$command" "$option")" -- "${word##*,}")
      compopt -o nospace
      return
      ;;
    *)
      mapfile -t COMPREPLY < <(compgen -W "$(_achdgen_words "$command" "$option")" -- "$word")
      return
      ;;
    esac
  fi
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$command" --help 2>/dev/null |
      sed -n 's/^  \(--*[a-zA-Z][a-z0-9-]*\) .*/\1/p')" -- "$word")
  else
    _achdgen_files "$word" .urdf .xml .sdf
  fi
}
complete -F _achdgen achdgen
