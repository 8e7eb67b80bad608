orrery sched list
orrery sched list --format json
orrery sched list --format csv
orrery app list
orrery app list --format json
orrery app list --format csv
orrery platform list
orrery platform list --format json
orrery platform list --format csv
