# Runs that cannot finish: status 3, and who waits for whom.
orrery run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm
orrery run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm --format json >a.json; echo "=> $?"; sed -n '/"makespan_s"/,/"tasks"/p; /"hang"/,/"entries"/p; /"decisions"/,/}/p; /"waits"/,/}/p' a.json
orrery run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm --format csv 2>/dev/null | sed 's/.*,hang.kind/hang.kind/; s/.*,memory,false/memory,false/'
# A trace tells what happened until then.
orrery run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm --trace a.csv 2>/dev/null; head -n 2 a.csv; wc -l <a.csv
# As a graph.
orrery run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm --hang-graph a.dot 2>/dev/null; cat a.dot
orrery run cholesky --platform attila --tiles 2 --hang-graph b.dot >/dev/null; ls b.dot
orrery run cholesky --platform attila --tiles 2 --hang-graph a.jpg
orrery run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm --hang-graph no/such.dot
# In a comparison, the others go on.
orrery compare cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm,eager
orrery compare cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm,eager --format csv 2>/dev/null | sed 's/^\([a-z]*\),.*,\([^,]*,[^,]*\)$/\1,\2/'
orrery compare cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm,eager --format json 2>/dev/null >a.json; echo "=> $?"; sed '/"first_run"/,/^        }/d' a.json | grep -E '"(sched|kind|slowdown|hanging_replicas|hang|livelock)"'
orrery compare cholesky --platform attila --sizes 5760,15360 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm,eager
orrery compare cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm,eager --replicas 3 --perturb 0.05
orrery compare cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm
orrery ablate cholesky --platform attila --sizes 15360 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm --degrade pitch
# Data of a graph go by their coordinates, or else by their names in the file.
orrery graph save cholesky --tiles 16 --output h.rec; orrery run h.rec --platform attila --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm 2>&1 | head -n 3
sed '/^Coordinates/d; /^Name: A$/d; s/^Handle: \(.*\)/&\nName: tile_\1/' h.data.rec >named; mv named h.data.rec; orrery run h.rec --platform attila --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm 2>&1 | head -n 3
