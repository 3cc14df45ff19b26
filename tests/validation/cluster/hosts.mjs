// Places of ranks on the hosts of simulated clusters.

/** Places ranks in order on `perNode` cores of each host. */
export const inOrder = (prefix, hosts, perNode = 1) =>
    Array.from({ length: hosts * perNode }, (_, rank) => `${prefix}${Math.floor(rank / perNode)}`);

/** A fixed shuffle, as a batch system would scatter a job; another seed gives another. */
export function shuffled(list, seed = 1) {
    const out = [...list];
    let state = seed;
    for (let i = out.length - 1; i > 0; i--) {
        state = (state * 48271) % 2147483647;
        const j = state % (i + 1);
        [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
}
