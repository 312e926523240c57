# tests/program/completion.zsh FILE: what zsh offers for achdgen (in PATH), asked in a terminal of its own.
zmodload zsh/zpty
failed=0 folder=$(mktemp -d)
cd $folder && mkdir robots && touch arm.urdf arm.lua arms.urdf notes.txt
zpty shell zsh --no-rcs -i
zpty -w shell "PROMPT= RPROMPT= LISTMAX=1000; unsetopt ZLE_BRACKETED_PASTE prompt_cr prompt_sp; autoload -U compinit && compinit -u -d $folder/.dump"
zpty -w shell "fpath=(${1:h} \$fpath); autoload -U _achdgen && compdef _achdgen achdgen; cd $folder; unset zle_bracketed_paste"
# What is offered, without what a terminal would show: compadd says it into a file.
zpty -w shell "compadd() { local -a offered; builtin compadd -O offered \"\$@\"; print -rl -- \$offered >>$folder/offered; builtin compadd \"\$@\" }; print RE'ADY'"
zpty -r -m shell answer '*READY*'

# offers LINE WANTED...
offers() {
  local line=$1 wanted
  local -a got
  shift
  wanted="${(j: :)${(o)@}}"
  rm -f offered
  zpty -w -n shell "$line"$'\t\C-A\C-Kprint DO\'NE\'\n' && zpty -r -m shell answer '*DONE*'
  got=(${(uo)${(f)"$(cat offered 2>/dev/null)"}})
  [[ "$got" == $wanted ]] || { print -r -- "$line offers: $got; not: $wanted" && failed=1 }
}
offers 'achdgen --lay' --layout
offers 'achdgen --f' --formulas --formulation --fsm --functions
offers 'achdgen --real ' double float
offers 'achdgen --real=f' float
offers 'achdgen --functions achd,j' jac jdqd
offers 'achdgen arm.urdf --batch ' 16 2 4 8
offers 'achdgen arm' arm.urdf arms.urdf
offers 'achdgen --layout a' arm.lua
zpty -d shell
rm -r $folder
exit $failed
