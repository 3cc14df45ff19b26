/* Makes the parts of the page and connects them: page.js has the state, opening.js loads, asking.js asks, choices.js changes. */
import { byId, copyButton, el, fill } from "./core/dom.js";
import { takeBack, tell } from "./core/notes.js";
import { choose, followBack, followEdits, followWrites, forget, isFirstView, page, pinnedLink, soon, turnTo, write } from "./core/page.js";
import { refold } from "./core/unfold.js";
import { followDownloads } from "./parts/downloads.js";
import { Faults } from "./parts/fields.js";
import { followSections } from "./parts/sections.js";
import { AnswerCharts } from "./charts/answer_charts.js";
import { Chart } from "./charts/chart.js";
import { gridCharts } from "./charts/grid_charts.js";
import { solveCharts } from "./charts/solve_charts.js";
import { pinnedView } from "./machine/calibrations.js";
import { MachinePage } from "./machine/machine.js";
import { Upload } from "./machine/upload.js";
import { Matrices } from "./matrices/matrices.js";
import { Forecast } from "./answer/forecast.js";
import { modelView } from "./answer/model.js";
import { Recommendation } from "./answer/recommend.js";
import { Sensitivity } from "./answer/sensitivity.js";
import { WhatIf } from "./answer/whatif.js";
import { Asking } from "./question/asking.js";
import { choicesOf } from "./question/choices.js";
import { showDoors } from "./question/doors.js";
import { Form } from "./question/form.js";
import { Opening } from "./question/opening.js";
import { Pins } from "./question/pins.js";

const faults = new Faults();
const bodies = { answer: byId("answer-body"), chart: byId("chart-body"), ranking: byId("ranking-body"), whatIf: byId("what-if-body") };

const askSoon = soon(() => asking.ask());

const form = new Form({
    subject: byId("subject"), parameters: byId("parameters"), faults,
    change(name, text) {
        if (text === undefined) delete page.state.values[name];
        else page.state.values[name] = text;
        askSoon();
    },
    pick(name, value) {
        if (name === "machine") turnTo(value);
        else page.state[name] = value;
        if (name === "model") {
            page.state.chart = {};
            choose("sort", "");
            forget("forecast");
            forget("script");
        }
        if (name === "memory") askSoon();
        else opening.open({ push: true, chosen: name });
    },
});
const whatIf = new WhatIf({ form: byId("what-if-form"), faults, change: askSoon });
const recommendation = new Recommendation({
    section: byId("recommend"), form: byId("goal-form"), body: byId("recommend-body"), use: (row) => choices.use(row), take: (question) => choices.take(question), remedies: (fault) => choices.remedies(fault),
    changed: soon(() => { if (page.model) recommendation.ask(page.model, page.state, page.row); }),
});
const choices = choicesOf({ form, whatIf, recommendation, open: (how) => opening.open(how), ask: () => asking.ask(), prepare: () => asking.prepare() });
const chart = new Chart({ form: byId("chart-form"), body: bodies.chart, changed: soon(() => asking.draw()), take: choices.take });
const machinePage = new MachinePage({
    root: byId("machine-body"),
    choose: useCalibration,
});
const matricesPage = new Matrices({ body: byId("matrices-body"), upload: byId("matrix-upload"), show: choices.select, changed: choices.offer });
const upload = new Upload({ root: byId("upload"), uploaded: (machine) => opening.renew(machine) });

const asking = new Asking({
    bodies, ...choices,
    parts: {
        form, faults, chart, recommendation, matrices: matricesPage, machine: machinePage, upload,
        answerCharts: [new AnswerCharts("grids", gridCharts), new AnswerCharts("strong-weak", solveCharts), new Forecast({ section: byId("forecast"), form: byId("forecast-form"), body: byId("forecast-body") }), new Sensitivity(byId("sensitivity"), { change: (path) => whatIf.add(path) })],
        pins: new Pins({ section: byId("compare"), body: byId("compare-body"), link: document.querySelector('nav a[href="#compare"]'), button: byId("pin"), said: byId("pin-said"),
            changed: () => write({ push: true }) }),
    },
});
const opening = new Opening({
    begun: () => asking.leave(), build, tell: showSubject,
    refuse: (error, retry) => asking.refuse(error, retry), ask: () => asking.arrive(),
});

function useCalibration(id) {
    turnTo(page.state.machine, id === page.machine.calibration ? "" : id);
    opening.open({ push: true });
}

function showSubject(served) {
    page.served = served;
    form.showSubject({ ...page, groups: page.machine?.groups ?? null });
}

function build({ fields, calibration, quality, calibrations, id, served }) {
    const { state, model, machine, machines, models } = page, focused = document.activeElement.id;
    showSubject(served);
    refold();
    tell("unknown", state.unknown.length > 0 && [el("code", {}, state.unknown.join(", ")), state.unknown.length > 1 ? " in the address are not known to this page, and are left out." : " in the address is not known to this page, and is left out."]);
    tell("calibration", pinnedView({ machine, calibrations, pinned: state.calibration, useNewest: () => useCalibration(machine.calibration) }));
    if (isFirstView && machine) showDoors(byId("doors"), state, machine.models);
    if (model) {
        form.build(model, state);
        chart.build(model, state, machines);
        fill(byId("model-body"), modelView(model));
    }
    recommendation.build(state, model);
    whatIf.build(state, fields ?? { fields: [], aliases: [] }, calibration);
    machinePage.show({ machine, calibrations, calibration, quality, id, models });
    upload.show(machine);
    matricesPage.build({ shown: state.shown || state.values.matrix, machine });
    if (focused && document.activeElement === document.body) byId(focused)?.focus({ preventScroll: true });
}

new IntersectionObserver(([{ isIntersecting }]) => {
    byId("strip").hidden = isIntersecting;
}).observe(byId("answer-title"));
for (const each of document.querySelectorAll("form")) each.addEventListener("submit", (event) => event.preventDefault());
byId("copy-link").replaceWith(...copyButton("Copy link", pinnedLink));
followEdits();
followWrites(takeBack);
followBack(() => opening.open());
followSections();
followDownloads();
document.body.classList.add("started"); /* ends the wait of style.css */
opening.start();
