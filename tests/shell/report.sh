#!/bin/sh
# The pages of --report hold the same numbers as the CSV trace of the run, take
# names from strangers as text, and allow nothing but their own script.
set -u
# The interpreter itself: a shim of pyenv makes each start four times as long.
python=$(python3 -c 'import sys; print(sys.executable)') ||
    { echo "SKIP: report: no python3"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
bad=0
cd "$folder" || exit 1

complain() {
    echo "FAIL: $*"
    bad=1
}

# Reads a page as its script does, and checks what holds for each.
cat >page.py <<'PY'
import base64, gzip, hashlib, json, re, struct

def between(text, begin, end):
    return text.split(begin, 1)[1].split(end, 1)[0]

def digest(text):
    return "'sha256-" + base64.b64encode(
        hashlib.sha256(text.encode()).digest()).decode() + "'"

def check(page):
    policy = between(page, 'Content-Security-Policy" content="', '"')
    assert policy == ("default-src 'none'; script-src %s; style-src %s; "
                      "base-uri 'none'; form-action 'none'" % (
                          digest(between(page, '<script>', '</script>')),
                          digest(between(page, '<style>', '</style>')))), policy
    assert not re.search(r'(src|href)=|https?:|url\(|@import', page), 'a request'
    script = between(page, '<script>', '</script>')
    for word in ('innerHTML', 'outerHTML', 'insertAdjacent', 'document.write',
                 'eval(', 'fetch('):
        assert word not in script, word

def column(rest, table, about):
    kind, at, count = about['type'], about['at'], about['count']
    letter = {'u8': 'B', 'u32': 'I', 'i32': 'i', 'f32': 'f', 'i64': 'q'}[kind]
    assert at % 8 == 0
    numbers = list(struct.unpack_from('<%d%s' % (count, letter), rest, at))
    if 'of' in about:
        return [a + b for a, b in zip(numbers, table[about['of']])]
    if 'step' in about:
        for i in range(1, count):
            numbers[i] += numbers[i - 1]
    return numbers

def read(path):
    page = open(path, encoding='utf-8').read()
    check(page)
    packed = between(page, 'id="data">', '</script>')
    assert re.fullmatch('[A-Za-z0-9+/=]+', packed)
    whole = gzip.decompress(base64.b64decode(packed))
    length, = struct.unpack_from('<I', whole)
    report = json.loads(whole[4:4 + length].decode('utf-8', 'replace'))
    rest = whole[4 + length:]
    for run in report['runs']:
        for table in list(run.values()) + run['curves']:
            if not isinstance(table, dict):
                continue
            for name, about in table.items():
                if isinstance(about, dict) and 'at' in about:
                    table[name] = column(rest, table, about)
    return report
PY
cat >same.py <<'PY'
import csv, sys
from page import read

def ns(text):
    whole, _, rest = text.partition('.')
    return int(whole) * 10**6 + int(rest)

def name_of(run, datum):
    data = run['data']
    name = run['names'][data['name'][datum] - 1] if data['name'][datum] else ''
    if data['row'][datum] != 2**32 - 1:
        return '%s(%d,%d)' % (name, data['row'][datum], data['column'][datum])
    return name or str(datum)

def tasks_of(run):
    tasks, parent, access = run['tasks'], 0, 0
    for i, order in enumerate(tasks['order']):
        parents = run['parents']['distance'][parent:parent + tasks['parents'][i]]
        data = run['accesses']['datum'][access:access + tasks['accesses'][i]]
        parent += tasks['parents'][i]
        access += tasks['accesses'][i]
        yield [order, run['names'][tasks['name'][i]], tasks['worker'][i],
               run['facts']['workers'][tasks['worker'][i]]['name'],
               *[tasks[d][i] for d in ('submitted', 'ready', 'arrived', 'started',
                 'kernel_started', 'kernel_ended', 'ended')],
               ' '.join(str(order - d) for d in parents),
               ';'.join(name_of(run, d) for d in data),
               ' '.join(str(tasks[c][i]) for c in ('c0', 'c1', 'c2')
                        if tasks[c][i] >= 0)]
    assert parent == len(run['parents']['distance'])
    assert access == len(run['accesses']['datum'])

def copies_of(run):
    copies = run['copies']
    for i, link in enumerate(copies['link']):
        yield [*run['links'][link], copies['datum'][i], copies['bytes'][i],
               run['names'][copies['why'][i]],
               *[copies[d][i] for d in ('submitted', 'started', 'ended')],
               name_of(run, copies['datum'][i])]

def csv_tasks(path):
    for r in csv.DictReader(open(path, newline='')):
        yield [int(r['submit_order']), r['name'], int(r['worker']),
               r['worker_name'], *[ns(r[d + '_ms']) for d in
               ('submit', 'ready', 'data', 'start', 'kernel_start', 'kernel_end',
                'end')], r['depends_on'], r['data'], r['coordinates']]

def csv_copies(path):
    for r in csv.DictReader(open(path, newline='')):
        yield [r['from'], r['to'], int(r['data']), int(r['bytes']), r['why'],
               ns(r['submit_ms']), ns(r['start_ms']), ns(r['end_ms']), r['name']]

name, least, unfinished = sys.argv[1], int(sys.argv[2]), sys.argv[3] == 'yes'
report = read(name + '.html')
run, = report['runs']
assert len(run['tasks']['order']) >= least
assert list(tasks_of(run)) == sorted(csv_tasks(name + '.csv'))
assert sorted(copies_of(run)) == sorted(csv_copies(name + '.copies.csv'))
assert (run['facts']['makespan_s'] is None) == unfinished
assert 'seed' in run['facts'] and run['thinned'] is None
last = run['end_ns']
for curve in run['curves']:
    assert len(curve['means']) == 4096 and min(curve['means']) >= 0
bytes_of = {c['name']: sum(c['means']) * last / 4096e9 for c in run['curves']
            if c['kind'] == 'bandwidth'}
for copy_name, ends in (('host to GPUs', ('RAM', 'CUDA')),
                        ('GPUs to host', ('CUDA', 'RAM')),
                        ('GPU to GPU', ('CUDA', 'CUDA'))):
    moved = sum(c[3] for c in copies_of(run)
                if c[0].startswith(ends[0]) and c[1].startswith(ends[1]))
    assert abs(moved - bytes_of.get(copy_name, 0)) <= 1e-4 * moved, copy_name
tasks = run['tasks']
waited = sum(b - a for a, b in zip(tasks['ready'], tasks['kernel_started']))
ready, = [c for c in run['curves'] if c['kind'] == 'ready']
assert abs(sum(ready['means']) * last / 4096 - waited) <= 1e-4 * waited + 1
memories = [c for c in run['curves'] if c['kind'] == 'memory']
assert least < 300 or len(memories) == run['facts']['gpus']
assert all(max(c['means']) <= run['facts']['gpu_memory_bytes'] for c in memories)
PY
same() { # least tasks, hangs (yes, no), argument...
    least=$1 hangs=$2
    shift 2
    "$orrery" run "$@" --report a.html --trace a.csv >/dev/null 2>err
    status=$?
    [ $status -eq "$([ "$hangs" = yes ] && echo 3 || echo 0)" ] ||
        { complain "orrery $*: $status"; cat err; }
    "$python" same.py a "$least" "$hangs" || complain "orrery $*"
}
for platform in attila sirocco; do
    same 364 no cholesky --platform $platform --tiles 12 --seed 7
done
same 600 no lu --platform attila --tiles 12 --gpus 1 --gpu-memory 64MiB --cpus 0
same 1 yes cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 32MiB --sched dm

# Memory fills, and copies of a matrix that does not fit evict.
"$orrery" run cholesky --platform attila --tiles 12 --gpus 1 --cpus 0 \
    --gpu-memory 64MiB --report a.html >/dev/null || complain "full memory"
"$python" -c '
from page import read
run, = read("a.html")["runs"]
memory, = [c for c in run["curves"] if c["kind"] == "memory"]
assert max(memory["means"]) > 0.5 * run["facts"]["gpu_memory_bytes"]
' || complain "memory does not fill"

# Policies one below the other; the same bytes each time.
"$orrery" compare cholesky --platform attila --tiles 4 --sched dmda,eager \
    --replicas 2 --report b.html --gantt-width page >b.txt || complain compare
"$orrery" compare cholesky --platform attila --tiles 4 --sched dmda,eager \
    --replicas 2 --report c.html >c.txt || complain compare
cmp b.html c.html && cmp b.txt c.txt || complain "two reports differ"
"$python" -c '
from page import read
report = read("b.html")
assert [r["policy"] for r in report["runs"]] == ["dmda", "eager"]
assert [b["name"] for b in report["bounds"]] == [
    "area bound", "transfer bound", "mixed bound", "critical path bound"]
assert [k["name"] for k in report["kinds"]] == [
    "gemm", "potrf", "syrk", "trsm", "copy", "eviction"]
assert report["kinds"][0]["colour"] == "#1b2a80"
' || complain "what compare reports"

# Names from strangers.
printf 'id,kernel,duration_us,handles,deps\na,"</script><script>alert(1)</script>",5000,A:W:8,\nb,"a""\047&<!--\303\251",5000,A:RW:8,a\n' \
    >'<b>&.csv'
same 2 no '<b>&.csv' --platform attila
grep -q '<title>&lt;b&gt;&amp;.csv on attila</title>' a.html ||
    complain "the title of hostile names"
[ "$(grep -c '</script>' a.html)" -eq 2 ] || complain "a name ended a script"

# Nothing is left where it cannot be written.
refused() { # message, argument...
    message=$1
    shift
    "$orrery" "$@" >out 2>err
    { [ $? -eq 1 ] && [ ! -s out ] && grep -qF "$message" err; } ||
        { complain "orrery $*"; cat out err; }
}
mkdir folder.html
refused "folder.html: " run cholesky --tiles 2 --report folder.html
refused "no/such.html: No such file" run cholesky --tiles 2 --report no/such.html
refused "'a.svg' does not end in .html" run cholesky --tiles 2 --report a.svg
refused "'html' does not end in .html" compare cholesky --tiles 2 --report html
mkdir full && (cd full && ulimit -f 8 &&
    "$orrery" run cholesky --tiles 2 --report a.html) >out 2>err
{ [ $? -eq 1 ] && grep -q 'a.html.*File too large' err &&
    [ -z "$(ls -A full)" ]; } || { complain "a full disk"; cat err; }
exit $bad
