/* SPDX-License-Identifier: LGPL-2.1-or-later */
"use strict";
/*
 * The data of the report: apps/html/html_columns.h has their format, and
 * apps/html/html_tables.h the tables. All dates are in ns since the first
 * submission. Texts come from strangers: they are shown by textContent alone.
 */

const bytesOfType = { u8: 1, u32: 4, i32: 4, f32: 4, i64: 8 };
const arrayOfType = { u8: Uint8Array, u32: Uint32Array, i32: Int32Array, f32: Float32Array };

/* Returns a typed array: Float64Array for "i64", which is exact up to 2^53. */
function readColumn(rest, column, table) {
    if (column.type !== "i64")
        return new arrayOfType[column.type](rest, column.at, column.count);
    const halves = new Uint32Array(rest, column.at, 2 * column.count);
    const numbers = new Float64Array(column.count);
    const base = column.of ? table[column.of] : null;
    let last = 0;

    for (let i = 0; i < column.count; i++) {
        const difference = (halves[2 * i + 1] | 0) * 4294967296 + halves[2 * i];

        last = difference + (base ? base[i] : last);
        numbers[i] = last;
    }
    return numbers;
}

function isColumn(value) {
    return value !== null && typeof value === "object" && value.type in bytesOfType;
}

/* Replaces descriptions of columns by the columns. */
function readTable(rest, table) {
    for (const name of Object.keys(table))
        if (isColumn(table[name]))
            table[name] = readColumn(rest, table[name], table);
}

/* Returns where the entries of each of the counted begin, and the end. */
function sumUp(counts) {
    const firsts = new Uint32Array(counts.length + 1);

    for (let i = 0; i < counts.length; i++)
        firsts[i + 1] = firsts[i] + counts[i];
    return firsts;
}

function readRun(rest, run) {
    for (const name of ["tasks", "parents", "accesses", "data", "copies", "merged"])
        readTable(rest, run[name]);
    for (const curve of run.curves)
        readTable(rest, curve);
    run.firstParents = sumUp(run.tasks.parents);
    run.firstAccesses = sumUp(run.tasks.accesses);
    run.workers = run.facts.workers || [];
    run.finished = run.facts.makespan_s !== null;
    run.makespan = run.finished ? run.facts.makespan_s * 1e9 : run.end_ns;
}

async function loadData(base64) {
    const text = atob(base64);
    const packed = new Uint8Array(text.length);

    for (let i = 0; i < text.length; i++)
        packed[i] = text.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const buffer = await new Response(stream).arrayBuffer();
    const length = new DataView(buffer).getUint32(0, true);
    const report = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    const rest = buffer.slice(4 + length);

    for (const run of report.runs)
        readRun(rest, run);
    return report;
}

/* ---- what numbers stand for ---- */

/* Returns the index of the task with that order of submission; -1: the report
   has it not. */
function findTask(run, order) {
    const orders = run.tasks.order;
    let low = 0, high = orders.length - 1;

    while (low <= high) {
        const middle = (low + high) >> 1;

        if (orders[middle] === order)
            return middle;
        if (orders[middle] < order)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

/* The orders of submission of the tasks that a task awaited. */
function parentsOf(run, task) {
    const orders = [];

    for (let i = run.firstParents[task]; i < run.firstParents[task + 1]; i++)
        orders.push(run.tasks.order[task] - run.parents.distance[i]);
    return orders;
}

/* The indices of the tasks that awaited a task. */
function childrenOf(run, task) {
    if (!run.children) {
        const lists = new Map();

        for (let child = 0; child < run.tasks.order.length; child++)
            for (const parent of parentsOf(run, child)) {
                if (!lists.has(parent))
                    lists.set(parent, []);
                lists.get(parent).push(child);
            }
        run.children = lists;
    }
    return run.children.get(run.tasks.order[task]) || [];
}

function datumName(run, datum) {
    const data = run.data;
    const name = data.name[datum] > 0 ? run.names[data.name[datum] - 1] : "";

    if (data.row[datum] !== 0xffffffff)
        return `${name}(${data.row[datum]},${data.column[datum]})`;
    return name || `datum ${datum}`;
}

function coordinatesOf(run, task) {
    return [run.tasks.c0[task], run.tasks.c1[task], run.tasks.c2[task]].filter((c) => c >= 0);
}

function taskName(run, task) {
    return `${run.names[run.tasks.name[task]]}, task ${run.tasks.order[task]}`;
}

function workerName(run, worker) {
    return worker < run.workers.length ? run.workers[worker].name : `worker ${worker}`;
}

/* The memory in which a task found its data; GPUs are called as their memory. */
function memoryOf(run, task) {
    return run.tasks.memory[task] === 0 ? "RAM" : workerName(run, run.tasks.worker[task]);
}

function copyName(run, copy) {
    const [from, to] = run.links[run.copies.link[copy]];

    return `${datumName(run, run.copies.datum[copy])} from ${from} to ${to}`;
}

const modeNames = { 1: "reads", 2: "writes", 3: "reads and writes", 7: "updates in any order",
    8: "adds to" };

/* ---- units ---- */

function formatTime(ns) {
    const size = Math.abs(ns);

    if (size >= 1e9)
        return `${+(ns / 1e9).toPrecision(7)} s`;
    if (size >= 1e6)
        return `${+(ns / 1e6).toPrecision(7)} ms`;
    if (size >= 1e3)
        return `${+(ns / 1e3).toPrecision(7)} µs`;
    return `${ns} ns`;
}

function formatBytes(bytes) {
    const units = ["B", "KB", "MB", "GB", "TB"];
    let unit = 0;

    while (bytes >= 1000 && unit < units.length - 1) {
        bytes /= 1000;
        unit++;
    }
    return `${+bytes.toPrecision(4)} ${units[unit]}`;
}
