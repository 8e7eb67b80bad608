orrery explain cholesky --tiles 8 --platform attila --scale gpus=1:3 --extrapolate 8
orrery explain cholesky --tiles 8 --platform attila --scale gpus=1:3:2 --extrapolate 8 --format csv
orrery explain cholesky --tiles 4 --platform attila --scale cpus=1,2,4 --extrapolate 401 --format json 2>&1 | sed -n '1p;/"scale"/,/"a0"/p'
orrery explain lu --tiles 2 --platform attila --scale gpus=1:3 --plot factors.svg --extrapolate 2
orrery explain cholesky --tiles 2 --platform attila --scale gpus
orrery explain cholesky --tiles 2 --platform attila --scale gpu=1:2
orrery explain cholesky --tiles 2 --platform attila --scale gpus=0:2
orrery explain cholesky --tiles 2 --platform attila --scale gpus=2,1
orrery explain cholesky --tiles 2 --platform attila --scale gpus=1.5
orrery explain cholesky --tiles 2 --platform attila --scale gpus=32
orrery explain cholesky --tiles 2 --platform attila --extrapolate 8
orrery explain cholesky --tiles 2 --platform attila --scale gpus=1:3 --trace t.csv
orrery explain cholesky --tiles 16 --platform attila --cpus 0 --gpu-memory 32MiB --sched dm --scale gpus=1:2 2>&1 | head -n 3
orrery explain cholesky --tiles 2 --platform attila --scale gpus=1:3 --gpus 2
orrery explain cholesky --tiles 2 --platform attila --scale cpus=1:3 --cpus 2
