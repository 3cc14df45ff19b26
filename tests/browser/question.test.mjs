// What the page says that an answer is about: the machine, imaginary or not, and all that was given.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { asking, daemon, downloaded, go, page, settled, shownTime, turn, withPages } from "./browser.mjs";
import { api, choice, entry, visit } from "./visit.mjs";

const QUESTION = "machine=hopper&model=matmul&n=16384&processes=1024";
const ASKED = "machine=hopper&n=16384&processes=1024"; /* the same of the API */

withPages({});

const text = async (selector) => (await page.locator(selector).first().innerText()).replaceAll("\u00a0", " ").replace(/\s+/g, " ");
const inAddress = (name) => new URL(page.url()).searchParams.get(name);
const chosen = ({ algorithm, variant, replication }) => `algorithm=${algorithm}&variant=${variant}&replication=${replication}`;

/* The title of the chart that the page shows, from its script. */
async function chartTitle(section) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(section).getByRole("link", { name: "gnuplot" }).first().click()]);
    const script = await downloaded(download);
    return { file: download.suggestedFilename(), title: script.match(/^set label (.*) at screen/m)[1] };
}

/* Scrolls to a part, which is then requested. */
const see = (part) => page.locator(part).scrollIntoViewIfNeeded();

describe("what if", () => {
    const CHANGE = "what_if.network.bandwidth=*0.01", GIVEN = "threads=6&precision=single";

    it("names the imaginary machine everywhere and compares it with that as calibrated, until the banner's button leaves it", async () => {
        await visit(`${QUESTION}&${GIVEN}&${CHANGE}`);
        const [before, after] = await Promise.all([api(`rank/matmul?${ASKED}&${GIVEN}&limit=1`), api(`rank/matmul?${ASKED}&${GIVEN}&limit=1&${CHANGE}`)]);
        assert.notEqual(chosen(before.rows[0]), chosen(after.rows[0]), "the change makes another configuration the best");
        const same = await api(`predict/matmul?${ASKED}&${GIVEN}&${chosen(before.rows[0])}&${CHANGE}`);
        const facts = await page.locator(".effect-of-change .fact").allInnerTexts();
        const seconds = (fact) => {
            const [, value, unit] = fact.replaceAll("\u00a0", " ").match(/\n([\d.]+) (s|ms)/);
            return Number(value) * { s: 1, ms: 1e-3 }[unit];
        };
        const expected = [["Best before", before.rows[0].time_s], ["Best after", after.rows[0].time_s]];
        assert.equal(facts.length, expected.length);
        for (const [i, [name, time_s]] of expected.entries()) {
            assert.ok(facts[i].startsWith(name), facts[i]);
            assert.ok(Math.abs(seconds(facts[i]) / time_s - 1) < 5e-3, `${facts[i]} is not ${time_s}`);
        }
        const aside = await text("#answer .same");
        assert.ok(Math.abs(seconds(aside.replace(/.*takes /, "\n")) / same.time_s - 1) < 5e-3, `${aside} is not ${same.time_s}`);

        const change = /network\.bandwidth × 0\.01/;
        for (const part of [".imaginary", ".restated", "#scaling figcaption", "#ranking-body .about", "#recommend-body .about", "#what-if-body .lead"])
            assert.match(await text(part), change, part);
        assert.match(await page.title(), /network\.bandwidth/);
        const { file, title } = await chartTitle("#scaling");
        assert.match(title, /'imaginary machine: network\.bandwidth × 0\.01'/);
        assert.match(file, /^matmul-of-order-16384-on-hopper-.*network\.bandwidth-0\.01.*\.gp$/);
        const [ranking] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Ranking as CSV" }).click()]);
        assert.match(ranking.suggestedFilename(), /network\.bandwidth-0\.01-ranking\.csv$/);
        assert.match((await downloaded(ranking)).split("\r\n")[1], /network\.bandwidth=\*0\.01$/);
        assert.ok(await page.locator("#request option[value=slurm]").isDisabled(), "there is no job on it");
        assert.doesNotMatch(await text("#answer-body .headline"), /--time=/);

        await asking(page, "predict", () => page.getByRole("button", { name: "Use the configuration of rank 1", exact: true }).click());
        assert.deepEqual(await page.locator(".effect-of-change dt").allInnerTexts(), ["Before", "After"], "of the given configuration alone");

        await asking(page, "predict", () => page.getByRole("button", { name: "Back to the machine as calibrated" }).click());
        assert.equal(await page.locator(".imaginary, .change").count(), 0);
        assert.equal(inAddress("what_if.network.bandwidth"), null);
        assert.match(await text("#answer-body .headline"), /--time=/);
    });

    it("changes the answer as the factor is typed or slid, and says where it cannot", async () => {
        await visit(QUESTION);
        const before = await shownTime(page);
        await asking(page, "predict", () => page.getByRole("button", { name: "kernels.dgemm.rate", exact: true }).click());
        await asking(page, "predict", () => entry("Factor or value").fill("4"));
        assert.notEqual(await shownTime(page), before);
        assert.match(await text("#what-if-body"), /kernels\.dgemm\.rate × 4/);
        const digits = (value) => value.replace(/\D/g, "").replace(/^0+/, "").length, unit = (value) => value.split(/\s/).at(-1);
        for (const row of await page.locator("#what-if-body tbody tr").all()) {
            const [calibrated, changed] = await row.locator("td").allInnerTexts();
            assert.deepEqual([unit(calibrated), digits(calibrated)], [unit(changed), digits(changed)], `${calibrated}, ${changed}`);
        }
        assert.equal(inAddress("what_if.kernels.dgemm.rate"), "*4");

        const slider = page.getByRole("slider", { name: "Factor, by a slider" });
        await asking(page, "rank", () => slider.fill("1.5"));
        assert.equal(inAddress("what_if.kernels.dgemm.rate"), "*2.83");
        assert.equal(await slider.getAttribute("aria-valuetext"), "2.83 times");
        assert.equal(await entry("Factor or value").inputValue(), "2.83");
        await choice("How it changes").selectOption("");
        assert.ok(!await slider.isVisible());
        await page.locator("#change-0-fault", { hasText: "take only a factor" }).waitFor(); /* until then the page moves below the pointer, and a click is lost */
        await settled(page);

        await asking(page, "predict", () => page.getByRole("button", { name: "Remove change 1" }).click());
        assert.equal(await page.locator(".effect-of-change").count(), 0);
        assert.equal(await shownTime(page), before);

        await turn(page, `${QUESTION}&what_if.no.such.value=*2`);
        await page.locator(".path[aria-invalid=true]").waitFor();
        assert.equal(await choice("Calibrated value").inputValue(), "no.such.value");
    });

    it("says which calibrated value matters most, draws it, and changes it", async () => {
        await visit(`${QUESTION}&threads=6`);
        await see("#sensitivity");
        await page.locator("#sensitivity tbody tr").first().waitFor();
        const { rows: [best] } = await api(`rank/matmul?${ASKED}&threads=6&limit=1`);
        const { rows } = await api(`sensitivity/matmul?${ASKED}&threads=6&${chosen(best)}`);
        assert.deepEqual(await page.locator("#sensitivity tbody th").allInnerTexts(), rows.slice(0, 12).map(({ path }) => path));
        await page.locator("#sensitivity img").waitFor();
        await asking(page, "rank", () => page.getByRole("button", { name: `Change ${rows[1].path}` }).click());
        assert.equal(inAddress(`what_if.${rows[1].path}`), "*2");
        await see("#sensitivity");
        await page.locator("#sensitivity img").waitFor();
        assert.equal(await page.getByRole("button", { name: `Change ${rows[1].path}` }).count(), 0, "it is changed already");
    });

    it("asks and draws what matters most again after a failure, and no longer for another question", async () => {
        const fail = (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify({ title: "Internal error", status: 500, detail: "It failed." }) });
        const part = page.locator("#sensitivity"), again = part.getByRole("button", { name: "Try again" });
        await page.route(/\/sensitivity\/matmul/, fail);
        await visit("machine=hopper&model=matmul&n=16384&processes=64");
        await see("#sensitivity");
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

        await page.route(/\/sensitivity\/matmul/, () => {});
        await entry("n").fill("4096");
        await page.locator(".restated", { hasText: "4,096" }).waitFor();
        await see("#sensitivity");
        await part.getByText("Asking …").waitFor();
        await Promise.all([page.waitForEvent("requestfailed", (request) => /\/sensitivity\/.*n=4096/.test(request.url())), entry("n").fill("8192")]);
    });
});

describe("an answer", () => {
    const MARKS = { slurm: "#SBATCH", pbs: "#PBS", lsf: "#BSUB" };
    const script = async (scheduler) => {
        await choice("For a script: this prediction").selectOption(scheduler);
        const code = page.locator("#request code").getByText(MARKS[scheduler]);
        await code.waitFor();
        const lines = await code.textContent();
        execFileSync("sh", ["-n"], { input: lines });
        return lines.split("\n");
    };

    it("names machine, calibration and all that differs from a default, the same everywhere, also in a job script", async () => {
        await visit(`${QUESTION}&threads=2&contention_model=paper`);
        const { calibration } = await api("machines/hopper"), id = calibration.slice(0, 8);
        const restated = await text(".restated");
        for (const part of ["matmul of order 16,384", "on hopper", id, "1,024 processes of 2 threads", "contention model paper"]) assert.ok(restated.includes(part), `${part}: ${restated}`);
        assert.ok(!restated.includes("step barriers"), restated);
        const { file, title } = await chartTitle("#scaling");
        const line = `matmul of order 16,384 on hopper (${id}): threads 2, contention model paper`;
        assert.equal(title.replace(/'\."\\n"\.'/, " "), `'Percent of peak of ${line.replace(` (${id})`, "")}'`, "a paper prints no calibration's id");
        assert.ok((await text("#scaling figcaption")).startsWith(`Percent of peak of ${line}, over processes`));
        assert.equal(await text("#ranking-body .about"), `matmul of order 16,384 on hopper (${id}) with 1,024 processes of 2 threads: contention model paper.`);
        assert.equal(file, `matmul-of-order-16384-on-hopper-${id}-threads-2-contention-model-paper-lines-processes.gp`);

        const { rows: [best] } = await api(`rank/matmul?${ASKED}&threads=2&contention_model=paper&limit=1`), { nodes } = best, each = Math.ceil(1024 / nodes);
        const slurm = await script("slurm");
        assert.ok(slurm[1].startsWith(`# matmul on hopper, calibration ${calibration}, by forerun `), slurm[1]);
        const { wall_time: wall } = await api(`predict/matmul?${ASKED}&threads=2&contention_model=paper&${chosen(best)}&quantile=0.95`);
        assert.ok((await text("#answer-body .headline")).includes(`--time=${wall}`), "the head and the answer have one time limit");
        for (const head of ["# n=16384", "# contention_model=paper", `#SBATCH --time=${wall}`, `#SBATCH --nodes=${nodes}`, "#SBATCH --ntasks=1024", "#SBATCH --cpus-per-task=2", "export OMP_NUM_THREADS=2"]) assert.ok(slurm.includes(head), slurm.join("\n"));
        assert.ok((await script("pbs")).includes(`#PBS -l select=${nodes}:ncpus=${2 * each}:mpiprocs=${each}:ompthreads=2`));
        assert.ok(slurm.includes("srun --cpus-per-task=2 ./program"), "srun does not take the cores of a process over from sbatch");
        const lsf = await script("lsf");
        for (const head of ["#BSUB -n 1024", `#BSUB -R "span[ptile=${each}] affinity[core(2)]"`, "#BSUB -W 00:01"]) assert.ok(lsf.includes(head), lsf.join("\n"));
    });

    it("has warnings that name values of the calibration as a what-if does, and tables with their times and buttons in sight", async () => {
        const refined = `${ASKED}&contention_model=refined`;
        await visit(`${QUESTION}&contention_model=refined#ranking`);
        const { rows: [best] } = await api(`rank/matmul?${refined}&limit=1`);
        const { warnings } = await api(`predict/matmul?${refined}&${chosen(best)}`);
        assert.match(warnings.find(({ code }) => code === "assumed_value").message, /\/contention\/average/);
        const shown = await text("#answer .warnings");
        assert.match(shown, /assumed: network\.protocols, contention\.average, /);
        assert.doesNotMatch(shown, /\s\/\w/);
        assert.ok(shown.startsWith(`${await page.locator("#answer .warnings li").count()} warnings`), shown);

        for (const [part, first] of [["#ranking-body", "Rank"], ["#recommend-body", "Nodes"]])
            assert.deepEqual((await page.locator(`${part} thead th`).allInnerTexts()).slice(0, 2).map((head) => head.split(/\s/)[0]), [first, "Time"]);
        for (const width of [1280, 360]) {
            await page.setViewportSize({ width, height: 800 });
            for (const part of ["ranking", "recommend"]) {
                await go(page, part);
                const button = await page.locator(`#${part}-body tbody button`).first().boundingBox(), frame = await page.locator(`#${part}-body .scroll:has(> table)`).last().boundingBox();
                assert.ok(button.x + button.width <= frame.x + frame.width, `${part} at ${width} px: ${button.x + button.width} of ${frame.x + frame.width}`);
            }
        }
    });
});

describe("recommendation", () => {
    const MATMUL = "machine=hopper&model=matmul&n=16384&processes=64", RECOMMENDED = "recommend/matmul?machine=hopper&n=16384", INSIDE = `${RECOMMENDED}&prefer_calibrated=true`;
    const lead = () => text("#recommend-body .lead");

    it("has the warnings of each configuration, the reason for the best, the curve, and a job script", async () => {
        await visit(MATMUL);
        const { best, knee } = await api(`${INSIDE}&objective=knee`);
        assert.ok(best.warnings.length > 0);
        const { warnings } = await api(`predict/matmul?machine=hopper&n=16384&processes=${best.processes}&${chosen(best)}`);
        const shown = await text("#recommend-body .warnings"), cell = (await page.locator("#recommend-body tr.marked td").allInnerTexts()).at(-1);
        for (const warning of best.warnings) {
            const [code, what = ""] = warning.split(":"), { message } = warnings.find((each) => each.code === code && (each.what ?? "") === what);
            /* Those of one kind have one sentence; paths of the calibration have dots. */
            assert.ok(shown.includes(what ? what : message.slice(1, 20)), `${warning}: ${shown}`);
            if (what) assert.ok(shown.includes(message.slice(message.indexOf(what) + what.length)), `${message}: ${shown}`);
            assert.ok(cell.includes(warning.split(":")[0].replaceAll("_", " ")), `${warning}: ${cell}`);
        }

        assert.ok(!best.warnings.some((each) => each.startsWith("extrapolated")) && knee.nodes !== best.nodes);
        assert.match(await lead(), new RegExp(`^${best.nodes} nodes: .*This is the knee of the curve inside the calibrated range: .*knee of all node counts is at ${knee.nodes.toLocaleString("en-GB")} nodes`));
        await asking(page, "recommend", () => entry("Deadline").fill("0.5"));
        const few = await api(`${INSIDE}&objective=nodes&deadline_s=0.5`);
        assert.match(await lead(), new RegExp(`^${few.best.nodes} nodes: .*These are the fewest nodes for 500 ms inside the calibrated range\\.`));
        await page.locator("#goal-form").getByText("More limits").click();
        await asking(page, "recommend", () => page.getByLabel("Prefer the calibrated range").uncheck());
        const any = await api(`${RECOMMENDED}&objective=nodes&deadline_s=0.5`);
        assert.ok(any.best.nodes < few.best.nodes);
        assert.match(await lead(), new RegExp(`^${any.best.nodes} nodes: .*These are the fewest nodes for 500 ms\\.`));
        assert.equal(inAddress("prefer_calibrated"), "false");

        await asking(page, "recommend", () => page.getByLabel("Prefer the calibrated range").check());
        await asking(page, "recommend", () => entry("Deadline").fill("1"));
        const second = await api(`${INSIDE}&objective=nodes&deadline_s=1&limit=8`);
        const outside = [second.best, ...second.runners_up].map(({ warnings: all }) => all.some((each) => each.startsWith("extrapolated")));
        assert.ok(outside.includes(true) && outside.includes(false));
        for (const [i, is] of outside.entries()) assert.equal((await page.locator("#recommend-body tbody tr").nth(i).getAttribute("class")) === "faint", is, `row ${i}`);

        await see(".curve");
        await page.locator(".curve img").waitFor();
        assert.match((await chartTitle(".curve")).title, /Time and core hours over nodes/);
        await asking(page, "recommend", () => entry("Deadline").fill("1e-9"));
        await page.locator("#recommend-body .problem").waitFor();
        await see(".curve");
        await page.locator(".curve img").waitFor(); /* no configuration meets the deadline */

        await turn(page, `${MATMUL}&threads=6&deadline_s=1`);
        const { best: six } = await api(`${INSIDE}&threads=6&objective=nodes&deadline_s=1`);
        await page.locator("#recommend-body .job summary").click();
        const script = (mark) => page.locator("#recommend-body .job code").getByText(mark).innerText();
        for (const part of [`--nodes=${six.nodes} `, `--ntasks=${six.processes} `, "--cpus-per-task=6 ", "--time=00:01:00 "]) assert.ok((await script("#SBATCH")).replaceAll("\n", " ").includes(part), part);
        await page.locator("#recommend-body").getByRole("combobox", { name: "Format" }).selectOption("pbs");
        assert.match(await script("#PBS"), new RegExp(`-l select=${six.nodes}:ncpus=`));

        const searched = (more) => api(`recommend/matmul?machine=hopper&threads=6&processes=1024&${more}`);
        await turn(page, `${QUESTION}&threads=6&deadline_s=60`);
        await asking(page, "recommend", () => choice("Objective").selectOption("size"));
        const { best: largest } = await searched("objective=size&deadline_s=60");
        assert.ok((await lead()).startsWith(`n = ${largest.n.toLocaleString("en-GB")} is the largest problem that meets the limits: 60 s on ${largest.nodes} nodes`), await lead());
        await asking(page, "predict", () => page.getByRole("button", { name: "Ask about it" }).click());
        assert.equal(inAddress("n"), String(largest.n));

        await turn(page, `${QUESTION}&threads=6&objective=crossover`);
        await asking(page, "recommend", () => choice("One").selectOption("25d"));
        const { segments, crossings } = await searched("objective=crossover&variant=25d,2d_ovlp&n=1024..65536..1024");
        assert.equal(crossings, 1);
        assert.equal(await lead(), segments.map(({ faster, from }, i) => `${faster} is faster from n = ${from.toLocaleString("en-GB")} on${i ? "." : ", where the range begins; "}`).join(""));
        await asking(page, "recommend", () => choice("Objective").selectOption("time"));
        assert.equal(inAddress("compare"), null, "other objectives compare nothing");

        await turn(page, "machine=example&model=cg&local_grid=16x16x16&nodes=4&processes_per_node=2&iterations=50");
        await page.locator("#recommend-body tr.marked").waitFor();
        assert.match(await lead(), /This is the best/, "of a problem that grows with the nodes");
    });
});
