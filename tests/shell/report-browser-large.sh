#!/bin/sh
# Pages of --report under their own policy of security, as users see them: a
# browser that puppeteer-core drives presses keys and clicks. The page of 100,000
# bars and more is drawn in time, and no page loads anything.
set -u
browser=$(command -v chromium) ||
    { echo "SKIP: report-browser-large: no chromium"; exit 77; }
command -v node >/dev/null ||
    { echo "SKIP: report-browser-large: no node"; exit 77; }
NODE_PATH=${NODE_PATH:-$(npm root --global 2>/dev/null)}
export NODE_PATH browser
node -e 'require.resolve("puppeteer-core")' 2>/dev/null ||
    { echo "SKIP: report-browser-large: no puppeteer-core (npm)"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
orrery=$abs_top_builddir/orrery
cd "$folder" || exit 1

complain() {
    echo "FAIL: $*"
    exit 1
}

"$orrery" run cholesky --platform attila --tiles 80 --sched dmda \
    --report large.html --format json >large.json || complain "orrery run"
printf 'id,kernel,duration_us,handles,deps\na,"<img src=x onerror=alert(1)></script>",5000,A:W:8,\nb,"b<!--",5000,A:RW:8,a\n' \
    >'<b>&.csv'
"$orrery" run '<b>&.csv' --platform attila --report hostile.html >/dev/null ||
    complain "hostile names"
"$orrery" run cholesky --platform attila --tiles 16 --gpus 2 --cpus 0 \
    --gpu-memory 32MiB --sched dm --report hang.html >/dev/null 2>&1
[ $? -eq 3 ] || complain "no hang"

cat >drive.js <<'JS'
const fs = require("fs");
const puppeteer = require("puppeteer-core");

const FIRST_FRAME_MS = 2000;
const ZOOM_STEP_MS = 100;
const wrong = [];

function expect(what, ok) {
    if (!ok)
        wrong.push(what);
}

/* The page once it is complete. All that it asks for, logs or pops up is wrong. */
async function open(browser, name) {
    const page = await browser.newPage();

    await page.setViewport({ width: 1200, height: 900 });
    page.on("request", (request) => expect(`${name}: loads ${request.url()}`,
        request.url().endsWith(`/${name}`)));
    page.on("console", (message) => expect(`${name}: logs ${message.text()}`, false));
    page.on("pageerror", (error) => expect(`${name}: ${error}`, false));
    page.on("dialog", (dialog) => {
        expect(`${name}: a dialog`, false);
        dialog.dismiss();
    });
    await page.goto(`file://${process.cwd()}/${name}`);
    await page.waitForFunction(() => document.documentElement.dataset.complete);
    return page;
}

const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);

/* From each key to the frame that follows it, in ms. */
async function zoomSteps(page) {
    await page.evaluate(() => {
        globalThis.steps = [];
        document.addEventListener("keydown", () => {
            const begin = performance.now();

            requestAnimationFrame(() => setTimeout(() =>
                globalThis.steps.push(performance.now() - begin)));
        }, true);
    });
    await page.focus("#chart");
    for (const key of "++++++++----++++----") {
        await page.keyboard.press(key);
        await new Promise((resolve) => setTimeout(resolve, 60));
    }
    return (await page.evaluate(() => globalThis.steps)).sort((a, b) => a - b);
}

/* A machine with other work is slow now and then: the best of three pages. */
async function drawsInTime(browser) {
    let first = Infinity;
    let step = Infinity;

    for (let i = 0; i < 3 && (first > FIRST_FRAME_MS || step > ZOOM_STEP_MS); i++) {
        const page = await open(browser, "large.html");
        const steps = await zoomSteps(page);

        first = Math.min(first, await page.evaluate(() =>
            Number(document.documentElement.dataset.complete)));
        expect("a step for each key", steps.length === 20);
        step = Math.min(step, steps[steps.length >> 1]);
        await page.close();
    }
    console.log(`complete after ${first} ms, a zoom step takes ${step.toFixed(1)} ms`);
    expect(`complete after ${first} ms`, first <= FIRST_FRAME_MS);
    expect(`a zoom step takes ${step} ms`, step <= ZOOM_STEP_MS);
}

async function reactsToUsers(browser) {
    const page = await open(browser, "large.html");
    const box = await (await page.$("#chart")).boundingBox();
    const background = () => page.$eval("body", (body) => getComputedStyle(body).backgroundColor);

    await page.mouse.click(box.x + box.width / 2, box.y + 60);
    expect("a click shows a task", (await textOf(page, "#status")).includes(", task "));
    expect("why it waited", (await textOf(page, "#details-body")).includes("Why it waited"));
    const before = await textOf(page, "#status");
    await page.keyboard.press("ArrowRight");
    expect("a key goes on", await textOf(page, "#status") !== before);
    await page.keyboard.press("Escape");
    expect("Escape clears", await page.$eval("#details", (details) => details.hidden));
    const unnamed = await page.$$eval("button, input, canvas", (elements) => elements.filter(
        (element) => !element.getAttribute("aria-label") && !element.textContent.trim() &&
            !element.labels?.length).length);
    expect(`${unnamed} elements without a name`, unnamed === 0);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    const light = await background();
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    expect("light and dark", await background() !== light);
    const { tasks } = JSON.parse(fs.readFileSync("large.json"));
    expect("its number of tasks", (await textOf(page, "body")).includes(String(tasks)));
}

async function showsNames(browser) {
    const page = await open(browser, "hostile.html");

    expect("a name became an element", await page.$("img") === null);
    expect("the name as text", (await textOf(page, "#legend")).includes(
        "<img src=x onerror=alert(1)></script>"));
    expect("a hang is marked", (await textOf(await open(browser, "hang.html"), "body")).includes(
        "dm: unfinished: the run hangs"));
}

async function main() {
    const browser = await puppeteer.launch({
        executablePath: process.env.browser,
        userDataDir: `${process.cwd()}/profile`,
        args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });

    try {
        await drawsInTime(browser);
        await reactsToUsers(browser);
        await showsNames(browser);
    } finally {
        await browser.close();
    }
    for (const line of wrong)
        console.log(`FAIL: ${line}`);
    process.exitCode = wrong.length > 0 ? 1 : 0;
}

main().catch((error) => {
    console.log(`FAIL: ${error.stack}`);
    process.exitCode = 1;
});
JS
HOME=$folder timeout 300 node drive.js
