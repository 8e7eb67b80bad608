# Reports that cannot be written; those that can are in tests/shell/report.sh.
orrery run cholesky --tiles 2 --report a.svg
orrery compare cholesky --tiles 2 --report html
orrery compare cholesky --tiles 2,4 --report a.html
orrery run cholesky --tiles 2 --report .
orrery run cholesky --tiles 2 --report no/such.html
orrery explore cholesky --tiles 2 --report a.html
