# tests/program/completion.fish FILE: what fish offers for achdgen (in PATH).
source $argv[1]
set failed 0
cd (mktemp -d)
mkdir robots
touch arm.urdf arm.lua arms.urdf notes.txt 'my arm.urdf'

# offers LINE WANTED...: what is offered at its end is WANTED, in any order.
function offers
    set --local got (complete --do-complete $argv[1] | string replace --regex '\t.*' '' | sort)
    set --local wanted (printf '%s\n' $argv[2..] | sort)
    if test "$got" != "$wanted"
        echo "$argv[1] offers: $got; not: $wanted"
        set --global failed 1
    end
end

# All that --help names at the beginning of a line, found in another way than the completion does.
set every (achdgen --help | awk '/^  -/ { print $1 }')
test (count $every) -ge 16; or set failed 1
offers 'achdgen -' $every
offers 'achdgen --lay' --layout
offers 'achdgen --f' --formulas --formulation --fsm --functions
offers 'achdgen --real ' double float
offers 'achdgen --real=f' --real=float
offers 'achdgen --functions achd,j' achd,jac achd,jdqd
offers 'achdgen arm.urdf --batch ' 2 4 8 16
offers 'achdgen --snap ' 0 1
offers 'achdgen --name a'
offers 'achdgen arm' arm.urdf arms.urdf
offers 'achdgen ' arm.urdf arms.urdf 'my arm.urdf' robots/
offers 'achdgen my' 'my arm.urdf'
offers 'achdgen --layout=' --layout=arm.lua --layout=robots/
offers 'achdgen -o a' arm.lua arm.urdf arms.urdf
rm -r $PWD
exit $failed
