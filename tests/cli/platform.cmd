orrery platform show attila
orrery platform show attila --format csv | grep -v '^\(links\|routes\|beliefs\|kernels\)\.'
orrery platform show mirage --format json | sed -n 1,20p
# By name or by file, the same machine.
orrery platform show attila | grep -v ^file >name; orrery platform show $abs_top_srcdir/platforms/attila.xml | grep -v ^file | cmp - name
orrery platform check $abs_top_srcdir/platforms/attila.xml $abs_top_srcdir/platforms/mirage.xml
echo '<platform' >broken.xml; orrery platform check $abs_top_srcdir/platforms/attila.xml broken.xml nowhere.xml
echo '<platform' >broken.xml; orrery platform check broken.xml $abs_top_srcdir/platforms/attila.xml --format json
echo '<platform' >broken.xml; orrery platform check broken.xml $abs_top_srcdir/platforms/attila.xml --format csv 2>/dev/null
# Names are quoted as each format asks.
orrery platform check 'a "b", c\d.xml' --format json
orrery platform check 'a "b", c\d.xml' --format csv
orrery platform check "$(printf 'tab\there')" --format json
