// What to expect of the measured time: intervals and quantiles in the rows of every question.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startDaemon } from "../daemon.mjs";

const GIVEN = "machine=hopper&n=65536&threads=6";
const ONE = `${GIVEN}&algorithm=cannon&variant=2d&processes=1024&replication=1`;
/* 40 runs of one variant that took 1.01, 1.02, ..., 1.40 of the predicted time. */
const RUNS = 40;
const INTERVAL_FACTOR = 1.37; /* ceil(41 * 0.9) */
const QUANTILE_FACTOR = 1.39; /* ceil(41 * 0.95) */

let daemon, write, time_s;
const fetched = (path, options) => fetch(`${daemon.url}/api/v1/${path}`, options);
const text = async (path) => (await fetched(path)).text();
const get = async (path) => (await fetched(path)).json();
const post = async (path, body) => {
    const response = await fetched(path, {
        method: "POST", headers: { Authorization: `Bearer ${write}`, "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    const answer = await response.json();
    assert.ok(response.status <= 201, JSON.stringify(answer).slice(0, 500));
    return answer;
};
const batch = async (requests) => (await post("predict", { requests })).results;
const close = (value, expected, what) => assert.ok(Math.abs(value - expected) <= 1e-9 * expected, `${what}: ${value}, not ${expected}`);
const day = (i) => new Date(Date.UTC(2026, 0, 1) + i * 86400e3).toISOString();
const codes = (prediction) => prediction.warnings.map((warning) => warning.code);
const wallTime = (seconds) => {
    const minutes = Math.max(1, Math.ceil(seconds / 60 * (1 - 1e-9)));
    return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:00`;
};

before(async () => {
    daemon = await startDaemon();
    write = await daemon.token("write");
    ({ time_s } = await get(`predict/matmul?${ONE}`));
    await post("machines/hopper/runs", Array.from({ length: RUNS }, (_, i) => ({
        model: "matmul", parameters: { algorithm: "cannon", variant: "2d", n: 65536, processes: 1024, threads: 6, replication: 1 },
        time_s: time_s * (1.01 + 0.01 * i), started_at: day(i),
    })));
});
after(() => daemon?.stop());

/* The rows of every question with their predicted times. */
async function rowsOf(more) {
    const recommended = await get(`recommend/matmul?${GIVEN}&max_nodes=64${more}`);
    return {
        predict: [await get(`predict/matmul?${ONE}${more}`)],
        batch: await batch([{ model: "matmul", machine: "hopper", parameters: { algorithm: "cannon", variant: "2d", n: 65536, processes: 1024, threads: 6 },
            ...Object.fromEntries([...new URLSearchParams(more)].map(([name, value]) => [name, Number(value)])) }]),
        rank: (await get(`rank/matmul?${GIVEN}&processes=1024${more}`)).rows,
        recommend: [recommended.best, ...recommended.runners_up, recommended.fastest],
        sweep: (await get(`sweep/matmul?${GIVEN}&algorithm=cannon&variant=2d&processes=256,1024${more}`)).rows,
        forecast: (await get(`forecast/matmul?${GIVEN}&algorithm=cannon&rows=n&columns=processes&processes=256,1024${more}`)).cells,
    };
}

describe("every question", () => {
    test("has the interval of each row", async () => {
        for (const [question, rows] of Object.entries(await rowsOf(""))) {
            assert.ok(rows.length, question);
            for (const row of rows) {
                assert.ok(row.interval, `${question}: ${JSON.stringify(row).slice(0, 300)}`);
                assert.deepEqual([row.interval.runs, row.interval.coverage_fraction], [RUNS, 0.9]);
                close(row.interval.high_s, row.time_s * INTERVAL_FACTOR, question);
                close(row.interval.low_s, row.time_s / INTERVAL_FACTOR, question);
                assert.equal(row.time_quantile_s, undefined);
                assert.equal(row.wall_time, undefined);
            }
        }
    });

    test("has the quantile of each row if it is asked for, from the runs", async () => {
        for (const [question, rows] of Object.entries(await rowsOf("&quantile=0.95"))) {
            for (const row of rows) {
                close(row.time_quantile_s, row.time_s * QUANTILE_FACTOR, question);
                assert.equal(row.wall_time, wallTime(row.time_quantile_s));
                assert.ok(row.time_quantile_basis.startsWith("residuals_of_runs"));
                assert.ok(!JSON.stringify(row.warnings).includes("margin_assumed"));
            }
        }
    });

    test("assumes a margin where the runs do not suffice, and says so; a stated one is no assumption", async () => {
        for (const [question, rows] of Object.entries(await rowsOf("&quantile=0.99"))) {
            for (const row of rows) {
                close(row.time_quantile_s, row.time_s * 1.4, question); /* the largest of 40 runs exceeds 25 % */
                assert.equal(row.time_quantile_basis, "largest_residual");
                assert.ok(JSON.stringify(row.warnings).includes("margin_assumed"), question);
            }
        }
        for (const [question, rows] of Object.entries(await rowsOf("&quantile=0.99&margin_percent=60"))) {
            for (const row of rows) {
                close(row.time_quantile_s, row.time_s * 1.6, question);
                assert.equal(row.time_quantile_basis, "stated_margin");
                assert.ok(!JSON.stringify(row.warnings).includes("margin_assumed"), question);
            }
        }
    });

    test("has the ends of the interval in csv and txt", async () => {
        for (const path of [`predict/matmul.csv?${ONE}`, `rank/matmul.csv?${GIVEN}&processes=1024`, `recommend/matmul.csv?${GIVEN}&max_nodes=64`,
            `sweep/matmul.csv?${GIVEN}&algorithm=cannon&variant=2d&processes=256,1000`,
            `forecast/matmul.csv?${GIVEN}&algorithm=cannon&rows=n&columns=processes&processes=256,1024`]) {
            const [head, first] = (await text(`${path}&quantile=0.95`)).split("\r\n").map((line) => line.split(","));
            const of = Object.fromEntries(head.map((name, i) => [name, first[i]]));
            close(Number(of.time_high_s), Number(of.time_s) * INTERVAL_FACTOR, path);
            close(Number(of.time_low_s), Number(of.time_s) / INTERVAL_FACTOR, path);
            close(Number(of.time_quantile_s), Number(of.time_s) * QUANTILE_FACTOR, path);
            assert.equal(of.wall_time, wallTime(Number(of.time_quantile_s)));
            const plain = (await text(path)).split("\r\n")[0];
            assert.ok(plain.includes("time_low_s,time_high_s") && !plain.includes("quantile") && !plain.includes("wall_time"), plain);
        }
        assert.match(await text(`recommend/matmul.txt?${GIVEN}&max_nodes=64&quantile=0.95&limit=1`), /^wall_time=[0-9]+:[0-5][0-9]:00$/m);
    });
});

test("beyond the measured processes the interval of every row is wider by the expected error", async () => {
    const variant = "algorithm=summa&variant=2d", asked = `machine=hopper&n=65536&threads=1&${variant}&processes=65536`;
    const predicted = await get(`predict/matmul?${asked}&replication=1`);
    const { measured_processes: measured, processes, expected_error_fraction: e, low_s, high_s, message } = predicted.extrapolation;
    assert.deepEqual([measured, processes], [4096, 65536]);
    assert.ok(e > 0.001 && low_s < predicted.time_s);
    close(high_s, predicted.time_s * (1 + e), "the upper end");
    assert.match(message, /^network measured on 4096 of 65536 processes: expect errors of [0-9.]+ %/);
    const factor = Math.exp(Math.hypot(Math.log(INTERVAL_FACTOR), Math.log1p(e)));
    const rows = [predicted, (await get(`rank/matmul?${asked}`)).rows[0], (await get(`sweep/matmul?${asked.replace("n=65536", "n=65536,131072")}`)).rows[0],
        (await get(`forecast/matmul?machine=hopper&threads=1&algorithm=summa&variant=2d&rows=n&columns=processes&n=65536,131072&processes=65536,262144`)).cells[0]];
    for (const row of rows) {
        close(row.interval.high_s / row.time_s, factor, "the upper end");
        close(row.interval.low_s / row.time_s, 1 / factor, "the lower end");
    }
    assert.equal((await get(`predict/matmul?${ONE}`)).extrapolation, null);
});

test("beyond the measured processes the wall time of every row includes the expected error", async () => {
    const asked = "machine=hopper&n=65536&threads=1&algorithm=summa&variant=2d";
    for (const [more, margin] of [["quantile=0.95", QUANTILE_FACTOR], ["quantile=0.99", 1.4], ["quantile=0.99&margin_percent=60", 1.6]]) {
        const predicted = await get(`predict/matmul?${asked}&processes=57600&replication=1&${more}`);
        const { time_s, extrapolation: { expected_error_fraction: e, high_s } } = predicted;
        const factor = Math.exp(Math.hypot(Math.log(margin), Math.log1p(e)));
        const recommended = (await get(`recommend/matmul?${asked}&nodes=2400&objective=time&${more}`)).best;
        assert.equal(recommended.processes, 57600);
        const rows = [predicted, (await get(`rank/matmul?${asked}&processes=57600&${more}`)).rows[0], (await get(`sweep/matmul?${asked}&processes=57600,262144&${more}`)).rows[0], recommended];
        for (const row of rows) {
            assert.ok(row.time_quantile_s >= high_s && row.time_quantile_s >= row.interval.high_s * (margin < INTERVAL_FACTOR ? 0 : 1), more);
            close(row.time_quantile_s / time_s, factor, more);
            assert.equal(row.wall_time, wallTime(row.time_quantile_s));
        }
    }
});

test("a deadline is compared with the time that includes the expected error", async () => {
    const asked = "machine=hopper&n=65536&threads=1&algorithm=summa&variant=2d&nodes=2400&objective=time&quantile=0.95";
    const { time_quantile_s: limit_s, time_s } = (await get(`recommend/matmul?${asked}`)).best;
    assert.ok(limit_s > time_s * QUANTILE_FACTOR * 1.0001);
    assert.equal((await get(`recommend/matmul?${asked}&deadline_s=${limit_s * 1.0001}`)).best.time_quantile_s, limit_s);
    const { errors } = await get(`recommend/matmul?${asked}&deadline_s=${limit_s * 0.9999}`);
    assert.deepEqual(errors.map(({ code, parameter }) => [code, parameter]), [["infeasible", "deadline_s"]]);
    assert.match(errors[0].message, /in 95 of 100 runs, extrapolated: /);
});

test("a line chart of the time has the intervals as bands, unless they are many", async () => {
    const chart = (more) => text(`chart/matmul.gp?machine=hopper&n=65536&algorithm=cannon&processes=256,1024&x=processes${more}`);
    const bands = (script) => (script.match(/^\$band[0-9]+ << EOD$/gm) ?? []).length;
    assert.equal(bands(await chart("&threads=6&variant=2d")), 1);
    const lines = await chart("&variant=2d&threads=3,6&series=threads");
    assert.equal(bands(lines), 2);
    assert.equal(lines.match(/'90 % of measured times'/g).length, 1);
    assert.equal(bands(await chart("&variant=2d&threads=2,3,4,5,6&series=threads")), 0);
    assert.equal(bands(await chart("&variant=2d&threads=6&y=percent_of_peak")), 0);
    assert.equal(bands(await chart("&variant=2d&threads=6&y=computation_s,time_s")), 1);
    assert.equal(bands(await chart("&variant=2d&threads=6&what_if.network.bandwidth=*2")), 0);
});

describe("a quantile", () => {
    test("without runs names the assumption and the remedy", async () => {
        const answer = await get("predict/cholesky?machine=hopper&variant=2d&n=65536&processes=1024&threads=6&quantile=0.95");
        assert.equal(answer.interval, null);
        close(answer.time_quantile_s, 1.25 * answer.time_s, "the margin");
        const { message } = answer.warnings.find((warning) => warning.code === "margin_assumed");
        assert.match(message, /25 %.*0 runs are comparable.*19.*upload runs to \/api\/v1\/machines\/hopper\/runs/);
    });

    test("of a changed machine has no runs, and its baseline has", async () => {
        const answer = await get(`predict/matmul?${ONE}&quantile=0.95&what_if.network.bandwidth=*2`);
        assert.equal(answer.interval, null);
        assert.ok(codes(answer).includes("margin_assumed") && !codes(answer.baseline).includes("margin_assumed"));
        close(answer.time_quantile_s, 1.25 * answer.time_s, "changed");
        close(answer.baseline.time_quantile_s, QUANTILE_FACTOR * answer.baseline.time_s, "baseline");
        const rank = await get(`rank/matmul?${GIVEN}&processes=1024&what_if.network.bandwidth=*2`);
        assert.ok(rank.rows.every((row) => row.interval === null));
    });

    test("judges a deadline", async () => {
        const fits = (deadline, more) => get(`recommend/matmul?${GIVEN}&max_nodes=64&objective=nodes&deadline_s=${deadline}${more}`);
        const fastest = (await fits(1e6, "")).fastest.time_s;
        assert.ok((await fits(1.2 * fastest, "")).best.time_s <= 1.2 * fastest);
        const late = await fits(1.2 * fastest, "&quantile=0.95");
        assert.equal(late.status, 422);
        assert.match(late.errors[0].message, /in 95 of 100 runs/);
        const kept = await fits(1.5 * fastest, "&quantile=0.95");
        for (const row of [kept.best, ...kept.runners_up]) assert.ok(row.time_quantile_s <= 1.5 * fastest);
    });

    for (const [query, parameter] of [["quantile=0.4", "quantile"], ["quantile=1", "quantile"], ["quantile=soon", "quantile"],
        ["quantile=0.9&margin_percent=-1", "margin_percent"], ["margin_percent=50", "margin_percent"], ["quantil=0.95", "quantil"]])
        test(`${query} is refused`, async () => {
            for (const path of [`predict/matmul?${ONE}`, `rank/matmul?${GIVEN}&processes=1024`]) {
                const answer = await get(`${path}&${query}`);
                assert.ok(answer.status === 422 || answer.status === 400, JSON.stringify(answer));
                assert.deepEqual(answer.errors.map((error) => error.parameter), [parameter]);
            }
        });

    test("of the wrong type in a batch is refused", async () => {
        const [answer] = await batch([{ model: "matmul", machine: "hopper", quantile: "0.95", parameters: {} }]);
        assert.ok(answer.errors.some((error) => error.parameter === "quantile"), JSON.stringify(answer));
    });

    test("is kept by its share of later runs, where no configuration of cg was run twice", async () => {
        let state = 7;
        const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
        const question = (place) => ({ model: "cg", machine: "blue-waters", quantile: 0.95,
            parameters: { solver: "pcg", nodes: 64, processes_per_node: 16, local_grid: [16, 16, 8 + place], iterations: 20 } });
        const places = Array.from({ length: 600 }, (_, i) => i * 229 % 600); /* sizes in no order */
        const estimates = await batch(places.map(question));
        const measured = places.map((_, i) => estimates[i].time_s * (0.8 + 0.6 * random()));
        await post("machines/blue-waters/runs", places.slice(0, 100).map((place, i) => ({
            model: "cg", parameters: question(place).parameters, started_at: day(i), time_s: measured[i],
            computation: { phases: { matvec_s: [[1e-3]], preconditioner_s: [[1e-3]], vector_s: [[1e-3]] } },
        })));
        const later = (await batch(places.slice(100).map(question))).map((answer, i) => ({ answer, measured: measured[100 + i] }));
        assert.ok(later.every(({ answer }) => answer.interval.runs >= 30 && !codes(answer).includes("margin_assumed")));
        const share = (is) => later.filter(({ answer, measured: time }) => is(answer, time)).length / later.length;
        const kept = share((answer, time) => time <= answer.time_quantile_s);
        const inside = share(({ interval }, time) => time >= interval.low_s && time <= interval.high_s);
        assert.ok(kept >= 0.93 && kept < 0.99, `${kept} keep the quantile`);
        assert.ok(inside >= 0.87 && inside <= 0.95, `${inside} lie in the interval`);
        const [again] = await batch([question(places[0])]); /* the one run of this configuration serves it */
        assert.equal(again.runs.count, 1);
        assert.ok(again.interval.runs >= 30);
    });
});
