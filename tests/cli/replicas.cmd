# In lock-step:
orrery compare cholesky --platform attila --tiles 6 --sched dmdas,eager,random --perturb 0.2 --replicas 5
# In lock-step:
orrery compare cholesky --platform attila --tiles 6 --sched dmdas,eager,dmda --durations sampled --replicas 20
orrery compare cholesky --platform attila --cpus 0 --gpus 2 --tiles 4 --sched prio,dm --perturb 0.1 --seed 7 --replicas 3 --format json
orrery compare lu --platform mirage --cpus 0 --gpus 2 --tiles 4 --sched dmdar,dmda,ws --perturb 0.1 --replicas 3 --format csv
# Several sizes, with one replica and with some.
orrery compare lu --sizes 1920,960 --sched prio,dmdas
# In lock-step:
orrery compare cholesky --sizes 960:4000:1920 --sched prio,dmdas,random --replicas 4 --perturb 0.3
orrery compare lu --sizes 960,1920 --sched prio,dmdas --format csv | cut -d, -f 1-4
orrery compare lu --sizes 960,1920 --sched eager --format json | grep -E 'comparisons|"size"'
# The same in tiles, as a list or a range.
orrery compare lu --tiles 4,1:2 --sched dmda
orrery compare lu --tiles 2,1 --sched prio,dmdas
orrery compare lu --tiles 1:6:2 --sched eager --format csv | cut -d, -f 1-4
# Replica r is the run of that seed.
for r in 3 4 5; do orrery run lu --tiles 5 --perturb 0.2 --seed $r --format json; done | grep makespan_s | tr -d ' ,' | cut -d: -f2 | sort -g | sed -n '2s/^/median /p'; orrery compare lu --tiles 5 --perturb 0.2 --sched dmda --seed 3 --replicas 3 --format json | grep median | head -n 1
# Each of them is written on demand, those that hang too.
# In lock-step:
orrery compare lu --tiles 2,1 --perturb 0.2 --sched dmda,prio --seed 3 --replicas 2 --raw lu.csv --format json | grep -A 1 '"makespan_s": {' | grep mean; cat lu.csv
orrery compare cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm,eager --raw a.csv >/dev/null 2>&1; cat a.csv
# In lock-step:
orrery compare lu --tiles 3 --robustness 0,0.5 --sched prio --replicas 2 --raw r.csv >/dev/null 2>&1; cut -d, -f 10-14 r.csv
orrery compare lu --tiles 3 --sched prio --raw no/such.csv
# A policy that draws varies by itself; the others do not.
orrery compare lu --tiles 3 --sched random --replicas 2 --format json | grep -c replicas
orrery compare lu --tiles 3 --sched dmda,dmdas --replicas 2 --format json | grep verdict
# One replica is none in particular.
orrery compare lu --tiles 3 --sched dmda,dmdas --replicas 1 --format json | grep -A 1 pairs
# A plot, or why there is none.
orrery compare lu --tiles 3 --sched dmda --plot lu.gif
orrery compare lu --tiles 3 --sched dmda --plot ''
PATH=$(dirname "$(command -v orrery)") orrery compare lu --tiles 3 --sched dmda --plot lu.svg
orrery compare lu --tiles 3 --sched dmda --plot-width 4.9cm
orrery compare lu --tiles 3 --sched dmda --plot-width wide
orrery compare lu --tiles 3 --sched dmda --plot-width 1e9cm
orrery compare lu --tiles 3 --sched dmda --plot-width 12
# Its data, and what was measured.
# In lock-step:
orrery compare lu --tiles 1,2 --sched prio,dmdas --perturb 0.1 --replicas 3 --plot-data . --plot-title none --plot-width '12 cm' >/dev/null; cat speed.csv speed.gp; rm speed.*
printf 'policy,size,gflops\nprio,1920,150\n,1920,140\nnone,1920,1\nprio,960,1\n' >measured.csv
# In lock-step:
orrery compare lu --tiles 2 --sched dmdas,prio --overlay measured.csv --plot-data . >/dev/null; cat speed.csv; rm speed.*
printf 'size,makespan_s\n960,0\n' >wrong.csv; orrery compare lu --tiles 2 --sched dmda --overlay wrong.csv --plot-data .; ls speed.*
orrery compare lu --tiles 2 --sched dmda --overlay measured.csv
orrery compare lu --tiles 2 --sched dmda --overlay measured.csv --plot-data . --robustness 0,1
orrery compare lu --tiles 2 --sched dmda --overlay none.csv --plot-data .
orrery compare lu --tiles 2 --sched dmda --plot-data measured.csv/x; rm measured.csv wrong.csv
# What is not understood.
orrery compare lu --replicas 0
orrery compare lu --replicas 2.5
orrery compare lu --replicas 1000000 --sizes 960:96000:960
orrery compare lu --sizes 1000
orrery compare lu --sizes 2000,960
orrery compare lu --sizes 960:9600:1000
orrery compare lu --size 1500
orrery compare lu --tiles 2:1:1
orrery compare lu --tiles 2,x
orrery compare lu --tiles 2, --size 960
orrery compare lu --tiles 1,2 --sizes 960
orrery compare lu --tiles 1,2 --robustness 0
orrery compare lu --tiles 1:10000000000:1
orrery run lu --tiles 1,2
orrery compare lu --sizes 960:1920
orrery compare lu --sizes 960:1920:0
orrery compare lu --sizes 1920:960:960
orrery compare lu --sizes 960,,1920
orrery compare lu --sizes 960,-960
orrery compare lu --sizes 0
orrery compare lu --sizes 960,nan
orrery compare lu --sizes 960000000000000000000
orrery compare lu --sizes 960 --tiles 3
orrery compare lu --sizes 960 --size 960
orrery compare lu --tiles 3 --size 960
# More tasks than bounds are worth: two million tasks take seconds.
# At full length:
orrery compare cholesky --tiles 228 --window 1 --sched eager --platform attila --cpus 1 --gpus 0 --format json | grep -A 5 '"bounds"' | head -n 6
# As durations vary more; at 0 they are the means.
# In lock-step:
orrery compare cholesky --platform attila --tiles 5 --sched dmdas,eager --replicas 4 --robustness 0:0.5:0.25
# In lock-step:
orrery compare cholesky --platform attila --tiles 3 --sched dmdas,eager --replicas 3 --robustness 0,1 --format json | grep -E -A 16 '"spread"|robustness"'
# In lock-step:
orrery compare lu --tiles 4 --platform attila --sched dmda,lws --robustness 0.3 --replicas 2 --format csv | sed 's/"[^"]*"//' | cut -d, -f 1,23,25,26,34
orrery compare lu --tiles 3 --robustness 1:0:1
orrery compare lu --tiles 3 --robustness 0.1,x
orrery compare lu --tiles 3 --robustness -1
orrery compare lu --tiles 3 --robustness 0,11
orrery compare cholesky --platform attila --tiles 5 --sched dmdas --robustness 0 --format json | grep -A 1 '"makespan_s": {'; orrery run cholesky --platform attila --tiles 5 --sched dmdas --format json | grep makespan_s
orrery compare lu --sizes 960 --robustness 0
