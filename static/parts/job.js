/* The head of a job script for the configuration of an answer. */
import { copyButton, el } from "../core/dom.js";
import { lineOf } from "../core/identity.js";
import { unfolding } from "../core/unfold.js";
import { duration, quantity, range, slurmTime } from "../core/units.js";

/* What `quantile` of the API assumes too, where no saved runs tell how far measured times lie from predictions. */
const ASSUMED_MARGIN = 0.25;

/** The time to ask for, in seconds, and where it comes from. */
export function timeLimit({ time_s, interval, extrapolation }) {
    if (interval && interval.basis !== "variability") return { limit_s: interval.high_s, basis: "upper end of the interval, rounded up to a minute" };
    const limit_s = (1 + ASSUMED_MARGIN) * time_s;
    if (extrapolation?.high_s > limit_s) return { limit_s: extrapolation.high_s, basis: "upper end of the expected error of extrapolation, rounded up to a minute" };
    return { limit_s, basis: "predicted time and an assumed margin of 25\u00a0%, rounded up to a minute" };
}

export const JOBS = [["slurm", "job script for Slurm (sbatch)"], ["pbs", "job script for PBS (qsub)"], ["lsf", "job script for LSF (bsub)"]];

const HEADS = {
    slurm: ({ nodes, processes, threads, limit }) => [`#SBATCH --nodes=${nodes}`, `#SBATCH --ntasks=${processes}`, `#SBATCH --cpus-per-task=${threads}`, `#SBATCH --time=${limit}`],
    pbs: ({ nodes, each, threads, limit }) => [`#PBS -l select=${nodes}:ncpus=${each * threads}:mpiprocs=${each}:ompthreads=${threads}`, `#PBS -l walltime=${limit}`],
    lsf: ({ processes, each, threads, limit }) => [`#BSUB -n ${processes}`, `#BSUB -R "span[ptile=${each}]${threads > 1 ? ` affinity[core(${threads})]` : ""}"`, `#BSUB -W ${limit.slice(0, -3)}`],
};
/* srun does not take over the cores of a process from sbatch. */
const STARTS = { slurm: ({ threads }) => `srun ${threads > 1 ? `--cpus-per-task=${threads} ` : ""}./program`, pbs: ({ processes }) => `cd "$PBS_O_WORKDIR"\nmpiexec -n ${processes} ./program`, lsf: ({ processes }) => `mpiexec -n ${processes} ./program` };

/** scheduler: slurm, pbs or lsf.  Processes are spread evenly over the nodes; ./program stands for the user's. */
export function jobScript(scheduler, prediction, identity) {
    const { interval, time_s } = prediction, nodes = prediction.nodes ?? 1, processes = prediction.processes ?? nodes;
    const { limit_s, basis } = timeLimit(prediction);
    const job = { nodes, processes, each: Math.ceil(processes / nodes), threads: prediction.parameters.threads ?? 1, limit: slurmTime(limit_s) };
    return ["#!/bin/sh", `# ${lineOf(identity)}`.replaceAll("\u00a0", " "),
        `# Predicted: ${duration(time_s)}${interval ? `; ${range(interval.low_s, interval.high_s, { of: time_s })} in ${quantity("coverage_fraction", interval.coverage_fraction)} of cases` : ""}. Limit: ${basis}.`.replaceAll("\u00a0", " "),
        ...HEADS[scheduler](job), `export OMP_NUM_THREADS=${job.threads}`, STARTS[scheduler](job), ""].join("\n");
}

/** A part that unfolds: the script, with a choice of the scheduler and a button that copies it. */
export function jobView(prediction, identity) {
    const script = el("code");
    const kind = el("select", { "aria-label": "Scheduler", on: { change: () => draw() } }, JOBS.map(([value, text]) => el("option", { value }, text)));
    const draw = () => { script.textContent = jobScript(kind.value, prediction, identity); };
    draw();
    return unfolding("job", "As the head of a job script", [el("div", { class: "request-head" }, kind, copyButton("Copy", () => script.textContent)),
        el("pre", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Job script" }, script)], { class: "job" });
}
