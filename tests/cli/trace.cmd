orrery run cholesky --platform attila --cpus 0 --gpus 1 --tiles 3 --sched dmdas --trace a.csv | sed -n 1p; cat a.csv a.copies.csv; ls; rm a.*
# Every task once, in the order of submission; priorities only where they count.
orrery run cholesky --platform attila --tiles 3 --sched dmda --trace a.csv >/dev/null; sort -n a.csv | cut -d, -f 1,2,4,8; rm a.*
orrery run lu --platform attila --tiles 2 --sched prio --trace a.csv >/dev/null; sort -n a.csv | cut -d, -f 1,2,4,8; rm a.*
orrery run lu --platform attila --tiles 2 --precision double --trace a.csv >/dev/null; cut -d, -f 2 a.csv | sort; rm a.*
# A trace changes nothing.
orrery run lu --tiles 6 --format csv | cut -d, -f 1-30 >without; orrery run lu --tiles 6 --format csv --trace a.csv | cut -d, -f 1-30 | cmp - without && rm a.* without
# Several traces of one run; the name says the format, unless --trace-format does.
orrery run lu --tiles 2 --trace a.csv --trace a.rec --trace b.csv.gz >/dev/null; ls; gzip -dc b.csv.gz | cmp - a.csv; gzip -dc b.copies.csv.gz | cmp - a.copies.csv; rm a.* b.*
orrery run lu --tiles 2 --trace a.txt --trace b --trace-format csv >/dev/null; ls; cmp a.txt b; rm a.* b*
# None is written if one cannot be, or if two are one file.
mkdir d; orrery run lu --tiles 2 --trace a.csv --trace d; echo "=> $?"; orrery run lu --tiles 2 --trace a.csv --trace d/; echo "=> $?"; orrery run lu --tiles 2 --trace-format csv --trace a.csv --trace d; echo "=> $?"; ls; rmdir d
ln -s a.csv b.csv; orrery run lu --tiles 2 --trace a.csv --trace ./b.csv; echo "=> $?"; orrery run lu --tiles 2 --trace a.csv --trace a.copies.csv; echo "=> $?"; ls; rm b.csv
orrery run lu --tiles 2 --trace a.csv --trace a.xls; echo "=> $?"; orrery run lu --tiles 2 --trace a.rec.gz; echo "=> $?"; orrery run lu --tiles 2 --trace a.csv --trace-format xls; echo "=> $?"; orrery run lu --tiles 2 --trace-format csv; echo "=> $?"; ls
(ulimit -f 1; orrery run lu --tiles 9 --trace a.rec --trace a.csv); echo "=> $?"; ls
# A folder as starpu_fxt_tool makes it: new, or empty before; all of its files or none.
orrery run lu --tiles 2 --trace d/ --trace-format starpu >/dev/null; ls d; sed -n '1,/^$/p' d/tasks.rec | cut -d: -f1; cat d/dag.dot; orrery graph check d/tasks.rec && orrery graph check d/dag.dot
orrery run lu --tiles 2 --trace d --trace-format starpu; echo "=> $?"; : >f; orrery run lu --tiles 2 --trace f --trace-format starpu; echo "=> $?"; orrery run lu --tiles 2 --trace no/d --trace-format starpu; echo "=> $?"; orrery run lu --tiles 2 --trace . --trace-format starpu; echo "=> $?"; ls
rm -r d f; mkdir d; ln -s d e; orrery run lu --tiles 2 --trace e --trace-format starpu >/dev/null; ls -F e/. d; rm -r d e
orrery run lu --tiles 2 --trace d --trace d/ --trace-format starpu; echo "=> $?"; orrery run lu --tiles 2 --trace d.gz --trace-format starpu; echo "=> $?"; (ulimit -f 1; orrery run lu --tiles 9 --trace d --trace-format starpu); echo "=> $?"; ls -A
# A folder with the tables that StarVZ reads.
orrery run lu --tiles 2 --platform attila --cpus 0 --gpus 1 --trace d/ --trace-format starvz >/dev/null; for f in d/*; do echo "$f"; gzip -dcf $f | sed -n 1,2p; done; orrery run lu --tiles 2 --trace d --trace-format starvz; echo "=> $?"; rm -r d
(ulimit -f 1; orrery run lu --tiles 16 --platform attila --trace d --trace-format starvz); echo "=> $?"; ls -A; orrery run lu --tiles 2 --trace d --trace d/ --trace-format starvz; echo "=> $?"; orrery run lu --tiles 2 --trace no/d --trace-format starvz; echo "=> $?"
