# forerun: `make run` serves, `make check` proves.  `make help` lists the rest.
PREFIX  ?= /usr/local
DESTDIR ?=
comma   := ,
JOBS    ?= $(shell nproc)
BUILD   := build$(if $(SAN),-$(firstword $(subst $(comma), ,$(SAN))))
Q       := $(if $(V),,@)
CC      ?= cc
MPICC   ?= mpicc

packages_run   := gcc:gcc pkg-config:pkg-config libc6-dev libmicrohttpd-dev libgnutls28-dev libjansson-dev libsqlite3-dev libpq-dev \
                  libsodium-dev zlib1g-dev libopenblas-dev mpicc:libopenmpi-dev \
                  mpirun:openmpi-bin libhwloc-dev gnuplot:gnuplot-nox fonts-dejavu-core \
                  libsuperlu-dist-dev libsuitesparse-dev libmetis-dev libmumps-dev \
                  python3:python3-minimal python3-yaml
packages_check := $(packages_run) libcmocka-dev curl:curl openssl:openssl node:nodejs npm:npm chromium:chromium firefox-esr:firefox-esr \
                  xz:xz-utils file:file git:git smpirun:libsimgrid-dev \
                  clang-format-14:clang-format-14 lua5.4:lua5.4 nginx:nginx-light postgresql-15
packages_bench := $(packages_run) curl:curl wrk:wrk nginx:nginx-light
packages_fuzz  := $(packages_run) clang:clang libclang-rt-14-dev

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wcast-qual -Wwrite-strings -Wformat=2 -Wvla -Wundef -Wswitch-enum \
            -Werror=implicit-function-declaration $(if $(STRICT),-Werror)
san      := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all)
harden   := $(if $(SAN),,-D_FORTIFY_SOURCE=3) -fstack-protector-strong -fPIE
CFLAGS   ?= $(if $(SAN),-O1 -g1,-O2 -g)
LDFLAGS  ?= -pie -Wl,-z,relro,-z,now
cflags    = $(warnings) $(san) $(harden) -MMD -MP $(CPPFLAGS) $(CFLAGS)
# Every include names its file from the root: #include "engine/core/fault.h".
posix   := -std=gnu17 -D_GNU_SOURCE -I.
iso     := -std=c17 -ffp-contract=off -I.
sources  = $(sort $(shell find $(1) -name '*.c'))
objects  = $(patsubst %.c,$(BUILD)/%.o,$(1))

engine    := $(call objects,$(call sources,engine))
analyze   := $(call objects,$(call sources,server/analyze))
files     := $(call objects,$(call sources,server/matrices/files))
server    := $(filter-out $(BUILD)/server/main.o $(analyze),$(call objects,$(call sources,server)))
calibrate := $(call objects,$(call sources,calibrations/calibrate))
writer    := $(addprefix $(BUILD)/server/json/,number.o writer.o)
support   := $(call objects,$(call sources,tests/unit/support))
tests     := $(patsubst %.c,$(BUILD)/%,$(shell find tests/unit -name 'test_*.c' | sort))
fuzzers   := $(patsubst %.c,$(BUILD)/%,$(filter-out %/setting.c %/replay.c,$(wildcard tests/fuzz/*.c)))
benches   := $(addprefix $(BUILD)/tests/bench/,engine sparse)

libraries := libmicrohttpd gnutls jansson sqlite3 libpq libsodium zlib
pkg_flags  = $(shell pkg-config --cflags $(libraries))
pkg_libs   = $(shell pkg-config --libs $(libraries)) -lm -lpthread

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run check check-build check-quick check-unit check-layers check-sanitize check-api check-browser check-firefox \
        check-smoke check-deploy check-calibrate check-cluster check-cluster-long check-cluster-short \
        check-scalapack check-scalapack-short check-scalapack-here check-petsc check-krylov-here check-mumps check-programs \
        check-analyze check-faults check-load check-postgresql check-postgresql-short check-packages \
        example bench bench-growth bench-front check-seeds fuzz fuzz-run fuzz-keep fuzz-merge \
        format check-format check-citations hooks install install-calibrate uninstall dist clean help

# The analysis of sparse matrices is built where its libraries are.
analyze_flags := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags superlu_dist 2>/dev/null)) -isystem /usr/include/suitesparse
analyze_libs  := -lsuperlu_dist -lmetis -ldmumps -lamd -lcolamd -lbtf
programs := forerund forerun-calibrate $(shell printf '\043include <%s>\n' superlu_ddefs.h metis.h dmumps_c.h amd.h colamd.h btf.h | \
                $(MPICC) $(analyze_flags) -E -o /dev/null - 2>/dev/null && echo forerun-analyze)

all: $(programs:%=$(BUILD)/%)

help:
	@echo "make            build/forerund, build/forerun-analyze and build/forerun-calibrate"
	@echo "make run        install what is missing, build, serve on http://127.0.0.1:8080"
	@echo "make check      every test: unit, golden, layers, API, browser"
	@echo "make check-quick  unit, golden, layers, a smoke test: the inner loop"
	@echo "make check-sanitize  unit and API tests under the address, undefined and thread sanitizers"
	@echo "make check-cluster  predictions against programs on three simulated clusters"
	@echo "make example    measure the set example again: some minutes, on two idle cores"
	@echo "make check-scalapack SCALAPACK=TREE HPL=TREE  predictions against their unmodified sources"
	@echo "make check-scalapack-here HPL=TREE  the same on this computer, with Debian's ScaLAPACK"
	@echo "make check-petsc  the recorded operations of PETSc's solvers against those of PETSc 3.18.5"
	@echo "make check-krylov-here  predictions of solve against PETSc on this computer"
	@echo "make check-mumps  what MUMPS says of matrices beside what forerun foresees"
	@echo "make check-postgresql  the store and every API test with a PostgreSQL that it starts and stops"
	@echo "make check-packages  the packages in clean roots, as root; some minutes"
	@echo "make check-faults  everything around a daemon that can fail, FAULT_ROUNDS=$(FAULT_ROUNDS) kills"
	@echo "make check-load  mixed requests for LOAD_SECONDS=$(LOAD_SECONDS), and more than it can serve"
	@echo "make bench      speed, as ratios within one run (SAVE=1 keeps the figures as the baseline)"
	@echo "make bench-growth  the time of requests beside RUNS=$(RUNS) saved runs, on SQLite and PostgreSQL"
	@echo "make bench-front  1, 2 and 4 daemons behind nginx, with and without its cache"
	@echo "make check-seeds  each fuzzer once over its seeds"
	@echo "make fuzz       random input for the parsers, FUZZ_SECONDS=$(FUZZ_SECONDS) each; fuzz-keep keeps what it found"
	@echo "make format     format the C files; check-format checks them"
	@echo "make hooks      run checks of format and message at each commit"
	@echo "make install DESTDIR= PREFIX=$(PREFIX) sysconfdir=$(PREFIX)/etc  (and uninstall)"
	@echo "make install-calibrate  forerun-calibrate alone, for a cluster"
	@echo "make dist       build/forerun-VERSION.tar.gz of the last commit"

# The engine is plain ISO C: POSIX is undeclared here, and a*b+c stays two roundings.
$(BUILD)/engine/%.o: engine/%.c Makefile
	@mkdir -p $(@D); echo "  CC    $<"
	$(Q)$(CC) $(iso) $(cflags) -c -o $@ $<

$(BUILD)/server/analyze/%.o: server/analyze/%.c Makefile
	@mkdir -p $(@D); echo "  MPICC $<"
	$(Q)$(MPICC) $(posix) $(analyze_flags) $(cflags) -c -o $@ $<

$(BUILD)/calibrations/%.o: calibrations/%.c Makefile
	@mkdir -p $(@D); echo "  MPICC $<"
	$(Q)$(MPICC) $(posix) $(hwloc_flags) $(json_flags) $(cflags) -c -o $@ $<

$(BUILD)/tests/programs/%.o: tests/programs/%.c Makefile
	@mkdir -p $(@D); echo "  MPICC $<"
	$(Q)$(MPICC) $(posix) $(cflags) -c -o $@ $<

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D); echo "  CC    $<"
	$(Q)$(CC) $(posix) $(pkg_flags) $(cflags) -c -o $@ $<

# A simulated rank runs a shared object, of which smpirun loads a copy for each rank.  smpicc is for
# sources that call MPI or read the clock: its malloc returns memory that all ranks share.
$(BUILD)/smpi/engine/%.o: engine/%.c Makefile
	@mkdir -p $(@D); echo "  CC    $< (shared)"
	$(Q)$(CC) $(iso) $(cflags) -fPIC -c -o $@ $<

$(BUILD)/smpi/server/%.o: server/%.c Makefile
	@mkdir -p $(@D); echo "  CC    $< (shared)"
	$(Q)$(CC) $(posix) $(cflags) -fPIC -c -o $@ $<

$(BUILD)/smpi/%.o: %.c Makefile
	@mkdir -p $(@D); echo "  SMPICC $<"
	$(Q)smpicc $(posix) -DSIMULATED -isystem /usr/include/smpi $(cflags) -fPIC -c -o $@ $<

# The document is written once, in YAML, and served in both forms.
$(BUILD)/api/openapi.json: api/openapi.yaml
	@mkdir -p $(@D); echo "  JSON  $@"
	$(Q)python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)' <$< >$@

$(BUILD)/libforerun.a: $(engine)
	@echo "  AR    $@"
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/libserver.a: $(server)
	@echo "  AR    $@"
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/forerund: $(BUILD)/server/main.o $(BUILD)/libserver.a $(BUILD)/libforerun.a
	@echo "  LINK  $@"
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $^ $(pkg_libs)

# MPI and a BLAS are all it needs; hwloc is used where it is installed.
hwloc_flags = $(if $(shell pkg-config --exists hwloc && echo yes),-DHAVE_HWLOC $(shell pkg-config --cflags hwloc))
hwloc_libs  = $(if $(shell pkg-config --exists hwloc && echo yes),$(shell pkg-config --libs hwloc))
# So are jansson and libsodium, for --check.
json_has   := $(shell pkg-config --exists jansson libsodium && echo yes)
json_flags := $(if $(json_has),-DHAVE_JSON)
json_libs  := $(if $(json_has),$(shell pkg-config --libs jansson libsodium))
json       := $(if $(json_has),$(addprefix $(BUILD)/server/,calibrations/document.o json/canonical.o json/decode.o json/memory.o json/value.o))
BLAS_LIBS  ?= -lopenblas
blocks     := server/matrices/files/blocks.o
$(BUILD)/forerun-calibrate: $(calibrate) $(writer) $(json) $(BUILD)/$(blocks) $(BUILD)/libforerun.a
	@echo "  LINK  $@"
	$(Q)$(MPICC) $(san) $(LDFLAGS) -o $@ $^ $(hwloc_libs) $(json_libs) $(BLAS_LIBS) -lz -lm -lpthread

# Unit tests take from here what needs no MPI.
$(BUILD)/libcalibrate.a: $(filter-out %/main.o,$(calibrate))
	@echo "  AR    $@"
	$(Q)rm -f $@ && ar rcs $@ $^

# The same on simulated clusters: smpirun ... build/smpi/forerun-calibrate.
simulated = $(patsubst $(BUILD)/%,$(BUILD)/smpi/%,$(1))
$(BUILD)/smpi/libforerun.a: $(call simulated,$(engine))
	@echo "  AR    $@"
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/smpi/forerun-calibrate: $(call simulated,$(calibrate) $(writer)) $(BUILD)/smpi/$(blocks) $(BUILD)/smpi/libforerun.a
	@echo "  LINK  $@"
	$(Q)smpicc -o $@ $^ $(BLAS_LIBS) -lz -lm -lpthread

# The MPI programs that predictions are held against: a folder each below tests/programs, with what
# they share beside it; build/programs/NAME for mpirun, build/smpi/NAME for smpirun.
programs_mpi := $(patsubst tests/programs/%/main.c,%,$(wildcard tests/programs/*/main.c))
program_o = $(call objects,$(wildcard tests/programs/*.c tests/programs/$(1)/*.c) \
                $(addprefix calibrations/calibrate/,core/blas.c kernels/cnc_kernel.c core/sample.c core/value.c core/world.c)) $(writer)
define mpi_program
$(BUILD)/programs/$(1): $(call program_o,$(1)) $(BUILD)/libforerun.a
	@mkdir -p $$(@D); echo "  LINK  $$@"
	$(Q)$(MPICC) $(san) $(LDFLAGS) -o $$@ $$^ $(BLAS_LIBS) -lm

$(BUILD)/smpi/$(1): $(call simulated,$(call program_o,$(1))) $(BUILD)/smpi/libforerun.a
	@echo "  LINK  $$@"
	$(Q)smpicc -o $$@ $$^ $(BLAS_LIBS) -lm
endef
$(foreach program,$(programs_mpi),$(eval $(call mpi_program,$(program))))

# Nothing of the daemon but what reads matrices and writes records.
$(BUILD)/forerun-analyze: $(analyze) $(files) $(writer) $(BUILD)/server/core/utf8.o $(BUILD)/libforerun.a
	@echo "  LINK  $@"
	$(Q)$(MPICC) $(san) $(LDFLAGS) -o $@ $^ $(analyze_libs) -lz -lm

$(tests): %: %.o $(support) $(BUILD)/libcalibrate.a $(BUILD)/libserver.a $(BUILD)/libforerun.a
	@echo "  LINK  $@"
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(pkg_libs) -lcmocka -Wl,--as-needed $(BLAS_LIBS)

blocked_calls := $(BUILD)/tests/unit/calibrate/blocked/test_blocked_calls
$(blocked_calls): $(addprefix $(BUILD)/tests/validation/blocked/,algorithms.o calls.o)
$(blocked_calls): override LDFLAGS += @tests/validation/blocked/wrapped

$(BUILD)/tests/bench/engine: $(BUILD)/tests/bench/engine.o $(BUILD)/libserver.a $(BUILD)/libforerun.a
	@echo "  LINK  $@"
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $^ $(pkg_libs)

$(BUILD)/tests/bench/sparse: $(addprefix $(BUILD)/,tests/bench/sparse.o tests/unit/support/sparse_patterns.o $(blocks) libforerun.a)
	@echo "  LINK  $@"
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $^ -lz -lm

# Once over the seeds, without libFuzzer.
$(BUILD)/tests/fuzz/%.replay: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/replay.o $(BUILD)/tests/fuzz/setting.o $(BUILD)/libserver.a $(BUILD)/libforerun.a
	@echo "  LINK  $@"
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $^ $(pkg_libs)

$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/setting.o $(BUILD)/libserver.a $(BUILD)/libforerun.a
	@echo "  LINK  $@"
	$(Q)$(CC) $(san) -fsanitize=fuzzer -pie -o $@ $^ $(pkg_libs)

run:
	@deploy/packages.sh $(packages_run)
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@mkdir -p var
	@$(BUILD)/forerund --db var/forerun.db --static static --calibrations calibrations/sets $(RUN)

# ---- tests ----

check:
	@deploy/packages.sh $(packages_check)
	@$(MAKE) --no-print-directory -j$(JOBS) STRICT=1 check-build check-format check-citations
	@$(MAKE) --no-print-directory -j$(JOBS) STRICT=1 check-unit check-seeds
	@$(MAKE) --no-print-directory STRICT=1 all check-layers check-deploy check-calibrate
	@$(MAKE) --no-print-directory -j$(JOBS) STRICT=1 check-programs check-cluster-short check-analyze
	@$(MAKE) --no-print-directory STRICT=1 check-postgresql-short check-api check-browser
	@echo "every check passed"

# What measures this computer runs alone; the rest in parallel.  Every program is built here, so that
# none stops compiling unseen.
check-build: all $(tests) $(fuzzers:%=%.replay) $(benches) $(if $(filter forerun-analyze,$(programs)),$(BUILD)/tests/validation/mumps/probe)

check-quick: check-citations check-unit check-layers check-deploy check-smoke

# Threads of OpenBLAS would be races to the thread sanitizer, which does not see their locks.
checked := $(addsuffix .checked,$(tests))
.PHONY: $(checked)
$(checked): export OPENBLAS_NUM_THREADS := 1
$(checked): %.checked: %
	@echo "  TEST  $(notdir $*)"; $* >$*.log 2>&1 || { cat $*.log; exit 1; }

check-unit: $(checked)
	@cat $(addsuffix .log,$(tests)) | awk '/test\(s\) run/ {n += $$2} END {print n " unit tests passed"}'

# The engine starts no thread, and has no state that threads could share (tests/layers.sh).
tests_threads := $(filter-out $(BUILD)/tests/unit/engine/%,$(tests))
check-threads: $(addsuffix .checked,$(tests_threads))
	@cat $(addsuffix .log,$(tests_threads)) | awk '/test\(s\) run/ {n += $$2} END {print n " unit tests with threads passed"}'

check-layers: $(BUILD)/libforerun.a
	@tests/layers.sh $(BUILD)/libforerun.a

check-smoke: all
	@tests/smoke.sh $(BUILD)/forerund

check-deploy: all
	@tests/deploy.sh $(BUILD)/forerund $(BUILD)/forerun-calibrate && tests/readme.sh $(BUILD)/forerund && tests/install.sh

# On simulated clusters where there is a simulator.
check-calibrate: all $(if $(shell command -v smpicc),$(BUILD)/smpi/forerun-calibrate)
	@tests/validation/calibrate.sh $(BUILD)/forerun-calibrate $(BUILD)/forerund
	@tests/validation/missing.sh $(BUILD)/forerun-calibrate $(BUILD)/forerund
	@CALIBRATE=$(BUILD)/smpi/forerun-calibrate FORERUND=$(BUILD)/forerund node --test tests/calibrate/

check-programs: $(foreach program,$(programs_mpi),$(BUILD)/programs/$(program) $(BUILD)/smpi/$(program)) $(BUILD)/forerund
	@tests/programs/check.sh $(BUILD)
	@BUILD=$(BUILD) FORERUND=$(BUILD)/forerund node --test tests/programs/programs.test.mjs

# Predictions against the programs on simulated clusters; --whole has clusters of 256 ranks.
cluster_needs := $(addprefix $(BUILD)/,forerund smpi/forerun-calibrate smpi/dense smpi/krylov)
check-cluster:
	@deploy/packages.sh $(packages_check)
	@$(MAKE) --no-print-directory check-cluster-long

check-cluster-long: $(cluster_needs)
	@missed=0; export BUILD=$(BUILD); \
	    node tests/validation/cluster/krylov.mjs || missed=1; \
	    node tests/validation/cluster/run.mjs --phases || missed=1; \
	    node tests/validation/cluster/run.mjs --whole || missed=1; exit $$missed

check-cluster-short: $(cluster_needs)
	@BUILD=$(BUILD) node tests/validation/cluster/krylov.mjs --short
	@BUILD=$(BUILD) node tests/validation/cluster/run.mjs --short

# Predictions against unmodified ScaLAPACK and HPL on simulated clusters; SCALAPACK and HPL are the
# paths of their unpacked sources, without which it is skipped.
check-scalapack check-scalapack-short: $(BUILD)/forerund $(BUILD)/smpi/forerun-calibrate
	@tests/validation/block_cyclic/check.sh $(BUILD) $(if $(findstring short,$@),--short)

# The same on this computer, which must be idle, with one and two processes.
check-scalapack-here: $(BUILD)/forerund $(BUILD)/forerun-calibrate
	@tests/validation/block_cyclic/measured.sh $(BUILD) --each

# Needs petsc-dev and libhypre-dev; what is recorded is held against the model by unit tests.
check-petsc:
	tests/validation/krylov_counts/record.sh | diff tests/validation/krylov_counts/petsc-3.18.5.ndjson -
	tests/validation/multigrid/record.sh petsc | diff tests/validation/multigrid/petsc-3.18.5.ndjson -
	tests/validation/multigrid/record.sh hypre | diff tests/validation/multigrid/hypre-2.26.0.ndjson -

# Predictions of solve against PETSc on this computer, which must be idle, with one and two processes.
check-krylov-here: $(BUILD)/forerund $(BUILD)/forerun-calibrate $(BUILD)/forerun-analyze
	@tests/validation/krylov_here/run.sh $(BUILD) $(if $(KEEP),--keep $(KEEP)) --each $(MATRICES)

# What MUMPS says of matrices beside what forerun foresees; MATRICES is a folder with more of them.
check-mumps: $(BUILD)/tests/validation/mumps/probe
	@tests/validation/mumps/run.sh $<

$(BUILD)/tests/validation/mumps/%.o: tests/validation/mumps/%.c Makefile
	@mkdir -p $(@D); echo "  MPICC $<"
	$(Q)$(MPICC) $(posix) $(analyze_flags) $(cflags) -c -o $@ $<

$(BUILD)/tests/validation/mumps/probe: $(BUILD)/tests/validation/mumps/probe.o $(filter-out %/main.o,$(analyze)) $(files) $(writer) \
        $(BUILD)/server/core/utf8.o $(BUILD)/libforerun.a
	@echo "  LINK  $@"
	$(Q)$(MPICC) $(san) $(LDFLAGS) -o $@ $^ $(analyze_libs) -lz -lm

# The packages, built, installed and asked in clean roots of Debian 12 below ROOTS.  As root, in some minutes;
# PACKAGES chooses some of debian, rpm, docker and recipes.
ROOTS    ?= /var/tmp/forerun-roots
PACKAGES ?= debian rpm docker recipes
check-packages: dist
	@deploy/packages.sh debootstrap systemd-container unshare:util-linux ip:iproute2 rpmbuild:rpm rpmlint node:nodejs
	@mkdir -p $(ROOTS); for check in $(PACKAGES:%=tests/packages/%.*); do $$check $(archive).tar.gz $(ROOTS) || exit 1; done

check-analyze: all
	@ANALYZE=$(BUILD)/forerun-analyze node --test tests/analyze/

tests/node_modules/.installed: tests/package-lock.json
	@echo "  NPM   tests"
	$(Q)cd tests && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

# Each file of tests has a daemon and a browser of its own, so that files can run in parallel.  One
# file: make tests/api/runs.test.mjs.checked
node_tests = $(addsuffix .checked,$(sort $(wildcard tests/$(1)/*.test.mjs)))
node_files := $(foreach folder,api browser postgresql,$(call node_tests,$(folder)))
.PHONY: $(node_files)
$(node_files): %.checked: %
	@mkdir -p $(dir $(BUILD)/$*); echo "  TEST  $*"
	@FORERUND=$(BUILD)/forerund node --test $* >$(BUILD)/$*.log 2>&1 || { cat $(BUILD)/$*.log; exit 1; }

check-api check-browser: check-%: all tests/node_modules/.installed
	@$(MAKE) --no-print-directory -j$(JOBS) $(call node_tests,$*)
	@cat $(BUILD)/tests/$*/*.test.mjs.log | awk '$$2 == "pass" {n += $$3} END {print n " $* tests passed"}'

# The journeys of people, and what depends on the browser most, once more, in Debian's Firefox.
firefox_files := $(addprefix tests/browser/,$(addsuffix .test.mjs,journeys reader typed))
check-browser: check-firefox
check-firefox: all tests/node_modules/.installed
	@mkdir -p $(BUILD)/tests/browser; echo "  TEST  $(firefox_files) in Firefox"
	@FORERUN_BROWSER=firefox FORERUND=$(BUILD)/forerund node --test --test-concurrency=1 $(firefox_files) \
	    >$(BUILD)/tests/browser/firefox.log 2>&1 || { cat $(BUILD)/tests/browser/firefox.log; exit 1; }

# Beside a PostgreSQL of their own: what differs by database, and in the whole check every API test.
# The tests of PostgreSQL stop theirs.
stored := $(filter $(BUILD)/tests/unit/server/store/%,$(tests))
check-postgresql check-postgresql-short: all $(stored) tests/node_modules/.installed
	@tests/postgresql.sh $(MAKE) --no-print-directory -j$(JOBS) $(addsuffix .checked,$(stored)) \
	    $(if $(findstring short,$@),,check-api)
	@tests/postgresql.sh $(MAKE) --no-print-directory -j1 $(call node_tests,postgresql)

# What docs/operating.md says of faults: the tests of that table, the random ones for long.
FAULT_ROUNDS ?= 200
faults := $(addprefix $(BUILD)/tests/unit/server/,$(addprefix store/test_store_,files restore shared) \
            $(addprefix matrices/test_,analysis inspection) charts/test_chart_gnuplot core/test_log_config http/test_listener service/test_doctor)
check-faults: all $(faults) tests/node_modules/.installed
	@$(MAKE) --no-print-directory $(addsuffix .checked,$(faults))
	@FAULT_ROUNDS=$(FAULT_ROUNDS) $(MAKE) --no-print-directory $(patsubst %,tests/api/%.test.mjs.checked,faults lifecycle configuration \
	    connections database abuse matrices matrix_uploads matrix_analyses monitoring)
	@$(MAKE) --no-print-directory check-postgresql-short

# On an idle computer: what is measured depends on it.
LOAD_SECONDS ?= 600
check-load: all tests/node_modules/.installed
	@FORERUND=$(BUILD)/forerund LOAD_SECONDS=$(LOAD_SECONDS) node tests/load/load.mjs

memory_san := address,undefined,float-divide-by-zero
check-sanitize:
	@deploy/packages.sh $(packages_check)
	@$(MAKE) --no-print-directory -j$(JOBS) SAN=$(memory_san) check-build
	@$(MAKE) --no-print-directory -j$(JOBS) SAN=$(memory_san) check-unit check-seeds
	@$(MAKE) --no-print-directory SAN=$(memory_san) check-smoke check-api
	@$(MAKE) --no-print-directory -j$(JOBS) SAN=thread check-threads
	@$(MAKE) --no-print-directory SAN=thread check-smoke

bench:
	@deploy/packages.sh $(packages_bench)
	@$(MAKE) --no-print-directory all $(benches)
	@tests/bench/run.sh $(BUILD) $(if $(SAVE),--save)

# Requests beside RUNS saved runs, on a file and on PostgreSQL.
RUNS ?= 100000
bench-growth: all
	@FORERUND=$(BUILD)/forerund node tests/bench/growth.mjs $(RUNS)
	@FORERUND=$(BUILD)/forerund tests/postgresql.sh node tests/bench/growth.mjs $(RUNS)

bench-front: all
	@deploy/packages.sh $(packages_bench) postgresql-15
	@FORERUND=$(BUILD)/forerund tests/postgresql.sh node tests/bench/front.mjs

# Every object with clang's coverage counters, in a build folder of its own.  FUZZ_SEED other than 0
# makes a run repeatable; fuzz-keep keeps what the runs have found.
fuzz_san     := fuzzer-no-link,address,undefined
FUZZ_SECONDS ?= 60
FUZZ_SEED    ?= 0
fuzz fuzz-keep:
	@deploy/packages.sh $(packages_fuzz)
	@$(MAKE) --no-print-directory -j$(JOBS) CC=clang SAN=$(fuzz_san) $(if $(findstring keep,$@),fuzz-merge,fuzz-run)

check-seeds: $(fuzzers:%=%.replay)
	@tests/fuzz/replay.sh $^

fuzz-run: $(fuzzers)
	@tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_SEED) $(fuzzers)

fuzz-merge: $(fuzzers)
	@tests/fuzz/keep.sh $(fuzzers)

# ---- the rest ----

# The set that serves every model: this computer's cores, and a simulated network between nodes.
example:
	@deploy/packages.sh $(packages_check)
	@$(MAKE) --no-print-directory -j$(JOBS) all $(BUILD)/smpi/forerun-calibrate
	@calibrations/example/measure.sh $(BUILD) calibrations/sets/example.json

format:
	@tests/format.sh --fix

check-format:
	@tests/format.sh

check-citations:
	@tests/citations.sh

hooks:
	git config core.hooksPath tests/hooks

# Folders as in the GNU coding standards; DESTDIR stands in front of each.  forerund looks for its files in
# bindir/../share/forerun: with another datadir, the settings `static` and `calibrations` have to name them.
bindir        := $(PREFIX)/bin
datadir       := $(PREFIX)/share
mandir        := $(datadir)/man
sysconfdir    := $(PREFIX)/etc
unitdir       := $(PREFIX)/lib/systemd/system
sysusersdir   := $(PREFIX)/lib/sysusers.d
completiondir := $(datadir)/bash-completion/completions
share         := $(datadir)/forerun
units         := deploy/forerund.service deploy/forerund.socket
samples       := $(addprefix deploy/,Caddyfile forerund.conf grafana-dashboard.json nginx.conf prometheus-rules.yml)
plugins       := $(wildcard deploy/jobs/*.lua)
jobs          := $(wildcard deploy/jobs/*.sh)
manuals       := $(wildcard deploy/man/*.1)

# $(call place,MODE,FILES,FOLDER): installs texts, which name the folders of the defaults, with those chosen here.
place = for file in $(2); do placed=$(DESTDIR)$(3)/$${file\#\#*/}; \
            sed 's|/usr/local/bin/|$(bindir)/|g; s|/usr/local/share/|$(datadir)/|g; s|/etc/forerun/|$(sysconfdir)/forerun/|g' \
                $$file >$$placed && chmod $(1) $$placed || exit 1; done

install: all install-calibrate
	install -d $(addprefix $(DESTDIR),$(share)/calibrations/facts $(share)/deploy/jobs $(completiondir) \
	    $(unitdir) $(sysusersdir) $(sysconfdir)/forerun)
	install $(programs:%=$(BUILD)/%) deploy/jobs/forerun $(DESTDIR)$(bindir)
	for file in $$(cd static && find * -type f); do install -D -m 644 static/$$file $(DESTDIR)$(share)/static/$$file || exit 1; done
	install -m 644 calibrations/sets/*.json $(DESTDIR)$(share)/calibrations
	install -m 644 calibrations/sets/facts/*.json $(DESTDIR)$(share)/calibrations/facts
	install -m 644 $(manuals) $(DESTDIR)$(mandir)/man1
	install -m 644 deploy/jobs/forerun.bash $(DESTDIR)$(completiondir)/forerun
	install -m 644 deploy/forerund.sysusers $(DESTDIR)$(sysusersdir)/forerun.conf
	$(call place,644,$(samples),$(share)/deploy)
	$(call place,755,$(jobs),$(share)/deploy/jobs)
	$(call place,644,$(plugins),$(share)/deploy/jobs)
	$(call place,644,$(units),$(unitdir))
	test -e $(DESTDIR)$(sysconfdir)/forerun/forerund.conf || { $(call place,644,deploy/forerund.conf,$(sysconfdir)/forerun); \
	    sed -i 's|^#db = /|db = /|' $(DESTDIR)$(sysconfdir)/forerun/forerund.conf; }

# What a cluster needs to be measured: MPI, a BLAS with LAPACK and zlib are enough to build it.
install-calibrate: $(BUILD)/forerun-calibrate
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1
	install $(BUILD)/forerun-calibrate $(DESTDIR)$(bindir)
	install -m 644 deploy/man/forerun-calibrate.1 $(DESTDIR)$(mandir)/man1

# The configuration and the database stay.
uninstall:
	rm -f $(addprefix $(DESTDIR)$(bindir)/,forerun forerund forerun-analyze forerun-calibrate) \
	    $(addprefix $(DESTDIR)$(mandir)/man1/,$(notdir $(manuals))) $(addprefix $(DESTDIR)$(unitdir)/,$(notdir $(units))) \
	    $(DESTDIR)$(completiondir)/forerun $(DESTDIR)$(sysusersdir)/forerun.conf
	rm -rf $(DESTDIR)$(share)

# The files of the last commit, in order, with its time and no owner; any two runs make the same bytes.
archive = $(BUILD)/forerun-$(shell sed -n 's/^.define FR_VERSION "\(.*\)"/\1/p' engine/forerun.h)
dist:
	@mkdir -p $(BUILD)
	@git -c tar.umask=0022 archive --prefix=$(notdir $(archive))/ -o $(archive).tar HEAD
	@gzip -9nf $(archive).tar && echo $(archive).tar.gz

clean:
	rm -rf build build-* tests/node_modules

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
# .incbin leaves no trace in the dependency files.
$(BUILD)/server/store/sqlite/migrate.o: $(wildcard server/store/sqlite/migrations/*.sql)
$(BUILD)/server/store/postgresql/migrate.o: $(wildcard server/store/postgresql/migrations/*.sql)
$(BUILD)/server/service/index.o: api/openapi.yaml $(BUILD)/api/openapi.json
$(BUILD)/server/service/index.o: override CPPFLAGS += -DOPENAPI_JSON='"$(BUILD)/api/openapi.json"'
