# Completion of lanes in bash 4 or later: source this file, or put it into
# /usr/share/bash-completion/completions/lanes.
_lanes() {
    local line=${COMP_LINE:0:COMP_POINT} typed=${COMP_WORDS[COMP_CWORD]} lines words word before
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    # Bash replaces only what stands behind the last = or :.
    [[ $typed == [=:] ]] && typed=""
    before=${words[-1]%"$typed"}
    COMPREPLY=()
    lines=$'\n'$("${words[0]}" __complete "${words[@]:1}" 2> /dev/null) || return
    [[ ${lines##*$'\n'} == :0 ]] && compopt -o default 2> /dev/null
    while IFS= read -r word; do
        word=${word%%$'\t'*}
        word=${word#"$before"}
        [[ $word == *[[:space:]]* ]] && word=$(printf %q "$word")
        [[ -n $word ]] && COMPREPLY+=("$word")
    done <<< "${lines%$'\n'*}"
}
complete -F _lanes lanes
