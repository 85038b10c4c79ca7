# SPDX-License-Identifier: MIT
# usage: bash complete.bash SCRIPT FOLDER LINE   what Tab offers at the end of LINE, typed in FOLDER
set -uo pipefail
source "$1"
cd "$2"
read -ra words <<<"$3"
[[ $3 != *' ' ]] || words+=('')
function=$(complete -p "${words[0]}" | sed 's/.* -F \([^ ]*\) .*/\1/')
COMP_LINE=$3 COMP_POINT=${#3} COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1)) COMPREPLY=()
"$function" "${words[0]}" "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"
[[ -z ${COMPREPLY[*]} ]] || printf '%s\n' "${COMPREPLY[@]}"
