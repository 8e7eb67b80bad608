# What each command is for: the help before its options. The options are the
# tables of the program; cli-agree.sh tests them.
orrery --version
orrery --help
orrery help
orrery -h | head -3; orrery graph -h | head -3
orrery platform --help
orrery histogram help
orrery sched help
orrery app --help
orrery graph --help
orrery evict --help
orrery run --help | sed '/:$/,$d'
orrery compare --help | sed '/:$/,$d'
orrery sweep --help | sed '/:$/,$d'
orrery merge --help | sed '/:$/,$d'
orrery results --help | sed '/:$/,$d'
orrery plot --help | sed '/:$/,$d'
orrery explain --help | sed '/:$/,$d'
orrery ablate --help | sed '/:$/,$d'
orrery explore --help | sed '/:$/,$d'
orrery replay --help | sed '/:$/,$d'
orrery shrink --help | sed '/:$/,$d'
orrery platform list --help | sed '/:$/,$d'
orrery platform show --help | sed '/:$/,$d'
orrery platform save --help | sed '/:$/,$d'
orrery platform check --help | sed '/:$/,$d'
orrery platform import --help | sed '/:$/,$d'
orrery platform detect --help | sed '/:$/,$d'
orrery platform new --help | sed '/:$/,$d'
orrery platform add-bandwidth --help | sed '/:$/,$d'
orrery platform add-kernels --help | sed '/:$/,$d'
orrery histogram build --help | sed '/:$/,$d'
orrery histogram show --help | sed '/:$/,$d'
orrery predict --help | sed '/:$/,$d'
orrery graph save --help | sed '/:$/,$d'
orrery graph show --help | sed '/:$/,$d'
orrery graph check --help | sed '/:$/,$d'
orrery graph convert --help | sed '/:$/,$d'
orrery graph generate --help | sed '/:$/,$d'
orrery sched list --help | sed '/:$/,$d'
orrery evict list --help | sed '/:$/,$d'
orrery app list --help | sed '/:$/,$d'
orrery app show --help | sed '/:$/,$d'
# The lists of options: with and without values, of several tables, of none.
orrery help sched new
orrery platform show --help | sed -n '/^Drawing:/,$p'
orrery help app new
# Help wins over what comes after it, not over mistakes before it.
orrery run --help --frobnicate | sed -n 1p
orrery run --frobnicate --help
