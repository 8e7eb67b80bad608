/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is written about the runs, a bar and the path. All texts go in as
 * textContent.
 */

function element(tag, text, parent) {
    const made = document.createElement(tag);

    if (text !== undefined)
        made.textContent = text;
    if (parent)
        parent.append(made);
    return made;
}

function addRow(table, cells, heads) {
    const row = element("tr", undefined, table);

    cells.forEach((cell, i) => {
        const made = element(i < heads ? "th" : "td", cell, row);

        if (i < heads)
            made.scope = "row";
    });
}

function addHead(table, cells) {
    const row = element("tr", undefined, element("thead", undefined, table));

    for (const cell of cells)
        element("th", cell, row).scope = "col";
    return element("tbody", undefined, table);
}

/* ---- results and settings ---- */

/* Sources of times, and the options that give them. */
const timeSources = {
    kernel: ["of calibrated kernels"],
    flops: ["from flops", "assume-flops", "assume-speed"],
    recorded: ["from recorded durations", "times", "assume-speed"],
    given: ["given by the application"],
    none: ["without work"],
};

/* "20 from flops (--assume-speed ...)"; empty if all tasks have kernels of the
 * platform. */
function describeTimes(facts) {
    const counts = Object.entries(facts.times_from ?? {}).filter(([, count]) => count > 0);

    if (counts.every(([source]) => source === "kernel"))
        return "";
    return counts.map(([source, count]) => {
        const [text, ...options] = timeSources[source] ?? [source];
        const option = options.find((name) => typeof facts[name] === "string");

        return `${count} ${text}${option ? ` (--${option} ${facts[option]})` : ""}`;
    }).join(", ");
}

function showTimes(report, section) {
    for (const { policy, facts } of report.runs) {
        const text = describeTimes(facts);

        if (text)
            element("p", `Times of the tasks of ${policy}: ${text}.`, section);
    }
}

function showResults(report) {
    const table = document.getElementById("results");
    const body = addHead(table, ["policy", "makespan", "GFlop/s", "tasks", "to GPUs", "from GPUs",
                                 "between GPUs", "evictions"]);
    const bytes = (number) => number === null || number === undefined ? "" : formatBytes(number);

    for (const { policy, facts, finished, makespan } of report.runs)
        addRow(body, [policy, finished ? formatTime(makespan) : "hangs, unfinished",
                      typeof facts.gflops === "number" ? facts.gflops.toFixed(1) : "",
                      `${facts.tasks}`, bytes(facts.bytes_host_to_device),
                      bytes(facts.bytes_device_to_host), bytes(facts.bytes_device_to_device),
                      `${facts.evictions}`], 1);
    for (const bound of report.bounds)
        addRow(body, [bound.name, formatTime(bound.at_s * 1e9), "", "", "", "", "", ""], 1);
    showTimes(report, document.getElementById("times"));
}

/* Whether @value is a list of objects. */
function isList(value) {
    return Array.isArray(value) && value[0] !== null && typeof value[0] === "object";
}

/* Appends [name, text] of a fact to @list; those of objects by "name.member". */
function flatten(list, name, value) {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
        for (const [member, part] of Object.entries(value))
            flatten(list, `${name}.${member}`, part);
        return;
    }
    if (Array.isArray(value))
        list.push([name, value.map((part) => part !== null && typeof part === "object"
            ? JSON.stringify(part) : `${part}`).join("\n") || "none"]);
    else
        list.push([name, value === null ? "none" : `${value}`]);
}

/* All facts but lists: a column for each run, unless they are the same in all. */
function showSettings(report) {
    const table = document.getElementById("settings");
    const all = report.runs.map((run) => {
        const list = [];

        for (const [name, value] of Object.entries(run.facts))
            if (!isList(value))
                flatten(list, name, value);
        return new Map(list);
    });
    const body = addHead(table, ["", ...report.runs.map((run) => run.policy)]);
    const names = new Set(all.flatMap((facts) => [...facts.keys()]));

    for (const name of names) {
        const texts = all.map((facts) => facts.has(name) ? facts.get(name) : "");

        addRow(body, [name, ...texts], 1);
    }
}

/* The text of a member of a list: times are exact, other figures have four digits. */
function cellText(name, value) {
    if (value === null || value === undefined)
        return "";
    if (Array.isArray(value))
        return value.join(", ");
    if (typeof value === "number" && !Number.isInteger(value) && !name.endsWith("_s"))
        return value.toPrecision(4);
    return typeof value === "object" ? JSON.stringify(value) : `${value}`;
}

/* A table for each list of facts, such as workers and links. The path has a section. */
function showLists(report) {
    const section = document.getElementById("lists");

    for (const run of report.runs) {
        for (const [name, list] of Object.entries(run.facts)) {
            if (!isList(list) || name === "critical_path")
                continue;
            const members = Object.keys(list[0]);
            const table = document.createElement("table");
            const body = addHead(table, members);

            element("h3", report.runs.length > 1 ? `${name} of ${run.policy}` : name, section);
            const wide = element("div", undefined, section);
            wide.className = "wide";
            wide.append(table);
            for (const item of list)
                addRow(body, members.map((member) => cellText(member, item[member])), 1);
        }
    }
}

function showRemarks(report) {
    const remarks = [];

    for (const run of report.runs) {
        if (!run.finished)
            remarks.push(`${run.policy}: unfinished: the run hangs. The chart ends where it stopped.`);
        if (run.thinned)
            remarks.push(`${run.policy}: thinned: of ${run.thinned.bars} bars, ` +
                `${run.thinned.left} are left. Neighbours within ${formatTime(run.thinned.width_ns)} ` +
                "became one bar, of the kernel that takes most of their time, without details.");
    }
    document.getElementById("remarks").textContent = remarks.join("\n");
}

function showNotes(report) {
    const section = document.getElementById("notes");

    for (const note of report.notes) {
        element("h2", note.heading, section);
        element("pre", note.text, section);
    }
}

function addLegend(legend, colour, name) {
    const entry = element("span", undefined, legend);

    element("i", undefined, entry).style.background = colour;
    entry.append(name);
}

function showLegend(chart) {
    const legend = document.getElementById("legend");

    legend.replaceChildren();
    chart.report.kinds.forEach((kind, i) => addLegend(legend, chart.colours[i], kind.name));
    chart.report.bounds.forEach((bound, i) => {
        const entry = element("span", undefined, legend);

        element("b", letters[i], entry);
        entry.append(`${bound.name} ${formatTime(bound.at_s * 1e9)}`);
    });
    const lines = ["solid", "dashed", "dotted"];
    const names = new Set(chart.report.runs.flatMap((run) =>
        run.curves.filter((curve) => curve.kind === "bandwidth").map((curve) => curve.name)));

    if (names.size > 0)
        element("span", `bandwidth: ${[...names].map((name, i) => `${name} ${lines[i]}`).join(", ")}`,
                legend);
}

/* ---- one bar ---- */

/* A link to a task; without it, text, if the report has it not. */
function addTaskLink(parent, run, order, show) {
    const task = findTask(run, order);

    if (task < 0) {
        element("span", `task ${order} (thinned)`, parent);
        return;
    }
    addLink(parent, taskName(run, task), () => show(run, "task", task));
}

function addLink(parent, text, action) {
    const button = element("button", text, parent);

    button.type = "button";
    button.className = "link";
    button.addEventListener("click", action);
}

function addTable(parent, heading, rows) {
    const section = element("div", undefined, parent);

    element("h3", heading, section);
    const table = element("table", undefined, section);

    for (const row of rows)
        addRow(table, row, 1);
    return section;
}

/* Shows at most @most links, and how many more there are. */
function addTaskList(parent, heading, run, orders, show) {
    const section = element("div", undefined, parent);
    const most = 200;

    element("h3", `${heading}: ${orders.length}`, section);
    const list = element("ul", undefined, section);

    for (const order of orders.slice(0, most))
        addTaskLink(element("li", undefined, list), run, order, show);
    if (orders.length > most)
        element("li", `and ${orders.length - most} more`, list);
}

function addWaits(parent, run, task, show) {
    const section = element("div", undefined, parent);

    element("h3", "Why it waited", section);
    const list = element("ol", undefined, section);

    for (const wait of waitsOf(run, task)) {
        const item = element("li", `${formatTime(wait.to - wait.from)}: ${wait.what}`, list);

        if (wait.task >= 0) {
            item.append(": ");
            addTaskLink(item, run, run.tasks.order[wait.task], show);
        }
        if (wait.copy >= 0) {
            item.append(": ");
            addLink(item, copyName(run, wait.copy), () => show(run, "copy", wait.copy));
        }
    }
    if (list.childElementCount === 0)
        element("li", "It did not wait.", list);
}

function addAccesses(parent, run, task, show) {
    const section = element("div", undefined, parent);
    const copies = copiesFor(run, task);

    element("h3", "Data and copies", section);
    const list = element("ul", undefined, section);

    for (let i = run.firstAccesses[task]; i < run.firstAccesses[task + 1]; i++) {
        const datum = run.accesses.datum[i];
        const copy = copies.find((one) => run.copies.datum[one] === datum);
        const item = element("li", `${modeNames[run.accesses.mode[i]]} ${datumName(run, datum)}, ` +
            `${formatBytes(run.data.bytes[datum])}`, list);

        if (copy === undefined)
            continue;
        item.append(": ");
        addLink(item, `copy from ${run.links[run.copies.link[copy]][0]}, ` +
            `${formatTime(run.copies.started[copy])} to ${formatTime(run.copies.ended[copy])}`,
                () => show(run, "copy", copy));
    }
}

function showTask(body, run, task, show) {
    const { tasks } = run;
    const coordinates = coordinatesOf(run, task);
    const dates = [["submitted", "submitted"], ["ready", "ready"], ["data arrived", "arrived"],
                   ["given to the worker", "started"], ["kernel started", "kernel_started"],
                   ["kernel ended", "kernel_ended"], ["end seen", "ended"]];

    addTable(body, "Task", [
        ["kernel", run.names[tasks.kernel[task]]],
        ["name", run.names[tasks.name[task]]],
        ["coordinates", coordinates.join(", ") || "none"],
        ["order of submission", `${tasks.order[task]}`],
        ["priority", `${tasks.priority[task] | 0}`],
        ["worker", workerName(run, tasks.worker[task])],
        ["policy", run.policy],
    ]);
    addTable(body, "Dates", [
        ...dates.map(([label, name]) => [label, formatTime(tasks[name][task])]),
        ["duration", formatTime(tasks.kernel_ended[task] - tasks.kernel_started[task])],
    ]);
    addWaits(body, run, task, show);
    addAccesses(body, run, task, show);
    addTaskList(body, "Depends on", run, parentsOf(run, task), show);
    addTaskList(body, "Awaited by", run,
                childrenOf(run, task).map((child) => tasks.order[child]), show);
}

function showCopy(body, run, copy) {
    const { copies } = run;
    const [from, to] = run.links[copies.link[copy]];
    const time = copies.ended[copy] - copies.started[copy];

    addTable(body, "Copy", [
        ["datum", datumName(run, copies.datum[copy])],
        ["from", from],
        ["to", to],
        ["why", run.names[copies.why[copy]]],
        ["bytes", formatBytes(copies.bytes[copy])],
        ["policy", run.policy],
    ]);
    addTable(body, "Dates", [
        ["requested", formatTime(copies.submitted[copy])],
        ["started", formatTime(copies.started[copy])],
        ["ended", formatTime(copies.ended[copy])],
        ["duration", formatTime(time)],
        ["bandwidth", time > 0 ? `${formatBytes(copies.bytes[copy] * 1e9 / time)}/s` : ""],
    ]);
}

function showMerged(body, run, index) {
    const { merged } = run;

    addTable(body, "Several", [
        ["number", `${merged.count[index]}`],
        ["from", formatTime(merged.from[index])],
        ["to", formatTime(merged.to[index])],
        ["details", "left out: the run has too many bars"],
    ]);
}

/* A line about a bar, also for screen readers. */
function describeBar(chart, { row, place }) {
    const { run, bars } = row;
    const item = bars.item[place];
    const times = `${formatTime(bars.from[place])} to ${formatTime(bars.to[place])}`;

    if (item < 0)
        return `${run.merged.count[-1 - item]} bars, mostly ` +
            `${chart.report.kinds[bars.kind[place]].name}, on ${row.name}, ${times}`;
    if (row.what === "copy")
        return `${copyName(run, item)}, ${run.names[run.copies.why[item]]}, ${times}`;
    const coordinates = coordinatesOf(run, item);

    return `${taskName(run, item)}${coordinates.length > 0 ? ` (${coordinates.join(", ")})` : ""}` +
        ` on ${row.name}, ${times}`;
}

function showDetails(chart, bar, show) {
    const section = document.getElementById("details");
    const body = document.getElementById("details-body");
    const item = bar.row.bars.item[bar.place];

    section.hidden = false;
    document.getElementById("details-heading").textContent = describeBar(chart, bar);
    body.replaceChildren();
    if (item < 0)
        showMerged(body, bar.row.run, -1 - item);
    else if (bar.row.what === "copy")
        showCopy(body, bar.row.run, item);
    else
        showTask(body, bar.row.run, item, show);
}

/* ---- the path ---- */

function showPath(run, path, show) {
    const body = document.getElementById("path-body");
    const tasks = path.filter((part) => part.task >= 0);
    const sum = (parts, from, to) => parts.reduce((total, i) => total + to[i] - from[i], 0);
    const computing = sum(tasks.map((part) => part.task), run.tasks.kernel_started,
                          run.tasks.kernel_ended);
    const copying = sum(path.filter((part) => part.copy >= 0).map((part) => part.copy),
                        run.copies.started, run.copies.ended);

    element("h3", run.policy, body);
    element("p", `${tasks.length} tasks, which compute for ${formatTime(computing)}, and ` +
        `${path.length - tasks.length} copies, which take ${formatTime(copying)}, of ` +
        `${formatTime(run.end_ns)}. Each part is what the next one awaited last.` +
        (run.thinned ? " The report is thinned, hence the path ends at the first task without details."
            : ""), body);
    const list = element("ol", undefined, body);
    const most = 1000;

    for (const part of path.slice(-most)) {
        const item = element("li", undefined, list);

        if (part.task >= 0)
            addTaskLink(item, run, run.tasks.order[part.task], show);
        else
            addLink(item, copyName(run, part.copy), () => show(run, "copy", part.copy));
        item.append(`: ${part.why}`);
    }
    if (path.length > most)
        element("p", `The first ${path.length - most} parts are not listed.`, body);
}
