/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The rows of the chart, from top to bottom: of each run a heading, its workers,
 * its links, and its curves.
 */

const rowHeights = { heading: 26, bars: 18, lowBars: 10, memory: 34, curve: 64 };

/* All bars of a run, sorted into their rows: task or copy >= 0, or, of one that
   stands for several, -1 - its index in run.merged. */
function sortBars(run) {
    const rows = new Map();
    const put = (row, from, to, kind, item) => {
        if (!rows.has(row))
            rows.set(row, []);
        rows.get(row).push({ from, to, kind, item });
    };
    const { tasks, copies, merged } = run;

    for (let i = 0; i < tasks.order.length; i++)
        put(tasks.worker[i], tasks.kernel_started[i], tasks.kernel_ended[i],
            run.kernel_kinds[tasks.kernel[i]], i);
    for (let i = 0; i < copies.link.length; i++)
        put(run.rows + copies.link[i], copies.started[i], copies.ended[i],
            run.copyKind + (run.names[copies.why[i]] === "evict" ? 1 : 0), i);
    for (let i = 0; i < merged.row.length; i++)
        put(merged.row[i], merged.from[i], merged.to[i], merged.kind[i], -1 - i);
    return rows;
}

/* Returns columns of bars in order of their starts. @reach: the greatest end so
   far, which grows, so that it can be searched. */
function makeColumns(bars) {
    const count = bars.length;
    const columns = {
        count,
        from: new Float64Array(count),
        to: new Float64Array(count),
        reach: new Float64Array(count),
        kind: new Uint16Array(count),
        item: new Int32Array(count),
    };
    let reach = 0;

    bars.sort((a, b) => a.from - b.from || a.to - b.to);
    for (let i = 0; i < count; i++) {
        columns.from[i] = bars[i].from;
        columns.to[i] = bars[i].to;
        columns.reach[i] = reach = Math.max(reach, bars[i].to);
        columns.kind[i] = bars[i].kind;
        columns.item[i] = bars[i].item;
    }
    return columns;
}

function makeBarRow(run, name, note, what, bars) {
    return { type: "bars", run, name, note, what, bars: makeColumns(bars) };
}

function idleShare(run, bars) {
    let busy = 0;

    for (const bar of bars)
        busy += bar.to - bar.from;
    return `${Math.round(100 * Math.max(1 - busy / run.makespan, 0))} %`;
}

/* Workers; neighbours without a task share a row. */
function addWorkers(rows, run, sorted) {
    const count = Math.max(run.workers.length, run.rows);
    const barsOf = (w) => w < run.rows ? sorted.get(w) : undefined;

    for (let w = 0; w < count; w++) {
        const bars = barsOf(w);
        const first = w;

        if (bars) {
            rows.push(makeBarRow(run, workerName(run, w), idleShare(run, bars), "task", bars));
            continue;
        }
        while (w + 1 < count && !barsOf(w + 1))
            w++;
        rows.push(makeBarRow(run, first === w
            ? workerName(run, w)
            : `${workerName(run, first)} to ${workerName(run, w)}`, "100 %", "task", []));
    }
}

function compareTexts(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

function addLinks(rows, run, sorted) {
    const links = run.links.map(([from, to], i) => ({ name: `${from} → ${to}`, i }));

    links.sort((a, b) => compareTexts(a.name, b.name));
    for (const { name, i } of links)
        rows.push(makeBarRow(run, name, "", "copy", sorted.get(run.rows + i) || []));
}

function maximum(numbers) {
    let most = 0;

    for (const number of numbers)
        most = Math.max(most, number);
    return most;
}

/* Memories have a row each, filled up to their size; other curves share one. */
function addCurves(rows, run) {
    const size = run.facts.gpu_memory_bytes || 0;
    const of = (kind) => run.curves.filter((curve) => curve.kind === kind);

    for (const curve of of("memory")) {
        const top = Math.max(size, maximum(curve.means));

        rows.push({ type: "memory", run, name: `${curve.name} memory`, note: formatBytes(top), top,
                    curves: [curve], format: formatBytes });
    }
    for (const curve of of("ready")) {
        const top = Math.max(maximum(curve.means), 1);

        rows.push({ type: "curve", run, name: "ready tasks", note: `${+top.toPrecision(3)}`, top,
                    curves: [curve], format: (value) => `${+value.toPrecision(3)}` });
    }
    if (of("bandwidth").length > 0) {
        const top = Math.max(...of("bandwidth").map((curve) => maximum(curve.means)), 1);
        const format = (value) => `${formatBytes(value)}/s`;

        rows.push({ type: "curve", run, name: "bandwidth", note: format(top), top,
                    curves: of("bandwidth"), format });
    }
}

function headingOf(run) {
    return run.finished
        ? `${run.policy}: ${formatTime(run.makespan)}`
        : `${run.policy}: hangs, unfinished`;
}

/* Returns the rows with their places, y and height in px. */
function makeRows(report) {
    const rows = [];
    let y = 0;

    for (const run of report.runs) {
        const sorted = sortBars(run);

        rows.push({ type: "heading", run, name: headingOf(run), note: "idle" });
        addWorkers(rows, run, sorted);
        addLinks(rows, run, sorted);
        addCurves(rows, run);
    }
    const many = rows.length > 120;

    for (const row of rows) {
        row.y = y;
        row.height = rowHeights[many && row.type === "bars" ? "lowBars" : row.type];
        y += row.height;
    }
    return { list: rows, height: y };
}

/* The first bar of @bars that ends after @date. */
function firstBarAfter(bars, date) {
    let low = 0, high = bars.count;

    while (low < high) {
        const middle = (low + high) >> 1;

        if (bars.reach[middle] > date)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The place in @bars of a task or copy; -1: it is not there. */
function placeOf(bars, item) {
    return bars.item.indexOf(item);
}
