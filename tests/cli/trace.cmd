orrery run cholesky --platform attila --cpus 0 --gpus 1 --tiles 3 --sched dmdas --trace a.csv | sed -n 1p; cat a.csv a.copies.csv; ls; rm a.*
# Every task once, in the order of submission; priorities only where they count.
orrery run cholesky --platform attila --tiles 3 --sched dmda --trace a.csv >/dev/null; sort -n a.csv | cut -d, -f 1,2,4,8; rm a.*
orrery run lu --platform attila --tiles 2 --sched prio --trace a.csv >/dev/null; sort -n a.csv | cut -d, -f 1,2,4,8; rm a.*
orrery run lu --platform attila --tiles 2 --precision double --trace a.csv >/dev/null; cut -d, -f 2 a.csv | sort; rm a.*
# A trace changes nothing.
orrery run lu --tiles 6 --format csv | cut -d, -f 1-30 >without; orrery run lu --tiles 6 --format csv --trace a.csv | cut -d, -f 1-30 | cmp - without && rm a.* without
