// A daemon for tests of the page.
import { fileURLToPath } from "node:url";
import { standingDaemon } from "../api/clock.mjs";
import { startDaemon } from "../daemon.mjs";

const noCharts = fileURLToPath(new URL("no-charts", import.meta.url));

/** charts: gnuplot draws them, however long that takes; otherwise they are empty pictures, which come at once.  The other options are those of startDaemon. */
export const startPageDaemon = ({ charts = false, env = {}, ...options } = {}) =>
    (charts ? standingDaemon({ env, ...options }) : startDaemon({ ...options, env: { PATH: `${noCharts}:${process.env.PATH}`, ...env } }));
