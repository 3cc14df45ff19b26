#!/usr/bin/env python3
"""Asks forerun from Python: nothing but the standard library.

As a program, `ask.py [MACHINE]` prints the fastest Cholesky factorization of each number of processes.
The daemon is FORERUN_URL; uploads need a token in FORERUN_TOKEN.
"""
import csv
import io
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

DAEMON = os.environ.get("FORERUN_URL", "http://127.0.0.1:8080")
TIMEOUT_S = 60


class Refused(Exception):
    """The daemon refuses a request; the text has a line for each fault."""


def send(path, body=None, **query):
    """The text of an answer. Raises Refused, or OSError where there is no answer."""
    address = f"{DAEMON}/api/v1/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(address, data=body)
    if body is not None:
        request.add_header("Content-Type", "text/plain")
        request.add_unredirected_header("Authorization", f"Bearer {os.environ.get('FORERUN_TOKEN', '')}")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        if error.headers.get_content_type() != "application/problem+json":
            raise
        problem = json.load(error)
        faults = [f"{fault.get('parameter') or fault.get('pointer')}: {fault['message']}" for fault in problem.get("errors", [])]
        raise Refused("\n".join(faults) or problem["detail"]) from None


def predict(model, **parameters):
    """A prediction: time_s, interval, breakdown, warnings and the other members of the answer."""
    return json.loads(send(f"predict/{model}", **parameters))


def rows(question, model, **parameters):
    """The rows of a sweep, rank or recommend, with numbers as int or float; no value is None."""
    def value(text):
        for number in (int, float):
            try:
                return number(text)
            except ValueError:
                pass
        return text or None

    table = csv.DictReader(io.StringIO(send(f"{question}/{model}.csv", **parameters), newline=""))
    return [{key: value(text) for key, text in row.items()} for row in table]


def store_seconds(machine, model, *seconds, **parameters):
    """Stores measured times, the repetitions of one run; returns how many runs are new."""
    text = "".join(f"{time_s}\n" for time_s in seconds)
    return json.loads(send(f"machines/{machine}/runs", text.encode(), format="seconds", model=model, **parameters))["stored"]


def main(machine="hopper"):
    table = rows("sweep", "cholesky", machine=machine, n=65536, threads=6, variant="2d,2d_ovlp,25d,25d_ovlp",
                 processes="64..1024..*4", tune="true")
    for processes in sorted({row["processes"] for row in table}):
        possible = [row for row in table if row["processes"] == processes and row["time_s"] is not None]
        best = min(possible, key=lambda row: row["time_s"])
        print(f"{processes} processes, {best['nodes']} nodes: {best['time_s']:.6g} s with {best['variant']}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except (Refused, OSError) as error:
        sys.exit(f"ask.py: {error}")
