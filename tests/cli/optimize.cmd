# The best of several settings. Nothing is random at first.
orrery sweep cholesky --size 3840 --optimize makespan --over tile=320,640,960 --over sched=dmda,dmdas
orrery sweep cholesky --size 9600 --cpus 0 --perturb 0.2 --optimize makespan --over tile=640,960 --over sched=dmda,dmdap,dmdas --replicas 8
orrery sweep cholesky --size 3840 --perturb 0.1 --optimize makespan --over sched=dm,dmda --replicas 4 --seed 7 --format csv
orrery sweep cholesky --size 3840 --optimize makespan --over tile=960,1000,777 --over gpus=1,2 --where 'gpus=2 or tile=960'
orrery sweep lu --tiles 4 --optimize makespan --over tile=960
# What is compared should be the same work, and have the objective.
orrery sweep cholesky --tiles 4 --optimize makespan --over tile=320,960
orrery sweep cholesky --tiles 4 --platform hannibal --optimize energy --over sched=dmda,dmdas
# Requests that are not understood.
orrery sweep cholesky --optimize speed --over sched=dmda; orrery sweep cholesky --optimize makespan; orrery sweep cholesky --optimize makespan --vary sched=dmda
orrery sweep cholesky --over sched=dmda; orrery sweep cholesky --optimize makespan --over sched=dmda --output a.db; orrery sweep cholesky --optimize makespan --over sched=dmda --dry-run
orrery sweep cholesky --optimize makespan --over gpus=3:1; orrery sweep cholesky --optimize makespan --over gpu=1 2>&1 | sed 's/; there are.*//'; orrery sweep cholesky --optimize makespan --over seed=0:99999999
orrery sweep cholesky --optimize makespan --over gpus=1,2 --where 'gpus>2'
