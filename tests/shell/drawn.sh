# shellcheck shell=sh
# For tests that try many like cases: unless test_length is full, test_seed chooses
# among them.

# Whether a case is tried: each Nth.
sampled() { # number of the case, N
    [ "${test_length:-short}" = full ] ||
        [ $((($1 + ${test_seed:-0}) % $2)) -eq 0 ]
}

# The same, for cases of which all are tried without sanitizers, which make each five
# to ten times as long.
drawn() { # number of the case, N
    [ -z "${sanitizers-}" ] || sampled "$@"
}
