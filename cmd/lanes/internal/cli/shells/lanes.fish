# Completion of lanes in fish: put this file into ~/.config/fish/completions.
function __lanes_lines
    set -l words (commandline -opc)
    $words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null
end
function __lanes_words
    set -l lines (__lanes_lines)
    if test (count $lines) -gt 1
        printf '%s\n' $lines[1..-2]
    end
end
function __lanes_no_files
    test (__lanes_lines)[-1] = :4
end
complete -c lanes -n __lanes_no_files -f
complete -c lanes -a '(__lanes_words)'
