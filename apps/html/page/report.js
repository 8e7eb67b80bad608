/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The page: what its buttons, keys and mouse do.
 */

function byId(id) {
    return document.getElementById(id);
}

/* Chooses a bar and shows it; @center: moves the window to it. */
function choose(chart, bar, center) {
    const { row, place } = bar;
    const show = (run, what, item) => chooseItem(chart, run, what, item);

    chart.chosen = bar;
    byId("status").textContent = describeBar(chart, bar);
    showDetails(chart, bar, show);
    if (center) {
        const span = chart.to - chart.from;
        const from = row.bars.from[place], to = row.bars.to[place];

        if (to < chart.from + 0.02 * span || from > chart.to - 0.02 * span)
            setWindow(chart, (from + to - span) / 2, (from + to + span) / 2);
        const y = yOf(chart, row);

        if (y < axisHeight)
            chart.scroller.scrollTop += y - axisHeight;
        else if (y + row.height > chart.height)
            chart.scroller.scrollTop += y + row.height - chart.height;
    }
    requestDraw(chart);
}

/* The bar of a task or copy; null: it has none. */
function barOf(chart, run, what, item) {
    for (const row of chart.rows.list) {
        const place = row.run === run && row.what === what ? placeOf(row.bars, item) : -1;

        if (place >= 0)
            return { row, place };
    }
    return null;
}

function chooseItem(chart, run, what, item) {
    const bar = barOf(chart, run, what, item);

    if (bar)
        choose(chart, bar, true);
}

function clearChoice(chart) {
    chart.chosen = null;
    byId("details").hidden = true;
    byId("status").textContent = "";
    requestDraw(chart);
}

/* Goes to the next row with bars, up or down, at about the same date. */
function chooseRow(chart, step) {
    const rows = chart.rows.list.filter((row) => row.bars && row.bars.count > 0);
    const { chosen } = chart;

    if (rows.length === 0)
        return;
    const row = chosen ? rows[rows.indexOf(chosen.row) + step] : rows[0];

    if (!row)
        return;
    const date = chosen ? chosen.row.bars.from[chosen.place] : chart.from;

    choose(chart, { row, place: Math.min(firstBarAfter(row.bars, date), row.bars.count - 1) }, true);
}

function chooseNext(chart, step) {
    const { chosen } = chart;

    if (!chosen) {
        chooseRow(chart, 0);
        return;
    }
    const place = Math.min(Math.max(chosen.place + step, 0), chosen.row.bars.count - 1);

    choose(chart, { row: chosen.row, place }, true);
}

/* ---- the path ---- */

/* The paths of all runs; made when first wanted. */
function pathsOf(chart) {
    if (!chart.paths)
        chart.paths = chart.report.runs.map((run) => ({ run, parts: criticalPath(run) }));
    return chart.paths;
}

/* Returns { row, place } of each part of a path, found in one pass. */
function barsOfPath(chart, { run, parts }) {
    const wanted = { task: new Set(), copy: new Set() };
    const found = { task: new Map(), copy: new Map() };

    for (const part of parts)
        wanted[part.task >= 0 ? "task" : "copy"].add(Math.max(part.task, part.copy));
    for (const row of chart.rows.list)
        if (row.run === run && row.bars)
            row.bars.item.forEach((item, place) => {
                if (wanted[row.what].has(item))
                    found[row.what].set(item, { row, place });
            });
    return parts.map((part) =>
        found[part.task >= 0 ? "task" : "copy"].get(Math.max(part.task, part.copy)));
}

function togglePath(chart, shown) {
    byId("path").checked = shown;
    if (shown)
        chart.path = pathsOf(chart).map((path) => barsOfPath(chart, path).filter(Boolean));
    else
        chart.path = [];
    requestDraw(chart);
}

/* ---- keys, mouse, buttons ---- */

function actionOf(chart, event) {
    if (event.ctrlKey || event.altKey || event.metaKey)
        return undefined;
    if (event.shiftKey && event.key === "ArrowLeft")
        return () => pan(chart, -0.25);
    if (event.shiftKey && event.key === "ArrowRight")
        return () => pan(chart, 0.25);
    const actions = {
        ArrowLeft: () => chooseNext(chart, -1),
        ArrowRight: () => chooseNext(chart, 1),
        ArrowUp: () => chooseRow(chart, -1),
        ArrowDown: () => chooseRow(chart, 1),
        Home: () => chooseNext(chart, -Infinity),
        End: () => chooseNext(chart, Infinity),
        "+": () => zoom(chart, 0.5),
        "=": () => zoom(chart, 0.5),
        "-": () => zoom(chart, 2),
        0: () => setWindow(chart, 0, chart.end),
        p: () => togglePath(chart, !byId("path").checked),
        P: () => togglePath(chart, !byId("path").checked),
        Escape: () => clearChoice(chart),
        Enter: () => {
            if (chart.chosen)
                byId("details-heading").focus();
        },
    };

    return Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
}

function listenKeys(chart) {
    chart.canvas.addEventListener("keydown", (event) => {
        const action = actionOf(chart, event);

        if (!action)
            return;
        event.preventDefault();
        action();
    });
}

/* Writes what is below the mouse. */
function hover(chart, event) {
    const found = findAt(chart, event.offsetX, event.offsetY);
    const date = dateAt(chart, event.offsetX);
    let text = found ? found.row.name : "";

    if (found && found.place >= 0)
        text = describeBar(chart, found);
    else if (found && found.row.curves)
        text = found.row.curves.map((curve) => {
            const value = meanBetween(found.row.run, curve, date, date);

            return `${curve.name}: ${isNaN(value) ? "none" : found.row.format(value)}`;
        }).join(", ");
    byId("hover").textContent = event.offsetX < chart.left ? text || "\u00a0"
        : `${formatTime(Math.round(date))}: ${text}`;
}

function listenMouse(chart) {
    const { canvas } = chart;
    let drag = null;

    canvas.addEventListener("pointerdown", (event) => {
        drag = { x: event.offsetX, from: chart.from, to: chart.to, moved: false };
        canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
        if (!drag) {
            hover(chart, event);
            return;
        }
        if (Math.abs(event.offsetX - drag.x) > 3)
            drag.moved = true;
        if (drag.moved) {
            const shift = (drag.x - event.offsetX) / plotWidth(chart) * (drag.to - drag.from);

            setWindow(chart, drag.from + shift, drag.to + shift);
        }
    });
    canvas.addEventListener("pointerup", (event) => {
        const found = drag && !drag.moved ? findAt(chart, event.offsetX, event.offsetY) : null;

        drag = null;
        if (found && found.place >= 0)
            choose(chart, found, false);
    });
    canvas.addEventListener("pointercancel", () => {
        drag = null;
    });
    canvas.addEventListener("dblclick", (event) => zoom(chart, 0.5, event.offsetX));
    canvas.addEventListener("wheel", (event) => {
        if (event.ctrlKey || event.metaKey) {
            event.preventDefault();
            zoom(chart, event.deltaY > 0 ? 1.25 : 0.8, event.offsetX);
        } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            event.preventDefault();
            pan(chart, event.deltaX / plotWidth(chart));
        }
    }, { passive: false });
}

function listenButtons(chart) {
    const { runs } = chart.report;
    const press = (id, action) => byId(id).addEventListener("click", action);

    press("zoom-in", () => zoom(chart, 0.5));
    press("zoom-out", () => zoom(chart, 2));
    press("whole", () => setWindow(chart, 0, chart.end));
    press("left", () => pan(chart, -0.25));
    press("right", () => pan(chart, 0.25));
    byId("path").addEventListener("change", (event) => togglePath(chart, event.target.checked));
    runs.forEach((run, i) => {
        element("option", run.policy, byId("find-run")).value = `${i}`;
    });
    byId("find-run").parentElement.hidden = runs.length === 1;
    byId("find").addEventListener("submit", (event) => {
        const run = runs[+byId("find-run").value];
        const text = byId("find-task").value.trim();
        const task = /^\d+$/.test(text) ? findTask(run, +text) : -1;

        event.preventDefault();
        if (task >= 0)
            chooseItem(chart, run, "task", task);
        else
            byId("status").textContent = `There is no task ${text} here.`;
    });
}

function listenWindow(chart) {
    new ResizeObserver(() => resize(chart)).observe(chart.scroller.parentElement);
    window.addEventListener("resize", () => resize(chart));
    chart.scroller.addEventListener("scroll", () => requestDraw(chart));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        readTheme(chart);
        showLegend(chart);
        requestDraw(chart);
    });
}

/* What takes longer than the first frame: the paths. */
function finish(chart) {
    const show = (run, what, item) => chooseItem(chart, run, what, item);

    for (const { run, parts } of pathsOf(chart))
        showPath(run, parts, show);
    document.documentElement.dataset.complete = `${Math.round(performance.now())}`;
}

async function start() {
    const report = await loadData(byId("data").textContent.trim());

    byId("data").remove();
    for (const run of report.runs)
        run.copyKind = report.kinds.length - 2;
    const rows = makeRows(report);
    const chart = makeChart(byId("chart"), byId("scroller"), report, rows);

    byId("space").style.height = `${rows.height + axisHeight + 2}px`;
    showRemarks(report);
    showResults(report);
    showSettings(report);
    showLists(report);
    showNotes(report);
    showLegend(chart);
    listenKeys(chart);
    listenMouse(chart);
    listenButtons(chart);
    listenWindow(chart);
    resize(chart);
    draw(chart);
    document.documentElement.dataset.drawn = `${Math.round(performance.now())}`;
    setTimeout(() => finish(chart), 0);
}

start().catch((error) => {
    byId("remarks").textContent = `This report cannot be shown: ${error.message}`;
    throw error;
});
