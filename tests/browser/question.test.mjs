// What the page says that an answer is about: the machine, imaginary or not, and all that was given.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { asking, daemon, page, settled, shownTime, withPages } from "./browser.mjs";

const QUESTION = "machine=hopper&model=matmul&n=16384&processes=1024";

withPages({});

const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();
const text = async (selector) => (await page.locator(selector).first().innerText()).replaceAll("\u00a0", " ").replace(/\s+/g, " ");
const entry = (name) => page.getByRole("textbox", { name, exact: true });
const choice = (name) => page.getByRole("combobox", { name, exact: true });

async function visit(query) {
    await page.goto(`${daemon.url}/?${query}`);
    await settled(page);
}

/* The title of the chart that the page shows, from its script. */
async function chartTitle(section) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(section).getByRole("link", { name: "gnuplot" }).first().click()]);
    const script = await readFile(await download.path(), "utf8");
    return { file: download.suggestedFilename(), title: script.match(/^set label (.*) at screen/m)[1] };
}

describe("what if", () => {
    const CHANGE = "what_if.network.bandwidth=*0.01";

    it("shows the best time before, the same configuration after, and the best time after", async () => {
        await visit(`${QUESTION}&${CHANGE}`);
        const [before, after] = await Promise.all([api("rank/matmul?machine=hopper&n=16384&processes=1024&limit=1"), api(`rank/matmul?machine=hopper&n=16384&processes=1024&limit=1&${CHANGE}`)]);
        const { algorithm, variant, replication } = before.rows[0];
        assert.notDeepEqual([algorithm, variant, replication], [after.rows[0].algorithm, after.rows[0].variant, after.rows[0].replication], "the change makes another configuration the best");
        const same = await api(`predict/matmul?machine=hopper&n=16384&processes=1024&algorithm=${algorithm}&variant=${variant}&replication=${replication}&${CHANGE}`);
        const facts = await page.locator(".effect-of-change .fact").allInnerTexts();
        const seconds = (fact) => Number(fact.replaceAll("\u00a0", " ").match(/\n([\d.]+) s/)[1]);
        const expected = [["Best before", before.rows[0].time_s], ["Same configuration, after", same.time_s], ["Best after", after.rows[0].time_s]];
        assert.equal(facts.length, expected.length);
        for (const [i, [name, time_s]] of expected.entries()) {
            assert.ok(facts[i].startsWith(name), facts[i]);
            assert.ok(Math.abs(seconds(facts[i]) / time_s - 1) < 5e-3, `${facts[i]} is not ${time_s}`);
        }
    });

    it("names the imaginary machine in every part of the page and in every file", async () => {
        await visit(`${QUESTION}&threads=6&precision=single&${CHANGE}`);
        const change = /network\.bandwidth × 0\.01/;
        for (const part of [".imaginary", ".restated", "#scaling figcaption", "#ranking-body .about", "#recommend-body .about", "#what-if-body .lead"])
            assert.match(await text(part), change, part);
        assert.match(await page.title(), /network\.bandwidth/);
        const { file, title } = await chartTitle("#scaling");
        assert.match(title, /'imaginary machine: network\.bandwidth × 0\.01'/);
        assert.match(file, /^matmul-of-order-16384-on-hopper-.*network\.bandwidth-0\.01.*\.gp$/);
        const [ranking] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Ranking as CSV" }).click()]);
        assert.match(ranking.suggestedFilename(), /network\.bandwidth-0\.01-ranking\.csv$/);
        assert.match((await readFile(await ranking.path(), "utf8")).split("\r\n")[1], /network\.bandwidth=\*0\.01$/);
    });

    it("is left by the banner's button", async () => {
        await visit(`${QUESTION}&${CHANGE}`);
        await asking(page, "predict", () => page.getByRole("button", { name: "Back to the machine as calibrated" }).click());
        assert.equal(await page.locator(".imaginary, .change").count(), 0);
        assert.equal(new URL(page.url()).searchParams.get("what_if.network.bandwidth"), null);
    });

    it("compares the given configuration when none is open", async () => {
        await visit(`${QUESTION}&algorithm=cannon&variant=2d&replication=1&${CHANGE}`);
        const names = await page.locator(".effect-of-change dt").allInnerTexts();
        assert.deepEqual(names, ["Before", "After"]);
    });

    it("changes the answer as the factor is typed", async () => {
        await visit(QUESTION);
        const before = await shownTime(page);
        await asking(page, "predict", () => page.getByRole("button", { name: "kernels.dgemm.rate" }).click());
        await asking(page, "predict", () => entry("Factor or value").fill("4"));
        assert.notEqual(await shownTime(page), before);
        assert.match(await text("#what-if-body"), /kernels\.dgemm\.rate × 4/);
        const digits = (value) => value.replace(/\D/g, "").replace(/^0+/, "").length, unit = (value) => value.split(/\s/).at(-1);
        for (const row of await page.locator("#what-if-body tbody tr").all()) {
            const [before, after] = await row.locator("td").allInnerTexts();
            assert.deepEqual([unit(before), digits(before)], [unit(after), digits(after)], `${before}, ${after}`);
        }
        assert.equal(new URL(page.url()).searchParams.get("what_if.kernels.dgemm.rate"), "*4");
        await asking(page, "predict", () => page.getByRole("button", { name: "Remove change 1" }).click());
        assert.equal(await page.locator(".effect-of-change").count(), 0);
        assert.equal(await shownTime(page), before);
    });

    it("is asked again, and drawn again, after a failure", async () => {
        const fail = (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify({ title: "Internal error", status: 500, detail: "It failed." }) });
        const part = page.locator("#sensitivity"), again = part.getByRole("button", { name: "Try again" });
        await page.route(/\/sensitivity\/matmul/, fail);
        await visit("machine=hopper&model=matmul&n=16384&processes=64");
        await part.scrollIntoViewIfNeeded();
        await part.getByText("It failed.").waitFor();
        await page.unroute(/\/sensitivity\/matmul/);
        await page.route(/\/sensitivity\/matmul\/chart/, fail);
        await again.click();
        await part.locator("tbody tr").first().waitFor();
        await part.getByText("It failed.").waitFor();
        await page.unroute(/\/sensitivity\/matmul\/chart/);
        await again.click();
        await part.locator("img").waitFor();
        page.troubles().splice(0); /* status 500 */
    });

    it("is no longer asked of another question", async () => {
        await page.route(/\/sensitivity\/matmul/, () => {});
        await visit("machine=hopper&model=matmul&n=16384&processes=64");
        await page.locator("#sensitivity").scrollIntoViewIfNeeded();
        await page.locator("#sensitivity").getByText("Asking …").waitFor();
        await Promise.all([page.waitForEvent("requestfailed", (request) => /\/sensitivity\/.*n=16384/.test(request.url())),
            page.getByRole("textbox", { name: "n", exact: true }).fill("8192")]);
    });

    it("says which calibrated value matters most, draws it, and changes it", async () => {
        await visit(`${QUESTION}&threads=6`);
        await page.locator("#sensitivity").scrollIntoViewIfNeeded();
        await page.locator("#sensitivity tbody tr").first().waitFor();
        const { rows: [{ algorithm, variant, replication }] } = await api("rank/matmul?machine=hopper&n=16384&processes=1024&threads=6&limit=1");
        const { rows } = await api(`sensitivity/matmul?machine=hopper&n=16384&processes=1024&threads=6&algorithm=${algorithm}&variant=${variant}&replication=${replication}`);
        assert.deepEqual(await page.locator("#sensitivity tbody th").allInnerTexts(), rows.slice(0, 12).map(({ path }) => path));
        await page.locator("#sensitivity img").waitFor();
        await asking(page, "rank", () => page.getByRole("button", { name: `Change ${rows[1].path}` }).click());
        assert.equal(new URL(page.url()).searchParams.get(`what_if.${rows[1].path}`), "*2");
        await page.locator("#sensitivity").scrollIntoViewIfNeeded();
        await page.locator("#sensitivity img").waitFor();
        assert.equal(await page.getByRole("button", { name: `Change ${rows[1].path}` }).count(), 0, "it is changed already");
    });

    it("changes a factor by a slider with a readable value", async () => {
        await visit(`${QUESTION}&${CHANGE}`);
        const slider = page.getByRole("slider", { name: "Factor, by a slider" });
        await asking(page, "rank", () => slider.fill("1.5"));
        assert.equal(new URL(page.url()).searchParams.get("what_if.network.bandwidth"), "*2.83");
        assert.equal(await slider.getAttribute("aria-valuetext"), "2.83 times");
        assert.equal(await page.getByRole("textbox", { name: "Factor or value" }).inputValue(), "2.83");
        await page.getByRole("combobox", { name: "How it changes" }).selectOption("");
        assert.ok(!await slider.isVisible());
    });

    it("reports an unknown path at the change", async () => {
        await visit(`${QUESTION}&what_if.no.such.value=*2`);
        await page.locator(".path[aria-invalid=true]").waitFor();
        assert.equal(await choice("Calibrated value").inputValue(), "no.such.value");
    });
});

describe("identity", () => {
    it("names machine, calibration and all that differs from a default, the same everywhere", async () => {
        await visit(`${QUESTION}&threads=2&contention_model=paper`);
        const { calibration } = await api("machines/hopper"), id = calibration.slice(0, 8);
        const restated = await text(".restated");
        for (const part of ["matmul of order 16,384", "on hopper", id, "1,024 processes of 2 threads", "contention model paper"]) assert.ok(restated.includes(part), `${part}: ${restated}`);
        assert.ok(!restated.includes("step barriers"), restated);
        const { file, title } = await chartTitle("#scaling");
        const line = `matmul of order 16,384 on hopper (${id}): threads 2, contention model paper`;
        assert.equal(title.replace(/'\."\\n"\.'/, " "), `'Time of ${line}'`);
        assert.ok((await text("#scaling figcaption")).startsWith(`Time of ${line}, over processes`));
        assert.equal(await text("#ranking-body .about"), `matmul of order 16,384 on hopper (${id}) with 1,024 processes of 2 threads: contention model paper.`);
        assert.equal(file, `matmul-of-order-16384-on-hopper-${id}-threads-2-contention-model-paper-lines-processes.gp`);
    });
});

describe("recommendation", () => {
    const MATMUL = "machine=hopper&model=matmul&n=16384&processes=64", ASKED = "recommend/matmul?machine=hopper&n=16384&prefer_calibrated=true";
    const lead = () => text("#recommend-body .lead");
    const rows = () => page.locator("#recommend-body tbody tr");

    it("shows the warnings of the best configuration, and which each row has", async () => {
        await visit(MATMUL);
        const { best } = await api(`${ASKED}&objective=knee`);
        assert.ok(best.warnings.length > 0);
        const { warnings } = await api(`predict/matmul?machine=hopper&n=16384&processes=${best.processes}&algorithm=${best.algorithm}&variant=${best.variant}&replication=${best.replication}`);
        const shown = await text("#recommend-body .warnings"), cell = (await page.locator("#recommend-body tr.marked td").allInnerTexts()).at(-1);
        for (const warning of best.warnings) {
            const [code, what = ""] = warning.split(":"), { message } = warnings.find((each) => each.code === code && (each.what ?? "") === what);
            /* Those of one kind have one sentence; paths of the calibration have dots. */
            assert.ok(shown.includes(what ? what : message.slice(1, 20)), `${warning}: ${shown}`);
            if (what) assert.ok(shown.includes(message.slice(message.indexOf(what) + what.length)), `${message}: ${shown}`);
            assert.ok(cell.includes(warning.split(":")[0].replaceAll("_", " ")), `${warning}: ${cell}`);
        }
    });

    it("is the knee inside the calibrated range without a deadline, and the fewest nodes with one", async () => {
        await visit(MATMUL);
        const { best, knee } = await api(`${ASKED}&objective=knee`);
        assert.ok(!best.warnings.some((each) => each.startsWith("extrapolated")) && knee.nodes !== best.nodes);
        assert.match(await lead(), new RegExp(`^${best.nodes} nodes: .*This is the knee of the curve inside the calibrated range: .*knee of all node counts is at ${knee.nodes.toLocaleString("en-GB")} nodes`));
        await asking(page, "recommend", () => entry("Deadline").fill("0.5"));
        const few = await api(`${ASKED}&objective=nodes&deadline_s=0.5`);
        assert.match(await lead(), new RegExp(`^${few.best.nodes} nodes: .*These are the fewest nodes for 500 ms inside the calibrated range\\.`));
        await page.locator("#goal-form").getByText("More limits").click();
        await asking(page, "recommend", () => page.getByLabel("Prefer the calibrated range").uncheck());
        const any = await api("recommend/matmul?machine=hopper&n=16384&objective=nodes&deadline_s=0.5");
        assert.ok(any.best.nodes < few.best.nodes);
        assert.match(await lead(), new RegExp(`^${any.best.nodes} nodes: .*These are the fewest nodes for 500 ms\\.`));
        assert.equal(new URL(page.url()).searchParams.get("prefer_calibrated"), "false");
    });

    it("greys the rows that extrapolate", async () => {
        await visit(`${MATMUL}&deadline_s=1`);
        const { best, runners_up: others } = await api(`${ASKED}&objective=nodes&deadline_s=1&limit=8`);
        const outside = [best, ...others].map(({ warnings }) => warnings.some((each) => each.startsWith("extrapolated")));
        assert.ok(outside.includes(true) && outside.includes(false));
        for (const [i, is] of outside.entries()) assert.equal((await rows().nth(i).getAttribute("class")) === "faint", is, `row ${i}`);
    });

    it("draws the curve, also when no configuration meets the deadline", async () => {
        await visit(`${MATMUL}&deadline_s=1`);
        await page.locator(".curve").scrollIntoViewIfNeeded();
        await page.locator(".curve img").waitFor();
        const { title } = await chartTitle(".curve");
        assert.match(title, /Time and core hours over nodes/);
        await asking(page, "recommend", () => entry("Deadline").fill("1e-9"));
        await page.locator("#recommend-body .problem").waitFor();
        await page.locator(".curve").scrollIntoViewIfNeeded();
        await page.locator(".curve img").waitFor();
    });

    it("is the head of a job script for each scheduler", async () => {
        await visit(`${MATMUL}&threads=6&deadline_s=1`);
        const { best } = await api(`${ASKED}&threads=6&objective=nodes&deadline_s=1`);
        await page.locator("#recommend-body .job summary").click();
        const script = () => text("#recommend-body .job code");
        for (const part of [`--nodes=${best.nodes} `, `--ntasks=${best.processes} `, "--cpus-per-task=6 ", "--time=00:01:00 "]) assert.ok((await script()).includes(part), part);
        await page.locator("#recommend-body").getByRole("combobox", { name: "Scheduler" }).selectOption("pbs");
        assert.match(await script(), new RegExp(`-l select=${best.nodes}:ncpus=`));
    });

    it("of a problem that grows with the nodes is that of least time", async () => {
        await visit("machine=example&model=cg&local_grid=16x16x16&nodes=4&processes_per_node=2&iterations=50");
        await page.locator("#recommend-body tr.marked").waitFor();
        assert.match(await lead(), /This is the best/);
    });
});

describe("a warning", () => {
    it("names values of the calibration as a what-if does", async () => {
        await visit(QUESTION);
        const { rows: [{ algorithm, variant, replication }] } = await api("rank/matmul?machine=hopper&n=16384&processes=1024&limit=1");
        const { warnings } = await api(`predict/matmul?machine=hopper&n=16384&processes=1024&algorithm=${algorithm}&variant=${variant}&replication=${replication}`);
        assert.match(warnings.find(({ code }) => code === "assumed_value").message, /\/contention\/average/);
        const shown = await text("#answer .warnings");
        assert.match(shown, /assumed: network\.protocols, contention\.average, /);
        assert.doesNotMatch(shown, /\s\/\w/);
        assert.ok(shown.startsWith(`${await page.locator("#answer .warnings li").count()} warnings`), shown);
    });
});

describe("tables of configurations", () => {
    it("have the time beside the rank and the nodes, where a phone shows it", async () => {
        await visit(QUESTION);
        await page.locator("#recommend-body table").waitFor();
        for (const [part, first] of [["#ranking-body", "Rank"], ["#recommend-body", "Nodes"]])
            assert.deepEqual((await page.locator(`${part} thead th`).allInnerTexts()).slice(0, 2).map((head) => head.split(/\s/)[0]), [first, "Time"]);
    });

    it("have the button that takes a row in sight", async () => {
        for (const width of [1280, 360]) {
            await page.setViewportSize({ width, height: 800 });
            for (const part of ["ranking", "recommend"]) {
                await visit(`${QUESTION}#${part}`);
                const button = await page.locator(`#${part}-body tbody button`).first().boundingBox(), frame = await page.locator(`#${part}-body .scroll:has(> table)`).last().boundingBox();
                assert.ok(button.x + button.width <= frame.x + frame.width, `${part} at ${width} px: ${button.x + button.width} of ${frame.x + frame.width}`);
            }
        }
    });
});

describe("units", () => {
    it("of a column are those of its typical row", async () => {
        await visit(QUESTION);
        const unit = await page.evaluate(async () => {
            const { column } = await import("./core/table.js");
            return column("time_s", "Time", [0.027, 0.03, 0.031, 4].map((time_s) => ({ time_s }))).unit;
        });
        assert.equal(unit, "ms");
    });
});

describe("a job script", () => {
    const script = async (scheduler) => {
        await choice("For a script: this prediction").selectOption(scheduler);
        const lines = await page.locator("#request code").textContent();
        execFileSync("sh", ["-n"], { input: lines });
        return lines.split("\n");
    };

    it("has the nodes, processes, threads and the time of the answer", async () => {
        await visit(`${QUESTION}&threads=2`);
        const { rows: [{ nodes }] } = await api("rank/matmul?machine=hopper&n=16384&processes=1024&threads=2&limit=1"), each = Math.ceil(1024 / nodes);
        const slurm = await script("slurm");
        assert.match(slurm[1], /^# matmul of order 16,384 on hopper \(\w{8}\) with 1,024 processes of 2 threads: algorithm \w+, /);
        for (const line of [`#SBATCH --nodes=${nodes}`, "#SBATCH --ntasks=1024", "#SBATCH --cpus-per-task=2", "#SBATCH --time=00:01:00", "export OMP_NUM_THREADS=2"]) assert.ok(slurm.includes(line), slurm.join("\n"));
        assert.ok((await script("pbs")).includes(`#PBS -l select=${nodes}:ncpus=${2 * each}:mpiprocs=${each}:ompthreads=2`));
        assert.ok(slurm.includes("srun --cpus-per-task=2 ./program"), "srun does not take the cores of a process over from sbatch");
        const lsf = await script("lsf");
        for (const line of ["#BSUB -n 1024", `#BSUB -R "span[ptile=${each}] affinity[core(2)]"`, "#BSUB -W 00:01"]) assert.ok(lsf.includes(line), lsf.join("\n"));
    });

    it("asks for the upper end of the interval, or of what extrapolation is expected to miss, or a quarter more than predicted", async () => {
        await visit(QUESTION);
        const limits = await page.evaluate(async () => {
            const { timeLimit } = await import("./parts/job.js"), extrapolation = { low_s: 300, high_s: 700 };
            return [{ time_s: 500, interval: { low_s: 400, high_s: 601 } }, { time_s: 500, interval: null, extrapolation }, { time_s: 500, interval: null, extrapolation: { high_s: 601 } }, { time_s: 500, interval: null, extrapolation: { high_s: null } }].map((each) => timeLimit(each).limit_s);
        });
        assert.deepEqual(limits, [601, 700, 625, 625]);
        const { time_quantile_s: assumed, time_s } = await api("predict/matmul?machine=hopper&n=16384&processes=1024&algorithm=cannon&variant=2d&quantile=0.95");
        assert.ok(Math.abs(assumed / time_s - limits.at(-1) / 500) < 1e-9, "the daemon assumes another margin");
    });

    it("is not offered for an imaginary machine", async () => {
        await visit(QUESTION);
        assert.match(await text("#answer-body .headline"), /--time=/);
        await visit(`${QUESTION}&what_if.network.bandwidth=*2`);
        assert.ok(await page.locator("#request option[value=slurm]").isDisabled());
        assert.doesNotMatch(await text("#answer-body .headline"), /--time=/);
    });
});

describe("the first view", () => {
    it("has five questions, each of which leads to a section with its answer", async () => {
        await page.goto(daemon.url);
        await settled(page);
        const links = await page.locator("#doors a").evaluateAll((all) => all.map(({ href, textContent }) => ({ href, title: textContent })));
        assert.deepEqual(links.map(({ title }) => title), ["How many nodes do I ask for?", "Which variant and block size?", "How does it scale?", "Did the machine get slower?", "What would a better network bring?"]);
        for (const { href, title } of links) {
            await page.goto(href);
            await settled(page);
            await page.locator("#time").waitFor();
            assert.equal(await page.locator("#doors").isVisible(), false, title);
            const { hash } = new URL(href);
            await page.locator(`${hash} h2`).first().waitFor();
            await assertInView(hash);
        }
    });
});

/* Charts above may still grow; the browser keeps the section in view. */
async function assertInView(hash) {
    const { top, height } = await page.evaluate((selector) => ({ top: document.querySelector(selector).getBoundingClientRect().top, height: window.innerHeight }), hash);
    assert.ok(top < height && top > -height, `${hash} is at ${top} of ${height}`);
}
