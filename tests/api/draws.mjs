// Random draws: a quarter of them and always the same; with FORERUN_DRAWS=full all of them, from a seed that
// is printed.  FORERUN_SEED repeats it.
import fc from "fast-check";

export const isFull = process.env.FORERUN_DRAWS === "full";
const seed = Number(process.env.FORERUN_SEED ?? (isFull ? Date.now() % 2 ** 31 : 1));
if (isFull) console.log(`FORERUN_SEED=${seed}`);
fc.configureGlobal({ seed });

/** How many of so many draws to make. */
export const draws = (full) => (isFull ? full : Math.ceil(full / 4));
/** For a daemon whose connections are kept: a busy machine may be slow to use them again. */
export const PATIENT = ["--idle-timeout-s", "86400", "--header-timeout-s", "86400"];
export default fc;
