orrery app show qr
orrery run qr --tiles 5 --platform sirocco-v100 --tile 1600 --cpus 2 | sed -n '1,/evictions/p'
orrery run qr --tiles 6x2 --platform sirocco-v100 --tile 1600 --cpus 2 --precision double --format csv | cut -d, -f1-11
orrery run qr --tiles 2x6 --platform sirocco-v100 --tile 1600 --cpus 2 --halves whole --format csv | cut -d, -f1-11
orrery compare qr --tiles 2x4,6x2,2x6 --platform sirocco-v100 --tile 1600 --cpus 2 --sched eager --format csv | cut -d, -f1-3
orrery graph save qr --tiles 2x3 --output wide.rec
# Halves, whole tiles and factors have names.
orrery run qr --tiles 2 --platform sirocco-k40m --cpus 2 --trace qr.csv >/dev/null && cut -d, -f2,14- qr.csv
# The tile, if none is given, is one that was measured.
orrery run qr --platform sirocco-v100 --size 9600x3200 --cpus 2 --halves whole --format csv | cut -d, -f1-5
orrery compare cholesky --platform sirocco-p100 --sizes 2480,4960 --cpus 2 --sched eager --format csv | cut -d, -f1-5
orrery ablate lu --platform sirocco-rtx8000 --tiles 2 --cpus 2 --degrade memory --format csv | cut -d, -f1-2
orrery explore qr --platform sirocco-p100 --tiles 2 --cpus 1 --gpus 1 --budget 1 --format json | grep tile
orrery run qr --platform sirocco-v100 --tile 960
# A record of means with four GPUs is the run with means on two.
# In lock-step:
for f in csv rec; do orrery run qr --tiles 6 --platform sirocco-k40m --cpus 4 --trace four.$f >/dev/null; orrery run qr --tiles 6 --platform sirocco-k40m --cpus 4 --gpus 2 --sched eager --durations replayed --record four.$f | grep ^makespan; done; orrery run qr --tiles 6 --platform sirocco-k40m --cpus 4 --gpus 2 --sched eager | grep ^makespan
# In lock-step:
orrery compare qr --tiles 4 --platform sirocco-p100 --tile 1240 --sched eager,dmdas --cpus 3 | tail -n +3
orrery ablate qr --tiles 3 --platform sirocco-p100 --tile 1240 --cpus 3 | head -n 12
orrery graph save qr --tiles 8x4 --tile 3 --kernels tt --tree binary --output qr.rec && orrery graph show qr.rec
orrery run qr --kernels tt --platform sirocco-v100 --tile 1600
orrery run qr --platform mirage
orrery run qr --tree greedy --platform sirocco-v100 --tile 1600
orrery run qr --tree oak --kernels tt
orrery run qr --tree plasma:0
orrery run qr --inner 1000
orrery run qr --tiles 0x4
orrery run qr --tiles 1000000000
orrery run qr --tiles 4x4x4
orrery run qr --size 9600x1000
orrery run qr --size 9600x960 --tiles 10
# Domains of one row need no kernel for full tiles.
sed 's/"tpqrt"/"ttqrt"/; s/"tpmqrt"/"ttmqr"/' $abs_top_srcdir/platforms/sirocco-k40m.xml >tt.xml
orrery run qr --tree plasma:1 --tiles 4x2 --platform ./tt.xml --cpus 2 --format csv | cut -d, -f1-3
