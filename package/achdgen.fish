# fish completion of achdgen: options, files, and the words that options take; all from the program itself.

# The words that an option takes, as achdgen says them when it is given another.
function __achdgen_words --argument-names option
    achdgen $option '?' 2>&1 | string replace --filter --regex -- "^ *remedy: write $option " '' | string split -- ' or '
end

# Folders, and the files whose names end in one of these ways.
function __achdgen_files
    set --local word (commandline --current-token | string replace --regex -- '^--[a-z-]+=' '')
    for name in (string unescape -- $word)*
        if test -d $name
            echo $name/
            continue
        end
        for suffix in $argv
            string match --quiet -- "*$suffix" $name; and echo $name
        end
    end
end

complete --command achdgen --no-files
complete --command achdgen --arguments '(__achdgen_files .urdf .xml .sdf)'

# The options with their values and the first line of what is said of them: `  --layout FILE.lua   what to constrain`, as --help writes them.
for line in (achdgen --help 2>/dev/null)
    set --local found (string match --regex -- '^ +(--?)([a-zA-Z][a-z0-9-]*) ((?:[A-Z][^ ]*|0\|1)?) *(.*)$' $line)
    or continue
    set --local kind --long-option
    test $found[2] = -; and set kind --old-option
    test (string length -- $found[2]$found[3]) = 2; and set kind --short-option
    set --local value
    switch "$found[4]"
        case ''
        case 'FILE*'
            set value --exclusive --arguments "(__achdgen_files '"(string replace FILE '' -- $found[4])"')"
        case NAME
            set value --exclusive
        case LIST
            set value --exclusive --arguments "(__fish_complete_list , '__achdgen_words $found[2]$found[3]')"
        case '*'
            set value --exclusive --arguments "(__achdgen_words $found[2]$found[3])"
    end
    complete --command achdgen $kind $found[3] --description "$found[5]" $value
end
