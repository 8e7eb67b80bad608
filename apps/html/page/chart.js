/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The chart: rows over time on a canvas, which is as high as what is seen of
 * them. Bars that are narrower than a pixel become one pixel, in the colour
 * that takes most of it.
 */

const axisHeight = 26;
const noteWidth = 62;
const dashes = [[6, 4], [2, 3], [8, 3, 2, 3], [12, 4]];
const letters = "ATMCBDEF";
const curveDashes = [[], [5, 3], [1.5, 2.5]];

/* Where the page is dark, dark colours are mixed with white, and greys change
   from dark to light. */
function shade(colour, dark) {
    const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    const [r, g, b] = parts;

    if (dark && r === g && g === b)
        return `rgb(${255 - r},${255 - r},${255 - r})`;
    if (!dark || 0.3 * r + 0.59 * g + 0.11 * b > 90)
        return colour;
    return `rgb(${parts.map((part) => Math.round(part + (255 - part) * 0.42)).join(",")})`;
}

function makeChart(canvas, scroller, report, rows) {
    const end = Math.max(...report.runs.map((run) => run.end_ns),
                         ...report.bounds.map((bound) => bound.at_s * 1e9)) * 1.01;
    const chart = {
        canvas, scroller, report, rows, end,
        context: canvas.getContext("2d", { alpha: false }),
        from: 0, to: end,
        width: 0, height: 0, left: 110,
        chosen: null, /* { row, place } */
        path: [],     /* of each run, { row, place } of each part */
        colours: [], theme: {},
    };

    readTheme(chart);
    return chart;
}

/* Reads the colours of the page, which differ in light and dark. */
function readTheme(chart) {
    const style = getComputedStyle(document.documentElement);
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;

    for (const name of ["page", "text", "faint", "line", "lane", "curve", "fill", "mark", "bound"])
        chart.theme[name] = style.getPropertyValue(`--${name}`).trim();
    chart.colours = chart.report.kinds.map((kind) => shade(kind.colour, dark));
}

/* ---- places ---- */

function plotWidth(chart) {
    return Math.max(chart.width - chart.left - noteWidth, 10);
}

function xOf(chart, date) {
    return chart.left + (date - chart.from) / (chart.to - chart.from) * plotWidth(chart);
}

function dateAt(chart, x) {
    return chart.from + (x - chart.left) / plotWidth(chart) * (chart.to - chart.from);
}

/* Sets the window, within the axis. */
function setWindow(chart, from, to) {
    const span = Math.min(Math.max(to - from, 10), chart.end);

    chart.from = Math.min(Math.max(from, 0), chart.end - span);
    chart.to = chart.from + span;
    requestDraw(chart);
}

function zoom(chart, factor, x) {
    const middle = dateAt(chart, x === undefined ? chart.left + plotWidth(chart) / 2 : x);

    setWindow(chart, middle - (middle - chart.from) * factor,
              middle + (chart.to - middle) * factor);
}

function pan(chart, share) {
    const step = share * (chart.to - chart.from);

    setWindow(chart, chart.from + step, chart.to + step);
}

function resize(chart) {
    const ratio = window.devicePixelRatio || 1;
    const most = Math.max(window.innerHeight * 0.75, 240);

    chart.width = chart.scroller.clientWidth;
    chart.context.font = "12px system-ui, sans-serif";
    chart.left = Math.min(Math.max(...chart.rows.list.filter((row) => row.type !== "heading")
        .map((row) => chart.context.measureText(row.name).width), 40) + 12, chart.width / 4);
    chart.height = Math.round(Math.min(chart.rows.height + axisHeight + 2, most));
    chart.scroller.style.height = `${chart.height + 2}px`;
    chart.canvas.style.height = `${chart.height}px`;
    chart.canvas.width = Math.round(chart.width * ratio);
    chart.canvas.height = Math.round(chart.height * ratio);
    requestDraw(chart);
}

function requestDraw(chart) {
    if (chart.requested)
        return;
    chart.requested = true;
    requestAnimationFrame(() => {
        chart.requested = false;
        draw(chart);
    });
}

/* The y of a row on the canvas. */
function yOf(chart, row) {
    return row.y + axisHeight - chart.scroller.scrollTop;
}

/* What is at a point of the canvas: { row, place }, of which place is -1 where
   there is no bar; or null. */
function findAt(chart, x, y) {
    const row = y < axisHeight ? undefined : chart.rows.list.find((one) =>
        yOf(chart, one) <= y && y < yOf(chart, one) + one.height);
    let best = -1, distance = 4;

    if (!row)
        return null;
    if (!row.bars || x < chart.left)
        return { row, place: -1 };
    for (let i = firstBarAfter(row.bars, dateAt(chart, x - 4)); i < row.bars.count; i++) {
        const from = xOf(chart, row.bars.from[i]), to = xOf(chart, row.bars.to[i]);
        const away = Math.max(from - x, x - to, 0);

        if (from - x > 4)
            break;
        if (away < distance || best < 0 && away <= distance) {
            best = i;
            distance = away;
        }
    }
    return { row, place: best };
}

/* ---- drawing ---- */

function drawAxis(chart) {
    const { context, theme } = chart;
    const span = chart.to - chart.from;
    const least = span / Math.max(plotWidth(chart) / 110, 1);
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least);

    context.fillStyle = theme.page;
    context.fillRect(0, 0, chart.width, axisHeight);
    context.textAlign = "center";
    for (let n = Math.ceil(chart.from / step); n * step <= chart.to; n++) {
        const x = Math.round(xOf(chart, n * step)) + 0.5;

        context.strokeStyle = theme.line;
        context.beginPath();
        context.moveTo(x, axisHeight - 5);
        context.lineTo(x, chart.height);
        context.globalAlpha = 0.5;
        context.stroke();
        context.globalAlpha = 1;
        context.fillStyle = theme.faint;
        context.fillText(formatTime(n * step), x, 12);
    }
    context.textAlign = "left";
}

/* Draws the bars of a row between two heights. @scratch: times by kind. */
function drawBars(chart, bars, y, height, scratch) {
    const { context, colours } = chart;
    const scale = plotWidth(chart) / (chart.to - chart.from);
    const left = chart.left, right = chart.left + plotWidth(chart);
    let pixel = -1, most = -1;
    let run = { from: 0, to: 0, kind: -1 }; /* pixels of one colour */
    const put = () => {
        if (run.kind < 0)
            return;
        context.fillStyle = colours[run.kind];
        context.fillRect(run.from, y, run.to - run.from, height);
        run.kind = -1;
    };
    const flush = () => {
        if (pixel < 0)
            return;
        if (run.kind === most && run.to === pixel) {
            run.to++;
        } else {
            put();
            run = { from: pixel, to: pixel + 1, kind: most };
        }
        scratch.fill(0);
        pixel = most = -1;
    };

    for (let i = firstBarAfter(bars, chart.from); i < bars.count; i++) {
        const from = left + (bars.from[i] - chart.from) * scale;
        const to = left + (bars.to[i] - chart.from) * scale;

        if (from >= right)
            break;
        if (to - from >= 1) {
            flush();
            put();
            const x = Math.max(from, left);
            const width = Math.min(to, right) - x;

            context.fillStyle = colours[bars.kind[i]];
            context.fillRect(x, y, width > 3 ? width - 0.6 : width, height);
            continue;
        }
        if (to < left)
            continue;
        const at = Math.max(Math.floor(from), Math.floor(left));

        if (at !== pixel) {
            flush();
            pixel = at;
        }
        scratch[bars.kind[i]] += bars.to[i] - bars.from[i] + 1;
        if (most < 0 || scratch[bars.kind[i]] > scratch[most])
            most = bars.kind[i];
    }
    flush();
    put();
}

/* The mean of a curve between two dates. */
function meanBetween(run, curve, from, to) {
    const parts = curve.means.length;
    const first = Math.floor(from / run.end_ns * parts);
    const last = Math.max(Math.ceil(to / run.end_ns * parts), first + 1);
    let sum = 0;

    if (first < 0 || first >= parts)
        return NaN;
    for (let i = first; i < last && i < parts; i++)
        sum += curve.means[i];
    return sum / (Math.min(last, parts) - first);
}

function drawCurve(chart, row, curve, index) {
    const { context, theme } = chart;
    const bottom = yOf(chart, row) + row.height - 3;
    const scale = (row.height - 7) / row.top;
    const right = Math.min(chart.left + plotWidth(chart), xOf(chart, row.run.end_ns));
    let x = chart.left;

    context.beginPath();
    context.moveTo(x, bottom);
    for (; x < right; x++) {
        const value = meanBetween(row.run, curve, dateAt(chart, x), dateAt(chart, x + 1));

        context.lineTo(x, bottom - (isNaN(value) ? 0 : value) * scale);
    }
    if (row.curves.length === 1) {
        context.lineTo(x, bottom);
        context.fillStyle = theme.fill;
        context.fill();
    }
    context.strokeStyle = index === 2 ? theme.mark : index === 1 ? theme.text : theme.curve;
    context.setLineDash(curveDashes[index % 3]);
    context.lineWidth = 1.3;
    context.stroke();
    context.setLineDash([]);
    context.lineWidth = 1;
}

function drawRow(chart, row, scratch) {
    const { context, theme } = chart;
    const y = yOf(chart, row);
    const middle = y + row.height / 2 + 4;

    if (row.type === "heading") {
        context.fillStyle = theme.text;
        context.font = "bold 13px system-ui, sans-serif";
        context.fillText(row.name, 4, middle);
        context.font = "12px system-ui, sans-serif";
    } else {
        context.fillStyle = theme.lane;
        context.fillRect(chart.left, y + 1, plotWidth(chart), row.height - 2);
        if (row.bars)
            drawBars(chart, row.bars, y + 1, row.height - 2, scratch);
        else
            row.curves.forEach((curve, i) => drawCurve(chart, row, curve, i));
    }
    context.fillStyle = row.type === "heading" ? theme.faint : theme.text;
    if (row.height < 12)
        context.font = "9px system-ui, sans-serif";
    if (row.type !== "heading")
        context.fillText(row.name, 4, middle - (row.height < 12 ? 1 : 0), chart.left - 8);
    context.fillText(row.note, chart.width - noteWidth + 6, middle, noteWidth - 8);
    context.font = "12px system-ui, sans-serif";
}

/* Upright lines at bounds, which have their letters. */
function drawLines(chart) {
    const { context, theme } = chart;
    const texts = new Map(); /* by where they end, in px */

    context.font = "bold 11px system-ui, sans-serif";
    context.textAlign = "right";
    chart.report.bounds.forEach((bound, i) => {
        const x = xOf(chart, bound.at_s * 1e9);

        if (x < chart.left || x > chart.left + plotWidth(chart))
            return;
        context.strokeStyle = theme.bound;
        context.setLineDash(dashes[i % dashes.length]);
        context.beginPath();
        context.moveTo(x, axisHeight);
        context.lineTo(x, chart.height);
        context.stroke();
        context.setLineDash([]);
        const near = [...texts.keys()].find((one) => Math.abs(one - x) < 20);

        texts.set(near ?? x, (texts.get(near) || "") + letters[i]);
    });
    context.fillStyle = theme.bound;
    for (const [x, text] of texts)
        context.fillText(text, x + 4, axisHeight - 2);
    context.textAlign = "left";
    context.font = "12px system-ui, sans-serif";
}

/* The rectangle of a bar, at least 3 px wide: [x, y, width, height]. */
function rectangleOf(chart, { row, place }) {
    const from = Math.max(xOf(chart, row.bars.from[place]), chart.left);
    const to = Math.min(xOf(chart, row.bars.to[place]), chart.left + plotWidth(chart));

    return to < from ? null
        : [from - 1, yOf(chart, row) + 0.5, Math.max(to - from, 1) + 2, row.height - 1];
}

function outline(chart, bar, width) {
    const rectangle = rectangleOf(chart, bar);

    chart.context.lineWidth = width;
    if (rectangle)
        chart.context.strokeRect(...rectangle);
    chart.context.lineWidth = 1;
}

/* Lines from each part of a path to the next. */
function drawPath(chart, path) {
    const { context, theme } = chart;
    const middle = (row) => yOf(chart, row) + row.height / 2;

    context.strokeStyle = theme.mark;
    for (let i = 0; i < path.length; i++) {
        const bar = path[i], next = path[i + 1];

        if (bar.row.bars.to[bar.place] < chart.from || bar.row.bars.from[bar.place] > chart.to)
            continue;
        outline(chart, bar, 1.6);
        if (!next || next.row === bar.row)
            continue;
        context.beginPath();
        context.moveTo(xOf(chart, bar.row.bars.to[bar.place]), middle(bar.row));
        context.lineTo(xOf(chart, next.row.bars.from[next.place]), middle(next.row));
        context.stroke();
    }
}

function draw(chart) {
    const { context, theme } = chart;
    const ratio = window.devicePixelRatio || 1;
    const scratch = new Float64Array(chart.colours.length);

    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = theme.page;
    context.fillRect(0, 0, chart.width, chart.height);
    context.font = "12px system-ui, sans-serif";
    context.save();
    context.beginPath();
    context.rect(0, axisHeight, chart.width, chart.height - axisHeight);
    context.clip();
    for (const row of chart.rows.list)
        if (yOf(chart, row) + row.height > axisHeight && yOf(chart, row) < chart.height)
            drawRow(chart, row, scratch);
    context.beginPath();
    context.rect(chart.left, axisHeight, plotWidth(chart), chart.height - axisHeight);
    context.clip();
    for (const path of chart.path)
        drawPath(chart, path);
    if (chart.chosen) {
        context.strokeStyle = theme.mark;
        outline(chart, chart.chosen, 3);
    }
    context.restore();
    drawAxis(chart);
    drawLines(chart);
}
