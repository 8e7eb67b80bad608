orrery app show gemm
orrery run gemm --platform attila --tiles 4 --cpus 0 --sched dmdas | sed -n '1,/evictions/p'
orrery run gemm --platform mirage --tiles 3x5 --tile 320 --cpus 2 --precision double --format csv | cut -d, -f1-10
orrery run gemm --platform sirocco-v100 --variant k --tiles 4x3x2 --tile 1600 --cpus 2 --format csv | cut -d, -f1-10
orrery run gemm --platform sirocco-v100 --depth 1600 --tiles 4x3 --tile 1600 --cpus 2 --format csv | cut -d, -f1-10
orrery run gemm --platform attila --tiles 2x1 --cpus 2 --trace gemm.csv >/dev/null && cut -d, -f2,14- gemm.csv
orrery compare gemm --platform idgraf --tiles 8x4,6 --sched lws,dmdar --gpus 2 --cpus 0 | tail -n +8
orrery compare gemm --platform attila --variant k --tiles 6x6x4 --sched lws,dmdar --gpus 2 --cpus 2 --gpu-memory 250MiB | tail -n +8
orrery run gemm --platform attila --precision double --tiles 8 --cpus 0 --gpu-memory 250MiB --format json | grep -E "makespan|evictions"
orrery ablate gemm --platform attila --tiles 6x6,4x9,3x12 --cpus 3 --degrade memory,network | tail -n +13
orrery ablate gemm --platform attila --tiles 6x6,4x9 --cpus 3 --degrade memory --format csv | cut -d, -f1-4
orrery graph save gemm --variant k --tiles 2x3x4 --tile 10 --output gemm.rec && orrery graph show gemm.rec
orrery graph save gemm --variant k --tiles 2x3x4 --output gemm.rec && orrery run gemm.rec --platform attila --cpus 2 --format csv | cut -d, -f1-6
orrery run gemm --platform attila --depth 5
orrery run gemm --platform hannibal
orrery run gemm --platform attila --tiles 1x2x3
orrery run gemm --variant k --depth 960
orrery run gemm --platform attila --gpu-memory 20MB
orrery run gemm --platform attila --tiles 0x2
orrery run gemm --tiles 1000000000x1000000000
