/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Why tasks waited, and the critical path: both from the dates of the run.
 */

/* Returns, for each datum, its copies in order of their starts. */
function copiesOfData(run) {
    if (!run.copiesOf) {
        run.copiesOf = new Map();
        run.copies.datum.forEach((datum, copy) => {
            if (!run.copiesOf.has(datum))
                run.copiesOf.set(datum, []);
            run.copiesOf.get(datum).push(copy);
        });
    }
    return run.copiesOf;
}

/* The last copy of @datum into @memory that ended by @date; -1: none. */
function lastCopy(run, datum, memory, date) {
    let found = -1;

    for (const copy of copiesOfData(run).get(datum) || [])
        if (run.links[run.copies.link[copy]][1] === memory && run.copies.ended[copy] <= date &&
            (found < 0 || run.copies.ended[copy] > run.copies.ended[found]))
            found = copy;
    return found;
}

/* Returns the copies that brought the data of @task to where it ran. */
function copiesFor(run, task) {
    const memory = memoryOf(run, task);
    const copies = [];

    for (let i = run.firstAccesses[task]; i < run.firstAccesses[task + 1]; i++) {
        const copy = run.accesses.mode[i] & 1
            ? lastCopy(run, run.accesses.datum[i], memory, run.tasks.kernel_started[task])
            : -1;

        if (copy >= 0)
            copies.push(copy);
    }
    return copies;
}

/* Of @indices, the one with the greatest @dates; -1: none. */
function latest(indices, dates) {
    let found = -1;

    for (const i of indices)
        if (i >= 0 && (found < 0 || dates[i] > dates[found]))
            found = i;
    return found;
}

function lastParent(run, task) {
    return latest(parentsOf(run, task).map((order) => findTask(run, order)), run.tasks.ended);
}

/* The task before @task on its worker; -1: none. */
function taskBefore(run, task) {
    if (!run.before) {
        const last = new Map();
        const starts = run.tasks.kernel_started;
        const order = Uint32Array.from(starts.keys()).sort((a, b) => starts[a] - starts[b] || a - b);

        run.before = new Int32Array(starts.length).fill(-1);
        for (const one of order) {
            const worker = run.tasks.worker[one];

            if (last.has(worker))
                run.before[one] = last.get(worker);
            last.set(worker, one);
        }
    }
    return run.before[task];
}

/*
 * Returns what the task waited for, in order: { from, to, what, task, copy },
 * of which task and copy are indices or -1. The parts are contiguous, from its
 * submission to the start of its kernel.
 */
function waitsOf(run, task) {
    const { submitted, ready, arrived, kernel_started: starts, kernel_ended: ends } = run.tasks;
    const waits = [];
    let at = submitted[task];
    const add = (to, what, other = -1, copy = -1) => {
        const until = Math.min(to, starts[task]);

        if (until > at) {
            waits.push({ from: at, to: until, what, task: other, copy });
            at = until;
        }
    };
    const before = taskBefore(run, task);
    const copy = latest(copiesFor(run, task), run.copies.ended);

    add(ready[task], "another task had to end first", lastParent(run, task));
    if (before >= 0)
        add(ends[before], "its worker was busy", before);
    if (copy >= 0)
        add(run.copies.ended[copy], "a copy had to arrive", -1, copy);
    add(arrived[task], "the runtime fetched its data: allocation, queues, locks");
    add(starts[task], "overhead of the runtime");
    return waits;
}

/*
 * Returns the path actually taken, from its first task to the last one to end:
 * { task, copy, why }. Going back from a task, the next is what it awaited
 * last: the task before it on its worker, a copy, or a task that it depends on.
 */
function criticalPath(run) {
    const path = [];
    const { ready, kernel_ended: ends } = run.tasks;
    let task = latest(ends.keys(), ends);
    let why = "the last to end";

    while (task >= 0 && path.length < 2 * ends.length) {
        path.push({ task, copy: -1, why });
        const before = taskBefore(run, task);
        const copy = latest(copiesFor(run, task), run.copies.ended);
        const free = before >= 0 ? ends[before] : -1;
        const there = copy >= 0 ? run.copies.ended[copy] : -1;

        if (free >= ready[task] && free >= there) {
            task = before;
            why = "its worker was busy";
            continue;
        }
        if (there > ready[task]) {
            path.push({ task: -1, copy, why: "its data were awaited" });
            why = "the copy followed it";
        } else {
            why = "it depends on it";
        }
        task = lastParent(run, task);
    }
    return path.reverse();
}
