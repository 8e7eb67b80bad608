# Gantt charts that cannot be drawn; those that can are in tests/shell/gantt.sh.
orrery run cholesky --tiles 2 --gantt a.jpg
orrery compare cholesky --tiles 2 --gantt a
orrery run cholesky --tiles 2 --gantt-width 1cm
orrery compare cholesky --tiles 2,4 --gantt a.svg
PATH=/nowhere $abs_top_builddir/orrery run cholesky --tiles 2 --gantt a.svg; echo "=> $?"
