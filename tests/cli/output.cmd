# Full disk, no standard output: an error and status 1.
orrery --help >/dev/full
orrery sched list >/dev/full
orrery run cholesky --tiles 2 --format json >/dev/full
orrery compare cholesky --tiles 2 --sched dm,dmda >/dev/full
orrery platform show attila --format json >/dev/full
orrery run cholesky --tiles 2 >&-
orrery run cholesky --tiles 2 --trace a.csv >&-; head -n 1 a.csv; rm a.*
# A pipe that nobody reads any more: no error, and the status is that of SIGPIPE.
mkfifo closed; { read -r go <closed; orrery platform list; echo "=> $?" >&2; } | { exec <&-; echo go >closed; }; rm closed
# The same in the middle of a long output, of which the pipe holds a part.
{ orrery explain cholesky --tiles 30 --platform attila --format json; echo "=> $?" >&2; } | head -n 1
# Whoever ignores SIGPIPE is told.
trap '' PIPE; mkfifo closed; { read -r go <closed; orrery platform list; echo "=> $?" >&2; } | { exec <&-; echo go >closed; }; rm closed
# A mistake stays a mistake.
orrery run choleski >&-
# Without a standard error, nobody is told; the status still is.
orrery run choleski 2>&-
# A trace that does not fit on the disk leaves what was there.
echo old >a.csv; ulimit -f 1; orrery run cholesky --tiles 20 --platform attila --trace a.csv; echo "=> $?"; cat *; ls; rm a.csv
# Settings that change nothing are reported.
orrery run cholesky --tiles 2 --platform attila --seed 7 --format csv | wc -l
orrery run cholesky --tiles 2 --platform attila --seed 7 --sched random --format csv | wc -l
orrery run cholesky --tiles 2 --platform attila --gpus 0 --gpu-memory 1GiB | wc -l
orrery compare lu --tiles 2 --platform attila --gpu-memory 1GiB --model memory=off --format csv --sched dm | wc -l
# The text is the same each time, to the last byte; the time is on request.
orrery run lu --tiles 2 >first; orrery run lu --tiles 2 | cmp - first && tail -n 1 first; orrery explore lu --tiles 2 --gpus 1 --budget 5 >first; orrery explore lu --tiles 2 --gpus 1 --budget 5 | cmp - first && grep schedules, first; rm first
orrery run lu --tiles 2 --timing | tail -n 1
orrery explore lu --tiles 2 --gpus 1 --budget 5 --timing | grep distinct,
