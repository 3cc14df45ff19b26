#!/usr/bin/env python3
"""Makes the set `dahu`, and its saved runs, of the published data in this folder.
  calibrations/dahu/make.py calibrations/sets

With --broken-cooling the set has dgemm as it was while four nodes were not cooled.
"""
import csv
import itertools
import json
import math
import os
import statistics
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
THESIS = "Cornebize, High Performance Computing: towards better performance predictions and experiments (Grenoble 2021)"


def rows(name):
    with open(os.path.join(FOLDER, name), newline="") as file:
        return list(csv.DictReader(file))


def rounded(value):
    return float(f"{value:.7g}")


# ---- dgemm and dtrsm ------------------------------------------------------------------------------

TERMS = {"mnk": (1, 1, 1), "mn": (1, 1, 0), "mk": (1, 0, 1), "nk": (0, 1, 1), "intercept": (0, 0, 0)}
IS_BROKEN = "--broken-cooling" in sys.argv


def processors():
    """The polynomials of each processor and their residuals, means over its rows."""
    of = {}
    for row in rows("dgemm_broken_cooling.csv" if IS_BROKEN else "dgemm_polynomials.csv"):
        of.setdefault((row["node"], row["cpu"]), []).append(row)
    return [{name: statistics.mean(float(row.get(name, 0)) for row in repeated)
             for term in TERMS for name in (term, term + "_residual")} for repeated in of.values()]


def polynomials():
    """Exponents and coefficients for each statistic of a routine model."""
    of = processors()
    mean = {name: statistics.mean(one[name] for one in of) for name in of[0]}
    least, most = (choose(of, key=lambda one: one["mnk"]) for choose in (min, max))
    chosen = {"min": least, "med": mean, "avg": mean, "max": most}
    statistic = {name: {TERMS[term]: one[term] for term in TERMS} for name, one in chosen.items()}
    statistic["std"] = {TERMS[term]: mean[term + "_residual"] for term in TERMS}
    return statistic, len(of)


def halved(polynomial):
    """dtrsm of m right-hand sides of order n: half of dgemm of m, n and k = n."""
    half = {}
    for (m, n, k), coefficient in polynomial.items():
        half[m, n + k] = half.get((m, n + k), 0) + coefficient / 2
    return half


def local(polynomial, basis, low, high):
    """Coefficients in coordinates that are 0 at `low` and 1 at `high`."""
    coefficients = [0.0] * len(basis)
    for exponents, coefficient in polynomial.items():
        # Each size is low + (high - low) u; a power of it has the binomial terms.
        powers = []
        for exponent in exponents:
            terms = [1.0]
            for _ in range(exponent):
                terms = [low * a + (high - low) * b for a, b in zip(terms + [0.0], [0.0] + terms)]
            powers.append(terms)
        for place, inner in enumerate(basis):
            if all(i < len(terms) for i, terms in zip(inner, powers)):
                product = coefficient
                for i, terms in zip(inner, powers):
                    product *= terms[i]
                coefficients[place] += product
    return [rounded(coefficient) for coefficient in coefficients]


def routine_model(routine, flags, parameters, degrees, statistics_of):
    low, high = 1, 262144
    basis = [list(exponents) for exponents in itertools.product(*(range(degree + 1) for degree in degrees))]
    box = {"min": [low] * len(parameters), "max": [high] * len(parameters)}
    coefficients = {name: local(polynomial, basis, low, high) for name, polynomial in statistics_of.items()}
    return {"routine": routine, "flags": flags, "parameters": parameters, "range": [box],
            "unit": "s", "locality": "in_cache", "threads": 1,
            "library": {"name": "OpenBLAS", "version": "0.3.1"}, "basis": basis,
            "regions": [dict(box, error=0, coef=coefficients)]}


UPDATE = (5000, 5000, 128)  # m, n and k of an update in the middle of the runs


def variability():
    """The time of an update on each processor over that of the mean polynomial."""
    def seconds(one):
        return sum(one[term] * math.prod(size ** power for size, power in zip(UPDATE, TERMS[term])) for term in TERMS)
    times = [seconds(one) for one in processors()]
    return [round(time / statistics.mean(times), 4) for time in times]


def kernels():
    dgemm, count = polynomials()
    dtrsm = {name: halved(polynomial) for name, polynomial in dgemm.items()}
    models = [
        routine_model("dgemm", {"transA": "*", "transB": "*"}, ["m", "n", "k"], (1, 1, 1), dgemm),
        routine_model("dtrsm", {"side": "R", "uplo": "*", "trans": "*", "diag": "*"}, ["m", "n"], (1, 2), dtrsm),
    ]
    nodes = "all nodes" if IS_BROKEN else "nodes 1 to 8"
    formula = "dgemm of October and November 2019: seconds = mnk M N K + intercept" if IS_BROKEN else \
        "dgemm of November 2020: seconds = mnk M N K + mn M N + mk M K + nk N K"
    sources = {
        "/kernels/routine_models/0": f"published: {THESIS}, {formula} with all cores of the processor busy; median and "
        f"mean are the mean over {count} processors ({nodes}), minimum and maximum the polynomials of the fastest and the "
        "slowest, the deviation that from call to call",
        "/kernels/routine_models/0/range": "assumed: the polynomial holds for all sizes up to 262,144",
        "/kernels/routine_models/0/regions/0/error": "assumed: the publication has no error of the fit by size",
        "/kernels/routine_models/1": "assumed: dtrsm of order n with m right-hand sides takes half as long as dgemm "
        "of m, n and k = n, which has twice the operations; the publication has dgemm alone",
    }
    sources["/kernels/variability"] = f"published: the same polynomials of {count} processors ({nodes} of 32), at " \
        "m, n, k = " + ", ".join(f"{size:,}" for size in UPDATE)
    return {"routine_models": models, "variability": {"cores": 16, "processor_times": variability()}}, sources


# ---- messages -------------------------------------------------------------------------------------

# Limits are where the measured times jump or bend: Open MPI over PSM2 changes its protocol.
PROTOCOLS = [("eager", 8192), ("buffered", 32768), ("copied", 65536), ("rendezvous", 524288), ("long", None)]
PLATEAU_BYTES = 32 << 20


def fit(points):
    """Latency and inverse bandwidth of least squares of the relative error."""
    s = [sum(bytes_**a / seconds**b for bytes_, seconds in points) for a, b in ((0, 2), (1, 2), (2, 2), (0, 1), (1, 1))]
    scale = s[0] * s[2] - s[1] * s[1]
    return {"latency_s": rounded((s[3] * s[2] - s[4] * s[1]) / scale),
            "inverse_bandwidth_s_per_byte": rounded((s[0] * s[4] - s[1] * s[3]) / scale)}


def byte_seconds(place, operation, other_cores):
    """Seconds of a byte of a message of 256 MiB while the other cores do something."""
    for row in rows("messages_beside_work.csv"):
        if (row["place"], row["operation"], row["other_cores"]) == (place, operation, other_cores):
            return float(row["median_s"]) / float(row["message_bytes"])
    raise LookupError(place)


def network():
    points = [(int(row["message_bytes"]), float(row["median_s"]) / 2)
              for row in rows("messages.csv") if row["operation"] == "pingpong"]
    within = rounded(byte_seconds("loopback", "classical", "Idle"))
    protocols, low = [], 0
    sources = {
        "/network/protocols": f"published: {THESIS}, ping-pong between two nodes, one pair at a time, 200 sizes up to "
        "924 MB, half of there and back; latency and bandwidth of least squares of the relative error in each range; "
        "limits where the times jump, and at 524,288 bytes, where they bend",
        "/network/node_bandwidth_bytes_per_s": "published: the same ping-pong, median rate from 32 MiB on; a node has "
        "one link of 100 Gb/s",
    }
    for i, (name, limit) in enumerate(PROTOCOLS):
        off_node = fit([point for point in points if low < point[0] <= (limit or points[-1][0])])
        # A plain send returns before the message can have arrived up to 8 KiB only.
        protocol = {"name": name, "max_message_bytes": limit, "pipelined": name == "eager", "off_node": off_node}
        sources[f"/network/protocols/{i}/pipelined"] = \
            f"published: {THESIS}, a send of up to 8 KiB returns before the message can have arrived, a longer one does not"
        if not limit or limit > 65536:
            protocol["on_node"] = {"latency_s": off_node["latency_s"], "inverse_bandwidth_s_per_byte": within}
            sources[f"/network/protocols/{i}/on_node/latency_s"] = \
                "assumed: as between nodes; the publication has no messages within a node by size"
            sources[f"/network/protocols/{i}/on_node/inverse_bandwidth_s_per_byte"] = \
                f"published: {THESIS}, ping-pong of 256 MiB within a node while the other cores rest" + \
                ("" if not limit else "; shorter messages are assumed to have the same bandwidth")
        protocols.append(protocol)
        low = limit
    rate = statistics.median(bytes_ / seconds for bytes_, seconds in points if bytes_ >= PLATEAU_BYTES)
    # Most messages within a node are those of rings, whose receivers poll; most between nodes are exchanges.
    busy_node = {
        "on_node_bandwidth_bytes_per_s": rounded(1 / byte_seconds("loopback", "ringrong", "MPI_Iprobe & DGEMM")),
        "off_node_bandwidth_bytes_per_s": rounded(1 / byte_seconds("remote", "classical", "DGEMM")),
    }
    sources["/network/busy_node"] = f"published: {THESIS}, messages of 256 MiB while the other cores run dgemm: a " \
        "ring with polling within a node, a ping-pong between nodes"
    return {"protocols": protocols, "node_bandwidth_bytes_per_s": rounded(rate), "busy_node": busy_node}, sources


# ---- saved runs -----------------------------------------------------------------------------------

NUMBERS = ["n", "block_size", "process_rows", "process_columns", "lookahead_depth"]
NODE_CORES = 32


def run(number, row):
    """The text of a row's run.  The row's number keeps equal repetitions apart."""
    parameters = {name: int(row[name]) for name in NUMBERS}
    parameters |= {"broadcast": row["broadcast"], "swap": row["swap"], "ranks_per_node": NODE_CORES}
    processes = parameters["process_rows"] * parameters["process_columns"]
    is_month = row["date"].count("-") == 1
    notes = [f"published: Cornebize (Grenoble 2021), row {number} of hpl_runs.csv ({row['set']})"]
    if row["cooling"]:
        notes.append({"good": "all nodes cooled", "bad": "four nodes with broken cooling"}[row["cooling"]])
    notes.append("the start is known to the month" if is_month else "the start is known to the day")
    return {
        "schema": "forerun-run-1",
        "model": "hpl",
        "parameters": parameters,
        "time_s": float(row["time_s"]),
        "started_at": row["date"] + ("-01" if is_month else "") + "T00:00:00Z",
        "hosts": -(-processes // NODE_CORES),
        "notes": "; ".join(notes),
    }


# ---- the document ---------------------------------------------------------------------------------


def document():
    models, kernel_sources = kernels()
    messages, network_sources = network()
    hardware = f"published: {THESIS}, dahu: "
    return {
        "schema": "forerun-calibration-1",
        "machine": "dahu",
        "description": "Published data of a real cluster: dahu of Grid'5000, 32 nodes of two Intel Xeon Gold 6130 and "
        "Omni-Path, from the repository of T. Cornebize's thesis (Grenoble 2021)",
        "environment": {
            "cpu": "Intel Xeon Gold 6130",
            "blas": {"name": "OpenBLAS", "version": "0.3.1"},
            "mpi": "Open MPI 2.0.2",
            "compiler": "GCC 6.3",
            "hosts": 32,
        },
        "node": {
            "cores_per_node": NODE_CORES,
            "peak_flops_per_s": 62.26e12 / 32,
            "memory_bytes": 192 << 30,
            "sockets": 2,
        },
        "network": messages,
        "kernels": models,
        "memory": {"node_bandwidth_bytes_per_s": 170.6e9, "core_bandwidth_bytes_per_s": 12.2e9},
        "sources": {
            "/node": hardware + "two processors of 16 cores, hyper-threading off, 192 GB",
            "/node/peak_flops_per_s": hardware + "62.26 Tflop/s in all, over 32 nodes",
            **network_sources,
            **kernel_sources,
            "/memory/node_bandwidth_bytes_per_s": "assumed: two thirds of 256 GB/s, the peak of twelve channels of "
            "DDR4-2666; the publication has no memory bandwidth",
            "/memory/core_bandwidth_bytes_per_s": "assumed: what a core of this generation gets alone of DDR4-2666",
        },
    }


def write(path, lines):
    path = os.path.join(sys.argv[1], path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


def main():
    write("dahu.json", [json.dumps(document(), indent=1, ensure_ascii=False)])
    write("runs/dahu.ndjson", [json.dumps(run(number, row), ensure_ascii=False, separators=(",", ":"))
                               for number, row in enumerate(rows("hpl_runs.csv"), 1)])


if __name__ == "__main__":
    main()
