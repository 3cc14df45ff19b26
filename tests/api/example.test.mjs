// The set `example` answers everything: each model, with each choice of each option, and with each choice beside each
// other option (FORERUN_DRAWS=full: beside each choice of it). The questions follow from the descriptors of the models, so that a new model or option fails here
// until `make example` has measured what it reads.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { client } from "./client.mjs";
import { isFull } from "./draws.mjs";
import { grid, readyMatrix } from "./matrix_server.mjs";

const { model: only } = process.env;
const AT_ONCE = 500;
const BASES = 12;
/** Texts have no choices: some calls, and the matrix that is uploaded below. */
const texts = { calls: "dgemm NN 64 64 64 -1; dtrsm LLNN 64 64 -1 | dtrmm RLNN 64 64 +1; dgemm NN 64 64 64 -1", matrix: "grid" };

const daemon = await startDaemon();
const api = client(daemon.url);
after(() => daemon.stop());
const models = (await api.get("/api/v1/models")).json.items.map(({ name }) => name);

before(async () => readyMatrix(api, await daemon.token("write"), "name=grid", grid(20)));

/** The answers for lists of parameters, in order. */
async function predict(model, questions) {
    const answers = [];
    for (let from = 0; from < questions.length; from += AT_ONCE) {
        const requests = questions.slice(from, from + AT_ONCE).map((parameters) => ({ model, machine: "example", parameters }));
        const { status, json, text } = await api.post("/api/v1/predict", { requests });
        assert.equal(status, 200, text.slice(0, 500));
        answers.push(...json.results);
    }
    return answers;
}

const isAnswer = ({ time_s }) => time_s > 0;
/** What the answer says that the calibration lacks. */
const lacking = ({ errors = [], warnings = [] }) => [
    ...errors.filter(({ code, parameter }) => code === "calibration_group_missing" || parameter === "calibration"),
    ...warnings.filter(({ code }) => code === "pattern_missing" || code === "broadcast_algorithm_assumed"),
].map(({ message }) => message);

/** Values to begin with, until none is refused. 64 processes form squares, cubes and layers of squares. */
function guesses({ name, type, choices, minimum = 0, maximum = Infinity }) {
    if (type === "text") return [texts[name]];
    if (type === "choice" || type === "set") return choices;
    if (type === "boolean") return [false, true];
    if (type === "vector") return [[8, 8, 8], [8, 8], [8]];
    return [64, 16, 4, 2, 1].filter((value) => value >= minimum && value <= maximum);
}

/** A question that is answered: required parameters, and others that a refusal names. */
async function firstQuestion(model, parameters) {
    const asked = {}, next = {};
    for (let tries = 0; tries < 100; tries++) {
        const [answer] = await predict(model, [asked]);
        assert.deepEqual(lacking(answer), [], `${model} ${JSON.stringify(asked)}`);
        if (isAnswer(answer)) return asked;
        for (const name of new Set(answer.errors.map((fault) => fault.parameter))) {
            const parameter = parameters.find((each) => each.name === name);
            assert.ok(parameter, `${model} ${JSON.stringify(asked)}: ${JSON.stringify(answer.errors)}`);
            const values = guesses(parameter), at = next[name] ?? 0;
            next[name] = at + 1;
            assert.ok(values.length > 0 && values[0] !== undefined, `${model}: no value for ${name}`);
            asked[name] = values[at % values.length];
        }
    }
    return assert.fail(`${model}: no question found, last ${JSON.stringify(asked)}`);
}

/** Each value of a parameter that says how to predict, not how large the problem is: [{name: value}]. */
function options({ name, type, choices, minimum, maximum }) {
    const values = {
        choice: () => choices, boolean: () => [false, true],
        set: () => [[], ...choices.map((choice) => [choice]), choices],
        number: () => [Math.min(1, maximum)],
        integer: () => (maximum - minimum < 64 ? Array.from({ length: maximum - minimum + 1 }, (_, i) => minimum + i) : [1, 2]),
    }[type]?.() ?? [];
    return values.filter((value) => !(value < minimum)).map((value) => ({ [name]: value }));
}

/** Pairs of choices of two options in which each choice is at least once; all pairs in the long form. */
function pairsOf(ones, others, shift) {
    if (isFull) return ones.flatMap((one) => others.map((other) => [one, other]));
    return Array.from({ length: Math.max(ones.length, others.length) }, (_, i) => [ones[i % ones.length], others[(i + shift) % others.length]]);
}

const isRequiredToAnswer = ({ type }) => ["choice", "boolean", "set"].includes(type);

test("all variants and block sizes of large matrices are ranked by the reuse of their operands", async () => {
    const { status, json } = await api.get("/api/v1/rank/sylv?machine=example&m=1500&n=1500&locality=reuse");
    assert.equal(status, 200, JSON.stringify(json).slice(0, 500));
    assert.equal(json.considered, 16 * 32);
});

for (const model of models.filter((name) => !only || name === only))
    describe(model, () => {
        let parameters, choices, all, bases;
        before(async () => {
            ({ json: { parameters } } = await api.get(`/api/v1/models/${model}`));
            choices = parameters.map((parameter) => options(parameter)).filter((list) => list.length > 0);
            all = parameters.flatMap((parameter) => options(parameter).map((option) => ({ parameter, option })));
            bases = [await firstQuestion(model, parameters)];
        });

        test("each option is answered with some others, and lacks nothing", async () => {
            let open = all;
            const isRefusedItself = new Map(all.map((each) => [each, true]));
            // An option that the first question does not allow may go together with another option.
            for (let depth = 0; depth < 3 && open.length > 0; depth++) {
                const questions = open.flatMap(({ option }) => bases.map((base) => ({ ...base, ...option })));
                const answers = await predict(model, questions);
                for (const [i, answer] of answers.entries()) assert.deepEqual(lacking(answer), [], JSON.stringify(questions[i]));
                const answered = new Set(questions.filter((_, i) => isAnswer(answers[i])));
                const count = bases.length;
                for (const [i, each] of open.entries())
                    if (!answers.slice(i * count, (i + 1) * count).every(({ errors }) => errors?.some((e) => e.parameter === each.parameter.name)))
                        isRefusedItself.set(each, false);
                open = open.filter((_, i) => !questions.slice(i * count, (i + 1) * count).some((question) => answered.has(question)));
                const some = [...answered], step = Math.max(1, Math.floor(some.length / (BASES * 8)));
                bases.push(...some.filter((_, i) => i % step === 0));
            }
            // The model may have no use for a value, and say so whatever else is asked.
            const unanswered = open.filter((each) => isRequiredToAnswer(each.parameter) && !isRefusedItself.get(each));
            assert.deepEqual(unanswered.map(({ option }) => option), []);
        });

        test("a list of a tunable ranks what its single values rank", async () => {
            const tunables = parameters.filter(({ tunable }) => tunable).map(({ name }) => name);
            const write = (value) => (Array.isArray(value) ? value.join(typeof value[0] === "number" ? "x" : ":") : value);
            const given = Object.entries(bases[0]).filter(([name]) => !tunables.includes(name))
                .map(([name, value]) => `${name}=${encodeURIComponent(write(value))}`).join("&");
            const rank = async (more) => (await api.get(`/api/v1/rank/${model}?machine=example&${given}${more}`)).json;
            const { rows } = await rank("");
            for (const name of tunables) {
                const values = [...new Set(rows.map((row) => row[name]))].slice(0, 2);
                if (values.length < 2) continue;
                const both = await rank(`&${name}=${[...values].reverse()}`), single = [];
                for (const value of values) single.push(await rank(`&${name}=${value}`));
                const best = single.map((answer) => answer.rows[0]).sort((a, b) => a.time_s - b.time_s)[0];
                assert.equal(both.considered, single[0].considered + single[1].considered, `${name}=${values}`);
                assert.equal(both.rows[0].time_s, best.time_s, `${name}=${values}`);
                both.rows.forEach((row, i) => assert.ok(i === 0 || row.time_s >= both.rows[i - 1].time_s));
            }
        });

        test("no option beside another one lacks anything", async () => {
            const pairs = choices.flatMap((ones, at) => choices.slice(at + 1).flatMap((others, shift) => pairsOf(ones, others, shift)))
                .map(([one, other]) => ({ ...bases[0], ...one, ...other }));
            const answers = await predict(model, pairs);
            assert.ok(answers.some(isAnswer), model);
            for (const [i, answer] of answers.entries()) assert.deepEqual(lacking(answer), [], JSON.stringify(pairs[i]));
        });
    });
