#!/bin/sh
# Programs that draw, and do it wrong: an old picture stays, and the message
# names the program and what is wrong.
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
bad=0
cd "$folder" || exit 1
mkdir bin

complain() {
    echo "FAIL: $*"
    bad=1
}

# Has a program be this script, runs a command, and compares the message.
draws() { # program, script, message, then the command
    printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
    message="$1: $3"
    shift 3
    for kind in svg png; do
        echo old >picture.$kind
        PATH=$folder/bin:$PATH "$orrery" "$@" picture.$kind >out 2>err
        [ "$(cat picture.$kind)" = old ] || complain "$*: the picture is replaced"
        grep -qF "$message" err || complain "expected $message: $(cat err)"
    done
    [ "$(ls)" = "bin
err
out
picture.png
picture.svg" ] || complain "something is left: $(ls)"
}

wrong='its output is not a complete'
for program in gnuplot dot; do
    if [ $program = dot ]; then
        set -- platform show attila --output
    else
        set -- compare cholesky --tiles 2 --sched dmda,eager --plot
    fi
    draws $program 'cat >/dev/null; echo "<html><body/></html>"' "$wrong" "$@"
    draws $program 'head -c 1; echo "<svg xmlns=\"http://www.w3.org/2000/svg\">"' \
        "$wrong" "$@"
    draws $program 'echo "out of colours" >&2; exit 1' 'out of colours' "$@"
    draws $program 'exec cat /dev/zero' 'it writes more than 64 MiB' "$@"
    draws $program 'kill -9 $$' 'it failed without a message' "$@"
done
exit $bad
