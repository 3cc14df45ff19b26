// How the daemon behaves with many saved runs: prints the time of each kind of request.
//   FORERUND=build/forerund [tests/postgresql.sh] node tests/bench/growth.mjs [RUNS [MACHINES]]
// On a file, or beside the PostgreSQL of tests/postgresql.sh.  Half of the runs belong to the first machine.
// Runs beyond UPLOADED are copies that PostgreSQL makes of the uploaded ones, with ids, starts and jobs of their own.
import { execFile } from "node:child_process";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { client, worked } from "../api/client.mjs";
import { isPostgresql, startDaemon } from "../daemon.mjs";

const BATCH = 5000, ROUNDS = 5, UPLOADED = 100_000;
const wanted = Number(process.argv[2] ?? 100_000), machines = Number(process.argv[3] ?? 10);
const OPEN = ["--requests-per-minute", "0", "--long-requests-per-minute", "0", "--writes-per-minute", "0", "--log-level", "warning"];

const daemon = await startDaemon({ calibrations: null, args: OPEN });
const api = client(daemon.url), token = await daemon.token("write");
const name = (i) => `machine-${i}`;
const good = (answer, what) => {
    if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
};
const report = (what, ms, more = "") => console.log(`${what.padEnd(58)} ${ms.toFixed(1).padStart(9)} ms  ${more}`);

let count = 0;
/** A run unlike all others; sizes and times vary. */
function run(started = new Date(Date.UTC(2020, 0, 1) + count * 60e3)) {
    const n = 1000 * (1 + count % 40), processes = [4, 16, 64, 256][count % 4];
    return {
        model: "matmul", parameters: { algorithm: "cannon", variant: "2d", n, processes, step_barriers: count % 8 === 0 },
        time_s: 1e-3 * (1 + (count++ * 7919 % 1000) / 1000), started_at: started.toISOString(), job: `job-${count}`,
    };
}

const many = (length) => Array.from({ length }, () => run());

async function fill(upTo) {
    const begun = performance.now();
    let slowest = 0;
    for (let i = 0; i < machines; i++) good(await api.upload({ ...JSON.parse(worked), machine: name(i) }, token), "calibration");
    for (let batch = 0; count < upTo; batch++) {
        const machine = name(batch % 2 ? 1 + (batch >> 1) % (machines - 1) : 0), before = performance.now();
        good(await api.post(`/api/v1/machines/${machine}/runs`, many(Math.min(BATCH, upTo - count)), { token }), "runs");
        slowest = Math.max(slowest, performance.now() - before);
    }
    const s = (performance.now() - begun) / 1000;
    report(`upload of ${BATCH} runs, the slowest`, slowest, `${Math.round(count / s)} runs a second`);
}

/** Each round copies all uploaded runs, a calendar further.  The vacuum is what the server does by itself, later. */
async function multiply(times) {
    const begun = performance.now(), rows = count * times;
    for (const command of [`DO $$ BEGIN FOR k IN 1..${times} LOOP
            INSERT INTO runs (id, machine, model, calibration, started_at, uploaded_at, job, parameters, time_s, document, owner, kept_bytes)
            SELECT substr(md5(id || k), 1, 16), machine, model, calibration,
                to_char((started_at::timestamptz + k * interval '${count} minutes') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                uploaded_at, job || '-' || k, parameters, time_s, document, owner, kept_bytes
            FROM runs WHERE sequence <= (SELECT MIN(sequence) + ${count - 1} FROM runs) ORDER BY sequence;
            COMMIT;
        END LOOP; END $$`,
        "VACUUM ANALYZE runs"])
        await promisify(execFile)("psql", ["-qXd", daemon.db, "-v", "ON_ERROR_STOP=1", "-c", command]);
    count += rows;
    report(`${rows} copies in SQL`, performance.now() - begun);
}

/** The median of a few requests, the first included, and what it lies between: the quickest depends least on other load. */
async function time(what, ask) {
    const times = [];
    let answer;
    for (let i = 0; i < ROUNDS; i++) {
        const begun = performance.now();
        answer = good(await ask(i), what);
        times.push(performance.now() - begun);
    }
    const sorted = [...times].sort((a, b) => a - b);
    report(what, sorted[ROUNDS >> 1], `first ${times[0].toFixed(1)}, ${sorted[0].toFixed(1)} to ${sorted.at(-1).toFixed(1)}`);
    return answer;
}

try {
    const runs = `/api/v1/machines/${name(0)}/runs`, list = (query) => () => api.get(`${runs}?limit=100&${query}`);
    const ask = `/api/v1/predict/matmul?machine=${name(0)}&algorithm=cannon&variant=2d&n=5000&processes=16`;
    console.log(`${wanted} runs of ${machines} machines, ${isPostgresql ? "PostgreSQL" : "SQLite"}`);
    await fill(isPostgresql ? Math.min(wanted, UPLOADED) : wanted);
    if (count < wanted) await multiply(Math.ceil(wanted / count) - 1);
    const first = await time("the newest runs", list(""));
    let next = first.json.next;
    await time("a page by its cursor", async () => {
        const answer = await api.get(next.startsWith("/") ? next : `${runs}?limit=100&cursor=${next}`);
        next = answer.json.next;
        return answer;
    });
    await time("filter: a value that no run has", list("n=7"));
    await time("filter: a model without runs", list("model=cholesky"));
    await time("filter: a time without runs", list("from=2040-01-01T00:00:00Z"));
    const none = await time("filter: values that occur, but not together", list("n=1000&processes=256"));
    if (none.json.items.length) throw new Error("the filter fits");
    await time("filter: few runs fit, the oldest", list("to=2020-01-01T00:30:00Z"));
    await time("filter: every 40th fits", list("n=5000"));
    await time("all machines", () => api.get("/api/v1/machines"));
    await time("one machine", () => api.get(`/api/v1/machines/${name(0)}`));
    await time("accuracy", () => api.get(`/api/v1/machines/${name(0)}/accuracy?model=matmul`));
    await time("a prediction with its interval", () => api.get(ask));
    await time(`upload of ${BATCH} runs`, () => api.post(runs, many(BATCH), { token }));
    await time("one run uploaded", () => api.post(runs, run(), { token }));
    await time("a prediction after an upload", async () => {
        good(await api.post(runs, run(), { token }), "run");
        return api.get(ask);
    });
    await time("ready", () => api.get("/readyz"));
} finally {
    await daemon.stop();
}
