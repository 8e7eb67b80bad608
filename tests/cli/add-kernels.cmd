orrery platform add-kernels --help
# Samples and means are pooled; what was measured replaces what there was.
printf 'kernel,device,tile,precision,seconds,deviation,count\ngemm,GPU,2000,double,0.003,0,1\ngemm,GPU,2000,double,0.005,0,1\ngemm,CPU,2000,double,0.4,0.01,10\npotrf,CUDA1,1600,double,0.001,0,1\n' >times.csv; orrery platform add-kernels sirocco-v100 times.csv --output node.xml --source 'a benchmark'; grep -B1 -A2 'tile="2000"' node.xml; grep -c 'a benchmark' node.xml
orrery platform check node.xml | head -9
# A new kernel of one's own application.
printf 'family,kernel,device,tile,precision,seconds\nfmm,p2p,CPU,100,single,1e-3\n' >own.csv; orrery platform add-kernels sirocco-v100 own.csv | grep -A3 'family="fmm"'
# Measured in place of modelled; faster than the card.
printf 'kernel,device,tile,precision,seconds\ngemm,CUDA0,1600,double,1e-5\n' >fast.csv; orrery platform new --gpu v100 --output parts.xml; orrery platform add-kernels ./parts.xml fast.csv | grep -c '"CUDA0" mean'
# What is wrong.
orrery platform add-kernels sirocco-v100
orrery platform add-kernels sirocco-v10 times.csv
orrery platform add-kernels sirocco-v100 nowhere.csv
: >t.csv; orrery platform add-kernels sirocco-v100 t.csv
echo kernel,device,tile >t.csv; orrery platform add-kernels sirocco-v100 t.csv
echo kernel,device,tile,precision,seconds >head.csv; orrery platform add-kernels sirocco-v100 head.csv
(cat head.csv; echo gemm,CUDA9,960,single,1) >t.csv; orrery platform add-kernels sirocco-v100 t.csv
(cat head.csv; echo gemm,CPU,0,single,1) >t.csv; orrery platform add-kernels sirocco-v100 t.csv
(cat head.csv; echo gemm,CPU,960,half,1) >t.csv; orrery platform add-kernels sirocco-v100 t.csv
(cat head.csv; echo gemm,CPU,960,single,nan) >t.csv; orrery platform add-kernels sirocco-v100 t.csv
(cat head.csv; echo gemm,CPU,960,single,-1) >t.csv; orrery platform add-kernels sirocco-v100 t.csv
(cat head.csv; echo 'ge mm,CPU,960,single,1') >t.csv; orrery platform add-kernels sirocco-v100 t.csv
(cat head.csv; echo gemm,CPU,960,single) >t.csv; orrery platform add-kernels sirocco-v100 t.csv
orrery platform add-kernels sirocco-v100 times.csv --source "$(printf '\377')"
orrery platform new --description "$(printf 'two\nlines')"
# The sources of the other figures stay; those of kernels have a limit.
diff $abs_top_srcdir/platforms/sirocco-v100.xml node.xml | grep -c '[<>]   *<\(processors\|links\|routes\|calibration\|overheads\) source'
long=$(printf '%04000d' 1); for i in 1 2 3; do orrery platform add-kernels ./node.xml times.csv --source "$long$i" --output node.xml; done; orrery platform check node.xml | sed -n 1p; grep -c "\"${long}3\"" node.xml
