orrery --version
orrery --help
orrery help
orrery run --help
orrery help compare
orrery -h | head -3; orrery graph -h | head -3
orrery ablate --help
orrery explore --help
orrery platform --help
orrery platform list --help
orrery help platform show
orrery platform check --help
orrery histogram help
orrery help histogram build
orrery histogram show --help
orrery sched help
orrery sched list --help
orrery help sched new
orrery app --help
orrery app list --help
orrery app show --help
orrery app new --help
# Help wins over what comes after it, not over mistakes before it.
orrery run --help --frobnicate | sed -n 1p
orrery run --frobnicate --help
