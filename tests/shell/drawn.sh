# shellcheck shell=sh
# For tests that try many like cases. Sanitizers make a case five to ten times as
# long, so that with them, unless test_length is full, test_seed chooses the cases.

# Whether a case is tried: always, or each Nth with sanitizers.
drawn() { # number of the case, N
    [ -z "${sanitizers-}" ] || [ "${test_length:-short}" = full ] ||
        [ $((($1 + ${test_seed:-0}) % $2)) -eq 0 ]
}
