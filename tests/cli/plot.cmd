# What gnuplot would draw is written as data, so that these need none.
printf 'point,replica,state,sched,size,gflops\n0,0,done,dmda,4800,50\n0,1,done,dmda,4800,70\n1,0,done,dmda,9600,100\n1,1,failed,dmda,9600,\n2,0,done,ws,4800,40\n3,0,done,ws,9600,\n' >runs.csv; orrery plot runs.csv --x size --y gflops --by sched --data .; cat chart.csv
orrery plot runs.csv --x size --y gflops --data .; cat chart.csv
orrery plot runs.csv --x size --map sched --y gflops --only sched=dmda --only sched=ws --data .; cat chart.csv
orrery plot runs.csv --x size --map state --best sched --y gflops --data .; cat chart.csv
# Requests that are not understood.
orrery plot
orrery plot runs.csv
orrery plot runs.csv --x size
orrery plot runs.csv --x size --y gflops
orrery plot runs.csv --x size --y gflops --best sched --data .
orrery plot runs.csv --x size --y gflops --by sched --map point --data .
orrery plot runs.csv --x size --y gflops --map sched --bound point --data .
orrery plot runs.csv --x size --y gflops --output a.bmp
orrery plot runs.csv --x size --y gflops --only sched --data .
orrery plot runs.csv --x size --y gflops --width 1mm --data .
PATH=/nowhere $abs_top_builddir/orrery plot runs.csv --x size --y gflops --output a.svg; echo "=> $?"
# Columns and rows that are not there.
orrery plot runs.csv --x siez --y gflops --data .
orrery plot runs.csv --x size --y speed --data .
orrery plot runs.csv --x size --y gflops --only size=1 --data .
orrery plot runs.csv --x size --y gflops --only state=failed --data .
orrery plot runs.csv --x size --y gflops --only sched=ws --only size=9600 --data .
printf 'size,gflops\n' >none.csv; orrery plot none.csv --x size --y gflops --data .
# Files that are broken.
orrery plot missing.csv --x size --y gflops --data .
orrery plot /dev/null --x size --y gflops --data .
printf 'size,gflops\n1,fast\n' >text.csv; orrery plot text.csv --x size --y gflops --data .
printf 'size,gflops\n1,2\n3\n' >short.csv; orrery plot short.csv --x size --y gflops --data .
printf 'size,gflops\n1,"2\n' >open.csv; orrery plot open.csv --x size --y gflops --data .
printf 'size,gflops,size\n1,2,3\n' >twice.csv; orrery plot twice.csv --x size --y gflops --data .
printf 'SQLite format 3\0and nothing else' >cut.db; orrery plot cut.db --x size --y gflops --data .
orrery plot runs.csv --x size --y gflops --by sched --data no/such; orrery plot runs.csv --x size --y gflops --by sched --data runs.csv
# A hostile name is shown, never carried out.
printf "size,gflops,sched\n1,2,\"a'; system('touch x') #\nEND\nsystem('touch x')\"\n" >evil.csv; orrery plot evil.csv --x size --y gflops --by sched --data .; cat chart.csv; ls
