orrery platform add-bandwidth --help
# Two switches' worth of GPUs: rates, wiring, what is assumed, where it is from.
ln -s $abs_top_srcdir/tests/fuzz/bandwidth/four.json $abs_top_srcdir/tests/fuzz/bandwidth/four.txt .; orrery platform new --gpu a100-40:4 --output parts.xml; orrery platform add-bandwidth ./parts.xml four.json --topo four.txt --source 'nvbandwidth, 3 May' --output node.xml
grep -e '<link' -e '<routes' -e '<calib' node.xml; grep -A6 'from="RAM" to="CUDA3"' node.xml; grep -A6 'route from="CUDA0" to="CUDA[12]"' node.xml; grep -c 'peer="yes"' node.xml
orrery platform check node.xml | sed -n 1p; orrery run cholesky --tiles 4 --platform ./node.xml | sed -n 1p
# Without the wiring; without copies between GPUs; without latencies in the file.
orrery platform add-bandwidth ./parts.xml four.json | grep -e '<link .*\(host\|slot\)' -e '<routes'
grep -v '^$' four.json | sed '/device_to_device/s/"device/"x/' >host.json; orrery platform add-bandwidth ./parts.xml host.json --topo four.txt | grep -c '<route from="CUDA[0-3]" to="CUDA'
orrery platform detect --hwloc $abs_top_srcdir/tests/hwloc/two-switches.xml --output bare.xml 2>/dev/null; orrery platform add-bandwidth ./bare.xml four.json | grep -e uncalibrated= -e '<links'
# Implausible, and against the wiring.
sed 's/NV4/SYS/g' four.txt >sys.txt; sed 's/"2[34]\(\.[0-9]\)*"/"2400"/g' four.json >fast.json; orrery platform add-bandwidth ./parts.xml fast.json --topo sys.txt >/dev/null
# What is wrong, with its place.
orrery platform add-bandwidth ./parts.xml
orrery platform add-bandwidth ./parts.xml nowhere.json
orrery platform add-bandwidth attila four.json
orrery platform new --name bare --output cpu.xml; orrery platform add-bandwidth ./cpu.xml four.json
bad() { orrery platform add-bandwidth ./parts.xml bad.json >/dev/null; }; : >bad.json; bad; echo '[]' >bad.json; bad; echo '{"nvbandwidth":{"testcases":[{"name":"host_to_device_memcpy_ce","status":"Passed"}]}}' >bad.json; bad
bad() { sed "$1" four.json >bad.json; orrery platform add-bandwidth ./parts.xml bad.json >/dev/null; }; bad '0,/"26.2"/s//"N\/A"/'; bad '0,/"26.2"/s//"nan"/'; bad '0,/"26.2"/s//"-1"/'; bad '0,/"26.2"/s//"1e300"/'; bad '0,/"26.2"/s//[]/'
bad() { sed "$1" four.json >bad.json; orrery platform add-bandwidth ./parts.xml bad.json >/dev/null; }; bad '0,/"93.2"/s//"9.32"/'; bad '0,/"26.2",/s///'; bad 's/all_to_host/host_to_all/'; bad 's/"Passed"/"Error"/'; bad '$d'
bad() { sed "$1" four.txt >bad.txt; orrery platform add-bandwidth ./parts.xml four.json --topo bad.txt >/dev/null; }; bad '2s/NV4/NVX/'; bad '2s/NV4/SYS/'; bad '2s/ X /SYS/'; bad '3d'; bad '3s/GPU1/GPU9/'; bad '3s/GPU1/GPU0/'; bad '3s/SYS.*//'; bad d
