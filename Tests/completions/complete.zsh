# SPDX-License-Identifier: MIT
# usage: zsh -f complete.zsh SCRIPT FOLDER LINE   what Tab offers at the end of LINE, typed in FOLDER
# A shell at a terminal of its own, whose compadd also writes down what it is given.
zmodload zsh/zpty
scripts=$(mktemp -d)
cp "$1" "$scripts/_${3%% *}"
zpty shell zsh -f -i
zpty -w shell "
PS1= fpath=($scripts \$fpath)
autoload -U compinit && compinit -u -D
zstyle ':completion:*' list-prompt ''
LISTMAX=1000
compadd() {
    if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        local -a hits
        builtin compadd -A hits \"\$@\"
        (( \$#hits )) && print -rl -- \$hits >>$scripts/offers
    fi
    builtin compadd \"\$@\"
}
ended() { print -n 'all-is'; print offered }
zle -N ended
bindkey '^X' ended
cd $2
print all-is''ready
"
zpty -r shell said '*all-isready*'
zpty -n -w shell "$3"$'\t\x18'
zpty -r shell said '*all-isoffered*'
zpty -d shell
print -r -- "$said" >$scripts/said
# What a script complains of stands among what is drawn.
grep -E 'command not found|no such file|bad (option|pattern|substitution)|parse error|not set' $scripts/said >&2
[[ -e $scripts/offers ]] && sort -u $scripts/offers
rm -r $scripts
