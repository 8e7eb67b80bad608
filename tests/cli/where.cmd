# A kernel on one class of workers; the last word counts.
orrery run cholesky --platform mirage --tiles 4 --cpus 2 --where potrf=cpu --where gemm=cpu --where trsm=gpu --where gemm=gpu | grep -v simulated
orrery run cholesky --platform mirage --tiles 4 --cpus 2 --where potrf=cpu --where potrf=any --where trsm=gpu --format json | grep -A 2 '"where"'
orrery run cholesky --platform mirage --tiles 4 --cpus 2 --gpus 1 --where potrf=cpu --where gemm=gpu --where trsm=gpu --where syrk=gpu --trace t.csv >/dev/null; sed 1d t.csv | cut -d, -f 2,3 | sort | uniq -c
orrery compare lu --platform mirage --tiles 3 --cpus 2 --where getrf=cpu --sched dmda,lws --format csv | cut -d, -f 1-24 | sed 1d
# Nobody is left to run it; no such kernel; no such class.
orrery run cholesky --platform idcin-2 --precision double --tiles 2 --where potrf=gpu
orrery run cholesky --platform mirage --tiles 2 --cpus 0 --where trsm=cpu
orrery run cholesky --where getrf=cpu
orrery run lu --where getrf=tpu
orrery run lu --where getrf
orrery run lu --where =cpu
# Names as typed; "=" in a name.
orrery run cholesky --platform mirage --tiles 4 --cpus 2 --where POTRF=cpu --where "Trsm = gpu" --trace t.csv | grep where; sed 1d t.csv | grep -E 'POTRF|TRSM' | cut -d, -f 2,3 | sort | uniq -c
# A graph has the kernels of its file, calibrated or not.
orrery graph save lu --tiles 3 --output lu.rec; orrery run lu.rec --platform mirage --cpus 2 --where starpu_slu_lu_model_getrf=cpu --where starpu_slu_lu_model_gemm=gpu --trace t.csv | grep -A 1 where; sed 1d t.csv | cut -d, -f 2,3 | sort | uniq -c
orrery compare lu.rec --platform mirage --cpus 2 --where starpu_slu_lu_model_trsm_ll=cpu --sched dmda,lws --format csv | grep -o '^[a-z]*,lu.rec\|,starpu_slu_[a-z_]*=[a-z]*'
orrery run lu.rec --where getrf=cpu
orrery run lu.rec --cpus 0 --where starpu_slu_lu_model_getrf=cpu
printf 'id,kernel,duration_us,handles,deps\n1,a<x=1>,10,,\n2,b,20,,1\n' >u.csv; orrery run u.csv --assume-speed CPU=1,CUDA=2 --where 'a<x=1>=cpu' --where b=gpu --trace t.csv | grep where; sed 1d t.csv | cut -d, -f 1,3
orrery run u.csv --where b=gpu
orrery run u.csv --where c=gpu
# Of many names, the first ones are listed.
awk 'BEGIN { print "id,kernel,duration_us"; for (i = 0; i < 200; i++) printf "%d,k%dx,10\n", i, i }' >many.csv; orrery run many.csv --where none=cpu
