# Every schedule of a policy that is right finishes.
orrery explore cholesky --tiles 3 --platform attila --cpus 2 --gpus 2 --sched eager --budget 100 | sed -e 's/[0-9]* distinct/N distinct/' -e '/^pct: /,/found[.]$/d'
orrery explore lu --tiles 2 --platform attila --cpus 1 --gpus 1 --sched dmdas --budget 40 --strategy pct --seed 3 --format json | sed -e 's/"with prob.*"/"..."/' -e 's/"distinct": .*/"distinct": N,/'
orrery explore lu --tiles 2 --platform attila --cpus 1 --gpus 1 --sched ws --budget 40 --strategy delay --threads 1 --all --format csv | sed 's/^distinct,.*/distinct,N/'
# Of products and of QR, with data in parts.
orrery explore gemm --tiles 2x1 --platform attila --cpus 1 --gpus 1 --sched dmdar --strategy dfs --budget 100000 | tail -n 2 | sed "s/these [0-9][0-9]*/these N/"
orrery explore qr --tiles 2 --platform sirocco-k40m --cpus 1 --gpus 1 --sched lws --budget 40 | sed -e 's/[0-9]* distinct/N distinct/' -e '/^pct: /,/found[.]$/d' | tail -n +9
# One schedule: the default.
orrery explore cholesky --tiles 1 --platform attila --cpus 1 --gpus 0 --budget 1 | tail -n 6
# So few that all are tried. What changes is how many, should the simulator have more to decide.
orrery explore cholesky --tiles 1 --platform attila --cpus 1 --gpus 1 --strategy dfs --budget 100000 | tail -n 2 | sed 's/these [0-9][0-9]*/these N/'
# Real time instead of schedules; the last of several wins.
orrery explore cholesky --tiles 2 --platform attila --budget 7 --budget 20ms --format json | grep -c -e '"budget_schedules": null' -e '"budget_s": 0.02'
# Mistakes.
orrery explore
orrery explore cholesky --strategy luck
orrery explore cholesky --budget 0
orrery explore cholesky --budget 0s
orrery explore cholesky --budget much
orrery explore cholesky --budget 99999999999
orrery explore cholesky --threads 0
orrery explore cholesky --sched dmda,eager
orrery explore cholesky --sched ./absent.so
orrery explore cholesky --tiles 10000 --platform attila
orrery explore cholesky --tile 961 --platform attila --tiles 2
