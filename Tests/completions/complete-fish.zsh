# SPDX-License-Identifier: MIT
# usage: zsh -f complete-fish.zsh SCRIPT FOLDER LINE   the last word of LINE, typed in FOLDER, after a press of Tab in fish
# At a terminal, for without one fish 3 tells a completion nothing of the cursor. It is zsh that has one to give.
zmodload zsh/zpty
result=$(mktemp)
zpty shell env TERM=dumb fish --no-config -i
zpty -w shell "
source $1
cd $2
function ended; commandline >$result; commandline ''; echo all-is""offered; end
bind \\cx ended
echo all-is""ready
"
zpty -r shell said '*all-isready*'
# What is typed while fish is still on its way to its prompt can be lost: then nothing stands there, not even what was typed.
repeat 5; do
  zpty -n -w shell "$3"$'\t\x18'
  zpty -r shell said '*all-isoffered*'
  print -r -- "$said" | grep -E 'Unknown command|Error' >&2
  line=$(<$result)
  [[ -z $line ]] || break
done
zpty -d shell
print -r -- ${${(s: :)line}[-1]}
rm $result
