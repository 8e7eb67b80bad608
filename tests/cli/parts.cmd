orrery platform new -h
# A machine of parts is modelled, and runs.
orrery platform new --gpu v100:2 --cpu xeon-6142:2 --pcie gen3x16 --output node.xml; orrery platform check node.xml; head -30 node.xml
orrery run cholesky --platform ./node.xml --tiles 4 --tile 1600 --format json | grep -E '"(kernel_times|makespan_s)"'
# Slabs, which no such machine measured, are as fast as tiles at least.
orrery run gemm --tiles 8 --platform ./node.xml --tile 1600 --cpus 0 --format json | grep -E '"(kernel_times|makespan_s|gflops)"'
orrery run gemm --variant k --tiles 8x8x4 --platform ./node.xml --tile 1600 --cpus 0 --format json | grep -E '"(makespan_s|gflops)"'
# An A100 has the kernels of LU and QR of the V100, for want of its own.
orrery platform new --gpu a100-40:2 --output a100.xml; orrery platform check a100.xml; grep -A1 'name="tpmqrt"' a100.xml
for app in lu qr; do orrery run $app --tiles 6 --platform ./a100.xml --tile 1600 --cpus 4 --format json | grep -E '"(kernel_times|makespan_s)"'; done
orrery platform new --cpu epyc-9654 --name big --description 'no GPU' | sed -n '/<platform/,/<.processors/p'
orrery platform new --gpu a100-40:2 --nvlink 50GBps | grep -A1 '<link name'
# What is not possible.
orrery platform new --gpu a100
orrery platform new --gpu epyc-7742
orrery platform new --cpu v100
orrery platform new --gpu v100:32
orrery platform new --gpu v100:0
orrery platform new --gpu v100:31 --cpu xeon-e5-2680v3
orrery platform new --name 'a b'
orrery platform new --pcie 2x
orrery platform new --gpu v100 --output no/such/folder.xml
# Kernels of known devices.
sed -e 's/NVIDIA A30/NVIDIA A100-PCIE-40GB/g' -e 's/Gold 5418N/Gold 6248/g' $abs_top_srcdir/tests/hwloc/two-sockets.xml >known.xml; orrery platform detect --hwloc known.xml --model-kernels --output known-platform.xml; grep -A8 '<kernels' known-platform.xml; orrery platform check known-platform.xml
orrery platform detect --hwloc $abs_top_srcdir/tests/hwloc/two-sockets.xml --model-kernels | grep -c kernels
# Cards of one name: the peak of SXM2 is above that of PCIe; a Ti is not the card without.
printf 'kernel,device,tile,precision,seconds\ngemm,CUDA0,1600,double,1.09e-3\n' >peak.csv; for m in V100-PCIE-16GB V100-SXM2-16GB; do echo $m; sed "s/V100-PCIE-16GB/$m/" $abs_top_srcdir/platforms/sirocco-v100.xml >m.xml; orrery platform add-kernels ./m.xml peak.csv --output n.xml; done
for m in 'GeForce RTX 3090' 'GeForce RTX 3090 Ti' 'GTX TITAN X' 'TITAN X (Pascal)' 'NVIDIA H200' 'NVIDIA GH200 480GB' 'XH200'; do echo "$m"; sed "s/Tesla V100-PCIE-16GB/$m/" $abs_top_srcdir/platforms/sirocco-v100.xml >m.xml; orrery platform check m.xml 2>&1 | grep -o 'TFlop.*in all\|above the peak of the card, [0-9]*'; done
for g in h200 gh200 b200 rtx5090 l40s mi250x-gcd mi300x; do orrery platform new --gpu $g --cpu grace:1 --output g.xml && orrery platform check g.xml | sed -n 1p; grep -m2 -o 'device="CUDA0" peak="[^"]*"' g.xml; done
# A description that a platform file cannot hold.
orrery platform new --gpu v100 --description "$(printf '%04097d' 0)" --output long.xml; ls long.xml
orrery platform new --gpu v100 --description "$(printf '%04096d' 0)" --output long.xml && orrery platform check long.xml | sed -n 1p
