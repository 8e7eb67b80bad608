orrery sweep cholesky --tiles 3 --vary gpus=1:2 --vary sched=dmda,dmdas --output a.db; orrery results a.db --format csv | sed 's,[0-9]*\,$,,'
orrery sweep cholesky --tiles 3 --vary gpus=1:2 --vary sched=dmda,dmdas --output a.db; orrery results a.db | grep -v '^digest'
printf '[campaign]\napp=lu\noutput=b.db\nperturb=0.1\n[vary]\nsched=dmda;dmdas\ntiles=1:9:2\n' >b.ini; orrery sweep b.ini --vary tiles=3:4 --where 'tiles<4 or sched!=dmda' --replicas 2 --seed 5; orrery results b.db --format json | grep -E '"(point|replica|tiles|sched|seed|makespan_s)"'
orrery sweep cholesky --tiles 3 --vary gpus=1,x,2 --vary cpus=0 --output c.db; orrery results c.db --format csv | sed 's/,cholesky.*precision=/.../' | cut -d , -f 1-6
orrery sweep cholesky --vary sched=dmda --output a.db; orrery sweep cholesky --vary sched=dmda --restart --output a.db
orrery sweep cholesky --vary gpu=1,2 --output d.db; orrery sweep cholesky --vary link.*.bandwith=1x --output d.db; orrery sweep cholesky --vary gpus=1 --vary gpus=2 --output d.db; orrery sweep cholesky --gpus 2 --vary gpus=1 --output d.db
orrery sweep lu --tiles 2 --vary app=lu,cholesky --output d.db
orrery sweep cholesky --vary gpus=3:1 --output d.db; orrery sweep cholesky --vary gpus=1:3:0 --output d.db; orrery sweep cholesky --vary gpus=1: --output d.db; orrery sweep cholesky --vary gpus= --output d.db; orrery sweep cholesky --vary gpus --output d.db; orrery sweep cholesky --vary pcie=1x:2GBps --output d.db; orrery sweep cholesky --vary gpus=1,1 --output d.db
orrery sweep cholesky --vary seed=0:99999999 --vary gpus=1,2 --output d.db; orrery sweep cholesky --vary seed=0:99999999999999999 --vary window=0:99999999999999999 --output d.db
orrery sweep cholesky --vary gpus=1,2 --where 'gpus>2' --output d.db; orrery sweep cholesky --vary gpus=1,2 --where 'gpu>2' --output d.db; orrery sweep cholesky --vary sched=lws --where 'sched>dmda' --output d.db; orrery sweep cholesky --vary gpus=1,2 --where 'gpus=1 or (gpus' --output d.db; orrery sweep cholesky --vary gpus=1,2 --where 'gpus=1 gpus=2' --output d.db
orrery sweep cholesky --vary gpus=1,2; orrery sweep cholesky --tiles 2,3 --output d.db; ls d.db
orrery results a.ini; echo text >e.db; orrery results e.db; orrery sweep lu --output e.db; orrery results .; : >f.db; orrery results f.db
orrery sweep absent.ini; printf '[campaign]\nplatform\n' >g.ini; orrery sweep g.ini; printf '[campaing]\n' >g.ini; orrery sweep g.ini; printf '[campaign]\napp=lu\noutpt=x\n' >g.ini; orrery sweep g.ini
orrery sweep lu --tiles 2 --vary gpus=1:3 --vary sched=dmda,dm --where 'not (gpus=2 and sched=dm)' --replicas 2 --perturb 0.1 --dry-run | sed 's/^about.*/about/'
orrery sweep lu --tiles 2 --vary gpus=0:8 --shard 8/8 --output h.db; orrery sweep lu --tiles 2 --vary gpus=0:8 --shard 8 --output h.db; orrery sweep lu --tiles 2 --vary gpus=0:8 --shard auto --output h.db; SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=3 orrery sweep lu --tiles 2 --vary gpus=0:8 --shard auto --output h.db
orrery sweep lu --tiles 2 --vary gpus=0:8 --shard 0/3 --output h.db; orrery merge h.db h.0-of-3.db h.2-of-3.db; orrery merge h.db h.0-of-3.db h.0-of-3.db h.2-of-3.db; orrery merge h.0-of-3.db h.2-of-3.db; orrery merge h.db b.db; orrery merge h.db
orrery sweep lu --vary gpus=0:8 --vary sched=dmda,dm --where 'gpus<=4' --perturb 0.1 --output 'my campaign.db' --emit slurm --shards 2 --threads 4
orrery sweep lu --vary gpus=0:8 --output h.db --emit parallel --shards 3; orrery sweep lu --vary gpus=1 --output h.db --emit pbs
orrery sweep lu --tiles 2 --output absent/a.db
orrery sweep lu --tiles 3 --vary 'window="5:20";10' --where 'window!=10' --output w.db; orrery results w.db --format csv | cut -d , -f 1-5; orrery sweep lu --vary 'window="5:20' --output w.db; orrery sweep --vary 'app="lu",qr' --tiles 3 --output w.db --emit parallel
orrery sweep lu --tiles 2 --vary gpus=x,1,y --dry-run | sed 's/by 3 runs of .* s each/by 3 runs/;s/^about .* threads*,/about/'; orrery sweep lu --tiles 2 --vary gpus=x,y --dry-run >/dev/null
orrery merge i.db --shards 3; orrery sweep lu --tiles 2 --vary gpus=0:8 --shard 0/3 --output i.db; orrery merge i.db --shards 3; for i in 1 2; do orrery sweep lu --tiles 2 --vary gpus=0:8 --shard $i/3 --output i.db; done; orrery merge i.db --shards 3; orrery merge i.db --shards 100; orrery merge i.db h.0-of-3.db --shards 3; orrery merge i.db --shards 0
