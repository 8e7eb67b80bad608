#!/bin/sh
# Traces of one run tell the same in each format, and their readers take them.
# Also of a run that hangs, and with names from strangers.
set -u
# The interpreter itself: a shim of pyenv makes each start four times as long.
python=$(python3 -c 'import sys; print(sys.executable)') ||
    { echo "SKIP: traces: no python3"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
bad=0
cd "$folder" || exit 1

complain() {
    echo "FAIL: $*"
    bad=1
}

# Each task and each copy of the CSV is once in the others, with its dates in ns;
# bars of one track do not overlap; the hostile names come back.
cat >same.py <<'PY'
import csv, gzip, json, os, re, shlex, sys
from collections import Counter, defaultdict

def ns(text, digits):
    whole, _, rest = text.partition('.')
    assert len(rest) == digits, text
    return int(whole) * 10**digits + int(rest)

def from_csv(path):
    bars, rows = Counter(), list(csv.DictReader(open(path, newline='')))
    unfinished = [row['unfinished'] for row in rows]
    assert set(unfinished[:-1]) <= {'0'}, 'a mark in the middle'
    for row in rows:
        bars['task', row['submit_order'], row['name'],
             ns(row['kernel_start_ms'], 6), ns(row['kernel_end_ms'], 6)] += 1
    copies = path.replace('.csv', '.copies.csv')
    for row in csv.DictReader(open(copies, newline='')):
        bars['copy', row['from'] + '-' + row['to'], row['data'], row['bytes'],
             row['why'], ns(row['start_ms'], 6), ns(row['end_ms'], 6)] += 1
    return bars, 'true' if unfinished[-1] == '1' else 'false'

def group(track):
    return track.split(' (')[0]

def from_json(path):
    text = open(path).read()
    assert '<' not in text, 'a page could not hold it'
    trace = json.loads(text, parse_float=str, parse_int=str)
    names = {(e['pid'], e['tid']): e['args']['name']
             for e in trace['traceEvents'] if e['name'] == 'thread_name'}
    bars, rows = Counter(), defaultdict(list)
    for e in trace['traceEvents']:
        if e['ph'] != 'X':
            continue
        start = ns(e['ts'], 3)
        end = start + (ns(e['dur'], 4) + 9) // 10
        rows[e['pid'], e['tid']].append(
            (start, end, float(e['ts']), float(e['dur'])))
        if e['pid'] == '1':
            bars['task', e['args']['task'], e['name'], start, end] += 1
        else:
            bars['copy', group(names[e['pid'], e['tid']]), e['args']['data'],
                 e['args']['bytes'], e['name'], start, end] += 1
    # Also in binary fractions, from the first bar on, as speedscope computes.
    for row in rows.values():
        first = row[0][2]
        for one, two in zip(row, row[1:]):
            assert one[1] <= two[0], 'bars overlap'
            assert one[2] - first + one[3] <= two[2] - first, 'sums overlap'
    return bars, str(trace['otherData']['unfinished']).lower()

def from_paje(path):
    bars, names, open_bars, last = Counter(), {}, {}, {}
    unfinished = False
    for line in open(path):
        if line.startswith('%'):
            continue
        words = shlex.split(line.replace('\\', '\\\\'))
        if words[0] == '3':
            names[words[2]] = words[5]
        elif words[0] == '13':
            unfinished = words[4] == 'unfinished'
        elif words[0] in ('10', '11', '12'):
            at, row = ns(words[1], 6), words[3]
            assert at >= last.get(row, 0), 'time goes back'
            last[row] = at
            if words[0] == '10':
                open_bars[row] = 'task', words[5], words[4], at
            elif words[0] == '11':
                open_bars[row] = ('copy', group(names[row]), words[5], words[6],
                                  words[4], at)
            else:
                bars[open_bars.pop(row) + (at,)] += 1
    return bars, 'true' if unfinished else 'false'

# The text of protoc: a message is a list of fields with their values.
def messages(lines):
    fields = []
    for line in lines:
        line = line.strip()
        if line == '}':
            break
        if line.endswith(' {'):
            fields.append((line[:-2], messages(lines)))
        else:
            key, value = line.split(': ', 1)
            if value[0] == '"':
                value = re.sub(rb'\\([0-7]{3}|.)', unescape,
                               value[1:-1].encode()).decode()
            fields.append((key, value))
    return fields

def unescape(match):
    text = match.group(1)
    if len(text) == 3:
        return bytes([int(text, 8)])
    return {b'n': b'\n', b'r': b'\r', b't': b'\t'}.get(text, text)

# Also the dependencies, as pairs of tasks.
def from_perfetto(path):
    tracks, rows, flows, ends = {}, defaultdict(list), {}, []
    counters = defaultdict(list)
    unfinished = 'false'
    for _, packet in messages(iter(open(path))):
        packet = dict(packet)
        if 'track_descriptor' in packet:
            track = dict(packet['track_descriptor'])
            tracks[track['uuid']] = (track.get('parent_uuid'),
                                     track.get('name'))
            continue
        assert packet['trusted_packet_sequence_id'] == '1'
        fields = packet['track_event']
        event = dict(fields)
        notes = {}
        for key, note in fields:
            if key == 'debug_annotations':
                note = dict(note)
                notes[note['name']] = note.get('uint_value',
                                               note.get('int_value'))
            elif key == 'flow_ids':
                flows[note] = notes['task']
            elif key == 'terminating_flow_ids':
                ends.append((note, notes['task']))
        if event['type'] == 'COUNTER':
            counters[tracks[event['track_uuid']][1]].append(
                (int(packet['timestamp']), int(event['counter_value'])))
            continue
        if event['type'] == 'INSTANT':
            unfinished = str(event['name'] == 'unfinished').lower()
            continue
        rows[event['track_uuid']].append(
            (int(packet['timestamp']), event['type'], event.get('name'), notes))
    bars = Counter()
    for track, row in rows.items():
        process, name = tracks[track]
        row.sort(key=lambda event: event[0]) # as the viewer, which keeps ties
        for begin, end in zip(row[::2], row[1::2]):
            assert begin[1] == 'SLICE_BEGIN' and end[1] == 'SLICE_END', 'nesting'
            notes = begin[3]
            if process == '1':
                bars['task', notes['task'], begin[2], begin[0], end[0]] += 1
            else:
                bars['copy', group(name), notes['data'], notes['bytes'],
                     begin[2], begin[0], end[0]] += 1
    return bars, unfinished, {(flows[flow], task) for flow, task in ends}, counters

# Figures over time agree with tasks and copies: bytes that pass, tasks that are
# left, memory.
def check_counters(counters, bars, unfinished):
    moved = Counter()
    for bar, count in bars.items():
        if bar[0] == 'copy':
            moved['bytes/s: ' + bar[1]] += int(bar[3]) * count
    assert set(moved) == {name for name in counters if '/s' in name}
    for name, steps in counters.items():
        assert steps == sorted(steps), name
        assert all(value >= 0 for _, value in steps), name
        if name in moved:
            passed = sum(one[1] * (two[0] - one[0])
                         for one, two in zip(steps, steps[1:])) / 1e9
            assert abs(passed - moved[name]) <= 1e-4 * moved[name], name
            assert steps[-1][1] == 0, name
    ready = counters['ready tasks']
    assert unfinished == 'true' or ready[-1][1] == 0
    assert any(value for _, value in ready)

def parents(path):
    rows = list(csv.DictReader(open(path, newline='')))
    ended = {row['submit_order'] for row in rows}
    return {(parent, row['submit_order']) for row in rows
            for parent in row['depends_on'].split() if parent in ended}

# Tasks, and what they waited for; those that did not end have no dates.
def from_rec(path):
    bars, arrows = Counter(), set()
    text = open(path, newline='').read()
    for record in text.split('\n\n'):
        lines = [line for line in record.split('\n')
                 if line and not line.startswith('# ')]
        task = dict(line.split(': ', 1) for line in lines)
        if 'EndTime' not in task:
            continue
        number = str(int(task['JobId']) - 1)
        bars['task', number, task['Name'], ns(task['StartTime'], 6),
             ns(task['EndTime'], 6)] += 1
        arrows |= {(str(int(parent) - 1), number)
                   for parent in task.get('DependsOn', '').split()}
    return bars, str(text.startswith('# unfinished')).lower(), arrows

# StarVZ's tables: fields have no quotation marks.
def table(path, between):
    rows = gzip.open(path, 'rt', newline='').read().split('\n')
    titles = rows[0].split(between)
    for row in rows[1:-1]:
        fields = row.split(between)
        assert len(fields) == len(titles), (path, row)
        yield dict(zip(titles, fields))

def from_starvz(folder):
    bars, moved = Counter(), Counter()
    for row in table(folder + '/paje.worker_state.csv.gz', ', '):
        bars['task', str(int(row['JobId']) - 1), row['Value'],
             ns(row['Start'], 6), ns(row['End'], 6)] += 1
    for row in table(folder + '/paje.link.csv.gz', ', '):
        bars['copy', str(int(row['Handle'], 16) - 1), row['Size'],
             ns(row['Start'], 6), ns(row['End'], 6)] += 1
        moved[row['Origin'], 'Out'] += int(row['Size'])
        moved[row['Dest'], 'In'] += int(row['Size'])
    passed = Counter()
    for row in table(folder + '/paje.variable.csv.gz', ', '):
        assert ns(row['Value'], 6) >= 0
        if row['Type'].startswith('Bandwidth'):
            passed[row['ResourceId'], row['Type'].split()[1]] += (
                float(row['Value']) * float(row['Duration']) * 1e3)
    assert set(passed) == set(moved)
    for key, value in moved.items():
        assert abs(passed[key] - value) <= 1e-4 * value, key
    records = {row['JobId']: row for row in
               table(folder + '/rec.tasks.csv.gz', ',')}
    assert len(records) == sum(n for bar, n in bars.items() if bar[0] == 'task')
    assert sorted((row['Dependent'], row['JobId']) for row in
                  table(folder + '/dag.csv.gz', ',')) == sorted(
        (parent, job) for job, row in records.items()
        for parent in row['DependsOn'].split())
    marks = [row['Value'] for row in table(folder + '/paje.events.csv.gz', ', ')]
    return bars, str(marks == ['unfinished']).lower()

def starvz_bar(bar):
    if bar[0] == 'copy':
        return (bar[0],) + bar[2:4] + bar[5:]
    return bar[:2] + (paje_name(bar)[2].replace(',', ';'),) + bar[3:]

def paje_name(bar):
    if bar[0] != 'task':
        return bar
    name = ''.join("'" if c == '"' else ' ' if c < ' ' or c == '\x7f' else c
                   for c in bar[2])
    return bar[:2] + (name,) + bar[3:]

expected, unfinished = from_csv(sys.argv[1] + '.csv')
assert unfinished == sys.argv[3], 'csv: finished?'
assert len(expected) >= int(sys.argv[2]), len(expected)
bars, unfinished = from_json(sys.argv[1] + '.json')
assert bars == expected, ('json', list((bars - expected) + (expected - bars))[:4])
assert unfinished == sys.argv[3], 'json: finished?'
if os.path.exists(sys.argv[1] + '.txt'):
    bars, unfinished, arrows, counters = from_perfetto(sys.argv[1] + '.txt')
    assert bars == expected, ('perfetto', list((bars - expected) + (expected - bars))[:4])
    assert unfinished == sys.argv[3], 'perfetto: finished?'
    assert arrows == parents(sys.argv[1] + '.csv'), 'perfetto: arrows'
    check_counters(counters, bars, unfinished)
bars, unfinished, arrows = from_rec(sys.argv[1] + '.rec')
tasks = Counter({bar: n for bar, n in expected.items() if bar[0] == 'task'})
assert bars == tasks, ('rec', list((bars - tasks) + (tasks - bars))[:4])
assert unfinished == sys.argv[3], 'rec: finished?'
assert arrows == parents(sys.argv[1] + '.csv'), 'rec: dependencies'
bars, unfinished = from_starvz(sys.argv[1] + '.starvz')
renamed = Counter()
for bar, n in expected.items():
    renamed[starvz_bar(bar)] += n
assert bars == renamed, ('starvz', list((bars - renamed) + (renamed - bars))[:4])
assert unfinished == sys.argv[3], 'starvz: finished?'
bars, unfinished = from_paje(sys.argv[1] + '.trace')
expected = Counter({paje_name(bar): n for bar, n in expected.items()})
assert bars == expected, ('paje', list((bars - expected) + (expected - bars))[:4])
assert unfinished == sys.argv[3], 'paje: finished?'
PY

# The readers of others.
read_by_others() { # trace
    if command -v pj_dump >/dev/null; then
        pj_dump --user-defined "$1.trace" </dev/null >dump 2>err ||
            complain "pj_dump: $1: $(cat err)"
        [ "$(grep -c '^State.*\(Worker\|Link\) State' dump)" -gt 10 ] ||
            complain "pj_dump: $1: few states"
    fi
    if command -v vite >/dev/null; then
        QT_QPA_PLATFORM=offscreen timeout 60 vite -i "$1.trace" -e out.svg \
            </dev/null >out 2>&1
        grep -q '0 errors and 0 warnings' out || complain "vite: $1: $(cat out)"
    fi
}
for reader in pj_dump vite protoc recfix; do
    command -v $reader >/dev/null || echo "no $reader here: left out"
done

traced() { # status, name, bars at least, then arguments of orrery
    status=$1 name=$2 least=$3
    shift 3
    "$orrery" "$@" --trace "$name.csv" --trace "$name.json" \
        --trace "$name.trace" --trace "$name.pftrace" --trace "$name.rec" >/dev/null 2>&1
    [ $? -eq "$status" ] || complain "orrery $*: not status $status"
    if command -v protoc >/dev/null; then
        protoc --decode_raw <"$name.pftrace" >raw || complain "protoc: $name"
        protoc --decode=orr.Trace --proto_path="$abs_top_srcdir/tests/support" \
            perfetto.proto <"$name.pftrace" >"$name.txt"
    fi
    rm -rf "$name.starvz"
    "$orrery" "$@" --trace "$name.starvz" --trace-format starvz >/dev/null 2>&1
    unfinished=false
    [ "$status" -eq 0 ] || unfinished=true
    "$python" same.py "$name" "$least" $unfinished || complain "orrery $*"
    read_by_others "$name"
}

# Records say so in a comment; their readers take them.
recorded() { # status, lines that begin with #, then arguments of orrery
    status=$1 marks=$2
    shift 2
    "$orrery" "$@" --trace r.rec >/dev/null 2>&1
    [ $? -eq "$status" ] || complain "orrery $*: not status $status"
    [ "$(grep -c '^# unfinished' r.rec)" -eq "$marks" ] ||
        complain "orrery $*: not $marks marks"
    "$orrery" graph check r.rec >/dev/null || complain "r.rec: not read"
    if command -v recfix >/dev/null; then
        recfix --check r.rec && recfix --check r.data.rec ||
            complain "recfix: orrery $*"
    fi
}

# Each machine by name, and a precision that it has kernels for.
"$orrery" platform list --format csv | "$python" -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["name"], row["precisions"].split(",")[0])' >platforms
[ "$(wc -l <platforms)" -gt 10 ] || complain "few platforms"
# Every eighth of them, from one that test_seed chooses; at full length, all.
if [ "${test_length:-short}" != full ]; then
    awk -v first=$((${test_seed:-0} % 8)) 'NR % 8 == first' platforms >some
    mv some platforms
fi
traced 0 dmdas 200 run cholesky --platform attila --tiles 8 --sched dmdas
while read -r platform precision; do
    traced 0 "$platform" 56 run cholesky --platform "$platform" --tiles 6 \
        --precision "$precision"
done <platforms
traced 0 full 1000 run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 128MiB
traced 3 hang 10 run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 32MiB --sched dm

# A run, its explanation and its traces tell the same numbers.
cat >numbers.py <<'PY'
import csv, json
from collections import Counter

def near(a, b):
    assert abs(a - b) <= 1e-9 * max(1, abs(a)), (a, b)

run = json.load(open('run.json'))
why = json.load(open('why.json'))
tasks = list(csv.DictReader(open('n.csv', newline='')))
copies = list(csv.DictReader(open('n.copies.csv', newline='')))
for name in ('makespan_s', 'tasks', 'copies', 'bytes_host_to_device',
             'bytes_device_to_host', 'bytes_device_to_device', 'evictions'):
    assert run[name] == why[name], name
assert run['tasks'] == len(tasks) and run['copies'] == len(copies)
# The driver of the last task finishes some us later.
last = max(float(t['end_ms']) for t in tasks) / 1e3
assert last <= run['makespan_s'] <= last + 2e-5, last
busy, moved, over = Counter(), Counter(), Counter()
for t in tasks:
    busy[t['worker_name']] += float(t['kernel_end_ms']) - float(t['kernel_start_ms'])
for c in copies:
    ends = ['host' if c[end] == 'RAM' else 'device' for end in ('from', 'to')]
    moved['bytes_%s_to_%s' % tuple(ends)] += int(c['bytes'])
for worker, other in zip(run['workers'], why['workers']):
    near(worker['busy_s'], busy[worker['name']] / 1e3)
    near(worker['busy_s'], other['computing_s'])
    near(run['makespan_s'], sum(other[state + '_s'] for state in (
        'computing', 'starvation', 'latency', 'overhead', 'waiting')))
for name in ('host_to_device', 'device_to_host', 'device_to_device'):
    assert run['bytes_' + name] == moved['bytes_' + name], name
assert sum(k['cpu_tasks'] + k['gpu_tasks'] for k in why['kernels']) == len(tasks)
# The critical path leads from the first submission to the end, over kernels
# that the trace has at these dates.
path = why['critical_path']
near(path[0]['from_s'], 0)
near(path[-1]['to_s'], run['makespan_s'])
kernels = {(t['worker_name'], round(float(t['kernel_end_ms']) * 1e6))
           for t in tasks}
for one, two in zip(path, path[1:]):
    near(one['to_s'], two['from_s'])
for step in path:
    if step['kind'] == 'task':
        assert (step['where'], round(step['to_s'] * 1e9)) in kernels, step
PY
for platform in attila sirocco; do
    set -- cholesky --platform $platform --tiles 14 --gpu-memory 128MiB \
        --sched dmdas --format json
    "$orrery" run "$@" --trace n.csv >run.json || complain "orrery run $*"
    cp n.csv before.csv
    "$orrery" explain "$@" --trace n.csv >why.json || complain "orrery explain $*"
    cmp n.csv before.csv || complain "another trace by explain"
    "$python" numbers.py || complain "numbers: $*"
done

while read -r platform precision; do
    recorded 0 0 run cholesky --platform "$platform" --tiles 6 \
        --precision "$precision"
done <platforms
recorded 3 1 run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 32MiB --sched dm

# A folder for StarPU's tools has the same records, and the graph.
folder() { # status, then arguments of orrery
    status=$1
    shift
    "$orrery" "$@" --trace d/ --trace-format starpu >/dev/null 2>&1
    [ $? -eq "$status" ] || complain "orrery $*: not status $status"
    "$orrery" "$@" --trace tasks.rec >/dev/null 2>&1
    cmp d/tasks.rec tasks.rec && cmp d/data.rec data.rec ||
        complain "orrery $*: other records in a folder"
    for file in tasks.rec dag.dot; do
        "$orrery" graph show --format csv d/$file | tail -n 1 | cut -d, -f3 >$file.count
    done
    cmp tasks.rec.count dag.dot.count || complain "orrery $*: other tasks in dag.dot"
    if command -v dot >/dev/null; then
        dot -Tcanon d/dag.dot >/dev/null || complain "dot: orrery $*"
    fi
    rm -r d tasks.rec data.rec
}
command -v dot >/dev/null || echo "no dot here: left out"
while read -r platform precision; do
    folder 0 run cholesky --platform "$platform" --tiles 6 \
        --precision "$precision"
done <platforms
folder 3 run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 32MiB --sched dm

# Names from strangers.
printf 'id,kernel,duration_us,handles,deps\n' >evil.csv
id=0
for name in '""q""' '</script><b>' "it's %d %s" 'back\\slash' 'a, b' '{"":[1' \
    'tr\303\250s' '&amp;' '$(touch x)' '#c'; do
    id=$((id + 1))
    printf '%d,"%b",%d,A:W:8,\n' $id "$name" $((1000 * id)) >>evil.csv
done
traced 0 evils 10 run evil.csv --platform attila
[ ! -e x ] || complain "a name is executed"
exit $bad
