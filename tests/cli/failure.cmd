# What is understood but cannot be done: status 1.
orrery run cholesky --platform ./nowhere.xml
orrery run cholesky --platform /
echo '<platform' >broken.xml; orrery run cholesky --platform ./broken.xml
orrery compare cholesky --platform ./broken.xml --sched dm,dmda
orrery platform show ./broken.xml
orrery run cholesky --platform attila --cpus 100000
orrery run cholesky --platform attila --cpus 10 --gpus 3 --set cores=12
orrery run cholesky --platform attila --gpus 32
orrery run cholesky --platform attila --cpus 0 --gpus 0
orrery run cholesky --platform attila --tile 100
orrery run lu --platform attila --tile 100
orrery run cholesky --platform attila --precision double
orrery run cholesky --platform attila --gpu-memory 1MiB
orrery run cholesky --platform attila --gpu-memory 8MiB --cpus 0 --tiles 4
orrery run cholesky --tiles 669
orrery run lu --tiles 1000000 --window 100
orrery run lu --tiles 1000000000
orrery run lu --size 960000000000000
orrery run cholesky --tiles 2 --trace no/such/folder.csv
mkfifo pipe.csv; orrery run cholesky --tiles 2 --trace pipe.csv; echo "=> $?"; rm pipe.csv
# Nothing is left of a trace when the run fails.
orrery run cholesky --platform attila --tile 100 --trace a.csv; ls
