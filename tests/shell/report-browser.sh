#!/bin/sh
# The pages of --report in a browser: they show the run, react to keys, clicks
# and buttons, log no error, and take names from strangers as text.
set -u
browser=$(command -v chromium) ||
    { echo "SKIP: report-browser: no chromium"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
bad=0
cd "$folder" || exit 1

complain() {
    echo "FAIL: $*"
    bad=1
}

# The page as it is once its scripts have run: DOM in dom, console in log.
open_page() { # file
    HOME=$folder "$browser" --headless --no-sandbox --disable-gpu \
        --disable-dev-shm-usage --window-size=1200,900 --enable-logging=stderr \
        --virtual-time-budget=20000 --dump-dom "file://$folder/$1" \
        >dom 2>log || complain "$1: the browser fails"
    grep -q 'data-complete=' dom || { complain "$1: not complete"; tail log; }
    ! grep 'CONSOLE' log || complain "$1: messages on the console"
}

shows() { # text
    grep -qF "$1" dom || complain "the page does not show: $1"
}

"$orrery" compare cholesky --platform attila --tiles 4 --sched dmda,eager \
    --report a.html >/dev/null || complain compare
open_page a.html
shows '<th scope="row">dmda</th>'
shows '<th scope="row">critical path bound</th>'
shows '<th scope="row">seed</th>'
shows '<h3>eager</h3>'
shows '<h3>workers of eager</h3>'
! grep -q '<p>Times of the tasks' dom || complain "times of calibrated kernels are mentioned"
printf 'id,kernel,duration_us,handles,deps\na,k,5000,A:W:8,\n' >times.csv
"$orrery" run times.csv --platform attila --report t.html >/dev/null || complain times
open_page t.html
shows '<p>Times of the tasks of dmda: 1 from recorded durations.</p>'
"$orrery" explain cholesky --platform attila --tiles 4 --report e.html \
    >/dev/null || complain explain
open_page e.html
shows '<h3>links</h3>'
shows '<th scope="row">CUDA0-RAM</th>'
! grep -q '{"kind"' dom || complain "the page shows JSON"

# Without its policy of security, a copy of the page tests itself.
cat >test.js <<'JS'
function press(key, shiftKey = false) {
    byId("chart").dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, cancelable: true }));
}
const wrong = [];
function expect(what, ok) {
    if (!ok)
        wrong.push(what);
}
function test() {
    const chart = theChart;
    const status = () => byId("status").textContent;
    const details = () => byId("details-body").textContent;

    press("ArrowRight");
    expect("first bar", status().startsWith("POTRF, task 0"));
    press("ArrowDown");
    press("ArrowUp");
    press("End");
    press("ArrowLeft");
    expect("details", !byId("details").hidden && details().includes("Why it waited") &&
        details().includes("data arrived") && details().includes("Depends on"));
    const span = chart.to - chart.from;
    press("+");
    expect("zoom in", Math.abs((chart.to - chart.from) / span - 0.5) < 1e-9);
    const from = chart.from;
    press("ArrowRight", true);
    expect("pan", chart.from > from);
    press("0");
    expect("whole run", chart.from === 0 && chart.to === chart.end);
    press("p");
    expect("path", byId("path").checked && chart.path.length === 2 && chart.path[0].length > 3);
    press("Escape");
    expect("clear", byId("details").hidden && chart.chosen === null);
    byId("zoom-in").click();
    byId("right").click();
    byId("left").click();
    byId("zoom-out").click();
    byId("find-run").value = "1";
    byId("find-task").value = "3";
    byId("find").requestSubmit();
    expect("find", status().includes("task 3 ") && details().includes("eager"));
    byId("find-task").value = "x";
    byId("find").requestSubmit();
    expect("find nothing", status() === "There is no task x here.");
    const { row, place } = barOf(chart, chart.report.runs[0], "task", 1);
    const at = (type) => new PointerEvent(type, { pointerId: 1 });
    for (const type of ["pointerdown", "pointerup"]) {
        const event = at(type);
        Object.defineProperty(event, "offsetX", { value:
            (xOf(chart, row.bars.from[place]) + xOf(chart, row.bars.to[place])) / 2 });
        Object.defineProperty(event, "offsetY", { value: yOf(chart, row) + 5 });
        byId("chart").dispatchEvent(event);
    }
    expect("click", status().includes("task 1 "));
    const waits = waitsOf(chart.report.runs[0], 1);
    const { submitted, kernel_started } = chart.report.runs[0].tasks;
    expect("waits add up", waits.reduce((sum, wait) => sum + wait.to - wait.from, 0) ===
        kernel_started[1] - submitted[1]);
    document.body.append(`wrong are: ${wrong.join(", ") || "none"}`);
}
JS
python3 - <<'PY' || { echo "SKIP: report-browser: no python3"; exit 77; }
import re
page = open('a.html').read()
page = re.sub('<meta http-equiv[^>]*>', '', page)
script = page.rindex('<script>')
end = page.rindex('</script>')
body = page[script:end].replace('function finish(chart) {', 'let theChart;\n'
    'function finish(chart) {\n    theChart = chart;')
body = body.replace('dataset.complete = `', 'dataset.complete = (test(), 1) && `')
body = body.replace('canvas.setPointerCapture(event.pointerId);', '')
open('b.html', 'w').write(page[:script] + body + open('test.js').read() + page[end:])
PY
open_page b.html
grep -q 'wrong are: none' dom ||
    complain "keys, buttons or clicks: $(grep -o 'wrong are: [^$<]*' dom)"

# Names from strangers, and a run that hangs.
printf 'id,kernel,duration_us,handles,deps\na,"<img src=x onerror=alert(1)></script>",5000,A:W:8,\nb,"b<!--",5000,A:RW:8,a\n' \
    >'<b>&.csv'
"$orrery" run '<b>&.csv' --platform attila --report c.html >/dev/null ||
    complain hostile
open_page c.html
shows '&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;'
! grep -q '<img' dom || complain "a name became an element"
"$orrery" run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 32MiB --sched dm --report d.html >/dev/null 2>&1
open_page d.html
shows 'dm: unfinished: the run hangs'
exit $bad
