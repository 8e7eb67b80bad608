# A run comes back from its token.
orrery run cholesky --tiles 3 --cpus 1 --gpus 1 --token token --format json | sed 4q
orrery replay @token --format json | sed 4q
orrery replay - <token --format csv | tail -n 1 | cut -c -40
cat token
orrery replay "$(cat token)" --trace a.csv | tail -n 1; ls
# So does one that hangs, which says its token.
orrery run cholesky --tiles 30 --cpus 0 --gpu-memory 60MiB 2>hang; echo "=> $?"; sed -n '1p;/repeat this run/p' hang | cut -c -51
orrery replay "$(sed -n 's/.*orrery replay //p' hang)" 2>&1 | head -n 1 | cut -c -63
# Twice the same.
orrery run cholesky --tiles 4 --twice --seed 3 --sched random --format json | sed 4q
orrery run cholesky --tiles 4 --twice --tile 100
# What is no token.
orrery replay
orrery replay token
orrery replay @nowhere
orrery replay @.
orrery replay @token @token
orrery replay ''
echo | orrery replay -
head -c 60 token | orrery replay -
tr A-Za-z a-zA-Z <token | sed 's/^ORR1/orr1/' | orrery replay -
orrery replay orr1-
orrery replay @token --tiles 4
orrery replay @token --trace no/such/folder.csv
orrery run cholesky --tiles 2 --token no/such/folder >out; echo "=> $?"
