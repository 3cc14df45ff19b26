#!/bin/sh
# Measures the set `example`: one node is this computer, the network between nodes is simulated.
#   calibrations/example/measure.sh build calibrations/sets/example.json
# Some minutes on two cores, which should be idle.  `make example` builds what it needs.
set -eu
build=$(realpath "$1")
document=$(realpath "$2")
example=$(realpath "$(dirname "$0")")
# One flag on each line.
flags=$(cat "$example/../../tests/validation/cluster/platforms/flags.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# 64 hosts of two cores: the first ranks share nodes, and grids fit with and without layers.
seq 0 63 | sed 's/.*/e&\ne&/' >hosts
smpirun -np 128 -platform "$example/network.xml" -hostfile hosts $flags \
    --cfg=smpi/auto-shared-malloc-thresh:65536 --cfg=contexts/stack-size:1024 \
    "$build/smpi/forerun-calibrate" --machine=example --network-only --repetitions=1 --cores-per-node=2 \
    --topology=torus:4x4x4 --grids=4,16,16:4,32:2,64,64:4 --messages=8,1K,32K,512K,8M \
    --contention-message=4M --max-message=8M -o network.json

# Open MPI needs these where the user is root, as in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun -n 2 "$build/forerun-calibrate" --machine=example --kernels-only --repetitions=3 --cores-per-node=2 \
    --description='Two cores of an x86-64 virtual machine, measured; the network between such nodes, a torus of 4x4x4, is simulated.' \
    --sizes=16,32,64,128,256,512,1024,2048 --threads=1,2 \
    --kernels=trinv,sylv,sylv_own --locality=in_cache,out_of_cache --eps=0.12 --model-time=80 -o node.json

# The merged document has one environment, so the sources say what was simulated.
python3 - network.json <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1]))
for source in document["sources"].values():
    if source["kind"] == "measured":
        source["text"] = "on a simulated network (SimGrid), " + source["text"]
    elif source["text"].startswith("given on the command line"):
        source.update(kind="stated", text="simulated: " + source["text"])
json.dump(document, open(sys.argv[1], "w"), ensure_ascii=False)
PYTHON
"$build/forerun-calibrate" --merge "$example/assumed.json" network.json node.json -o merged.json

# A row on each line.
python3 - merged.json "$document" <<'PYTHON'
import json, sys
text = json.dumps(json.load(open(sys.argv[1])), separators=(",", ":"), ensure_ascii=False)
open(sys.argv[2], "w").write(text.replace("},{", "},\n{") + "\n")
PYTHON
