# Machines other than the file's: what was changed is printed back.
orrery run cholesky --platform attila --tiles 4 --cpus 0 --gpus 4 --pcie 0.5x --set link.Host.bandwidth=5GBps --set 'kernel.gemm.CUDA*.scale=0.5' | sed -n 1,12p
orrery run cholesky --platform attila --tiles 4 --cpus 0 --gpus 4 --pcie 0.5x --stale-calibration --format json | grep -A 5 changes
orrery run cholesky --platform attila --tiles 4 --cpus 0 --gpus 4 --pcie 0.5x --nvlink=50GBps --format csv | grep -o 'gpus=[^,]*'
orrery compare cholesky --platform attila --tiles 4 --cpus 0 --gpus 4 --sched dmda,eager --set cores=30 | sed -n 1,5p
orrery run cholesky --platform attila --tiles 2 --cpus 20 --gpus 13 --format csv | grep -o 'gpus=[^,]*'
# What had no influence is said.
orrery run cholesky --platform attila --tiles 4 --cpus 0 --gpus 2 --set link.RAM-CUDA2.bandwidth=5GBps --set memory.CUDA0.size=24GB --set kernel.getrf.CUDA0.scale=2 --set overhead.host-pin=1us --stale-calibration --format json | grep -A 6 unused
orrery run cholesky --platform attila --tiles 4 --pcie 32GBps --nvlink 50GBps --set link.RAM-CUDA0.bandwidth=12GBps --gpu-memory 2GB --format csv | cut -d , -f 1-8
orrery compare cholesky --platform attila --tiles 4 --cpus 0 --gpus 1 --sched dmda,eager --set belief.RAM-CUDA0.bandwidth=1GBps --set link.CUDA0-CUDA1.latency=1ms --set memory.CUDA0.size=24GB --format csv | cut -d , -f 1-9
# More of what there is none of.
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/cpu-only.xml --gpus 1
# What names nothing, or is nothing.
orrery run cholesky --set link.Hots.bandwidth=5GBps
orrery run cholesky --set memory.CUDA3.size=5GB
orrery run cholesky --set overhead.sumbit=1us
orrery run cholesky --set 'kernel.gem.*.scale=2'
orrery run cholesky --set link.Host.bandwidth
orrery run cholesky --set link.Host.bandwidth=0GBps
orrery run cholesky --set link.Host.bandwidth=-1GBps
orrery run cholesky --set link.Host.bandwidth=5
orrery run cholesky --set link.Host.latency=-1us
orrery run cholesky --set Host.bandwidth=5GBps
orrery run cholesky --set cores=2
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/everything.xml --set cores=4
orrery run cholesky --set 'link.*.latency=80000s'
orrery run cholesky --set 'memory.*.size=1e12x'
orrery run cholesky --pcie fast
orrery run cholesky --pcie gen7x16
orrery run cholesky --nvlink 2x
orrery run cholesky --stale-calibration=yes
# The machine that options make, shown and saved.
orrery platform show attila --gpus 4 --pcie 0.5x --gpu-memory 512MiB | sed -n '1,22p;/^Between/,$p'
orrery platform show --platform dgx-h100 --gpus 2 --nvlink 2x --format json | grep -A 4 '"changes"'
orrery platform show --platform attila --cpus 4 --gpus 1 --format csv | grep '^\(changes\|cores\|gpus\|links.Host\)'
orrery platform show attila --output machine.pdf
orrery platform show attila --set link.Hots.latency=1us
orrery platform show attila --pcie 128GBps --format csv | grep changes
orrery platform save attila --cpus 2 --gpus 1 --pcie 0.5x --output mine.xml && sed -e "s|$abs_top_srcdir/||" -n -e '2,6p;/<cpu/p;/<gpu/p;/Host/p' mine.xml && orrery platform check mine.xml && orrery platform show ./mine.xml | sed -n 1,2p
orrery platform save attila --output no/such/folder.xml
orrery platform save nowhere --output mine.xml; ls
# A generation sets the slots, both ways, on machines with slower ones and with faster ones.
orrery platform show sirocco --pcie gen5x16 | sed -n '/^Links/,/^Routes/p'
orrery platform show dgx-h100 --gpus 1 --pcie gen3x8 | sed -n '/^Links/,/^Routes/p'
orrery platform show sirocco --pcie gen5x16 --pcie gen5x16 >shown
