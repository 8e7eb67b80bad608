#!/bin/sh
# The power over time in traces, of each device, integrates to its joules: as
# CSV, in Paje, in Chrome's JSON and in Perfetto's format.
set -u
# The interpreter itself: a shim of pyenv makes each start four times as long.
python=$(python3 -c 'import sys; print(sys.executable)') ||
    { echo "SKIP: power-traces: no python3"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
bad=0
cd "$folder" || exit 1

cat >integrate.py <<'PY'
import csv, json, shlex
from collections import defaultdict

def from_csv(path):
    for row in csv.DictReader(open(path, newline='')):
        yield row['device'], float(row['date_ms']) / 1e3, float(row['power_w'])

def from_json(path):
    for event in json.load(open(path))['traceEvents']:
        if event['ph'] == 'C':
            yield event['name'], event['ts'] / 1e6, event['args']['W']

# Dates are in ms.
def from_paje(path):
    names = {}
    for line in open(path):
        words = [] if line.startswith('%') else shlex.split(line)
        if words and words[0] == '3':
            names[words[2]] = words[5]
        elif words and words[0] == '14':
            yield names[words[3]], float(words[1]) / 1e3, float(words[4])

# The fields of a message of protocol buffers: numbers, values.
def fields(data):
    at = 0

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
            continue
        size = {1: lambda: 8, 2: number, 5: lambda: 4}[key & 7]()
        yield key >> 3, data[at:at + size]
        at += size

# The numbers of fields are those of tests/support/perfetto.proto.
def from_perfetto(path):
    names = {}
    for _, packet in fields(open(path, 'rb').read()):
        packet = dict(fields(packet))
        if 60 in packet:
            track = dict(fields(packet[60]))
            names[track.get(1)] = track.get(2, b'').decode()
        elif 11 in packet:
            event = dict(fields(packet[11]))
            name = names.get(event.get(11), '')
            if event.get(9) == 4 and name.startswith('mW: '):
                yield name[4:], packet.get(8, 0) / 1e9, event.get(30, 0) / 1e3

def integrals(changes, end):
    joules, last = defaultdict(float), {}
    for device, date, watts in changes:
        since, before = last.get(device, (0, 0))
        assert date >= since, (device, date)
        joules[device] += before * (date - since)
        last[device] = date, watts
    for device, (since, watts) in last.items():
        joules[device] += watts * (end - since)
    return joules

run = json.load(open('run.json'))
end = run['makespan_s']
wanted = {item['name']: item['energy_j'] for item in run['energy']['by_device']
          if item['name'] != 'links'}
assert run['energy']['dynamic'] > 0
# What a format rounds: dates and watts have 12 digits; milliwatts are whole.
for read, path, rounded_w in ((from_csv, 'p.csv', 0), (from_json, 'p.json', 0),
                              (from_paje, 'p.trace', 0),
                              (from_perfetto, 'p.pftrace', 0.0005)):
    found = integrals(read(path), end)
    for name, joules in wanted.items():
        margin = rounded_w * end + 1e-8 * joules
        assert abs(found[name] - joules) <= margin, (
            path, name, found[name], joules)
    for name, joules in found.items():
        assert name in wanted or joules == 0, (path, name)
PY

integrates() { # arguments of orrery run
    "$orrery" run "$@" --format json --power p.csv --trace p.json \
        --trace p.trace --trace p.pftrace >run.json 2>err ||
        complain "$* fails: $(cat err)"
    "$python" integrate.py || complain "$*: not the joules of the run"
}

complain() {
    echo "FAIL: $*"
    bad=1
}

metered=$abs_top_srcdir/tests/platforms/metered.xml
integrates cholesky --tiles 6 --platform "$metered" --sched dmdas
integrates cholesky --tiles 6 --platform "$metered" --sched lws --polling
integrates cholesky --tiles 4 --platform "$metered" --pstate CUDA0=off
integrates cholesky --tiles 8 --platform mirage --sched dmda --gpus 2 \
    --power-cap all=60%
integrates lu --tiles 6 --platform sirocco-v100 --tile 1600 --sched eager
exit $bad
