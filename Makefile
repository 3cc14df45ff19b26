# forerun: `make run` serves, `make check` proves.  `make help` lists the rest.
PREFIX  ?= /usr/local
DESTDIR ?=
comma   := ,
JOBS    ?= $(shell nproc)
BUILD   := build$(if $(SAN),-$(firstword $(subst $(comma), ,$(SAN))))
Q       := $(if $(V),,@)
MPICC   ?= mpicc
# Names of files are relative in the objects: every clone of the tree finds what ccache keeps.
ccache  := $(notdir $(shell command -v ccache))
ifeq ($(origin CC),default)
CC      := $(ccache) cc
endif
export OMPI_CC := $(CC)
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

packages_run   := gcc:gcc pkg-config:pkg-config libc6-dev libmicrohttpd-dev libgnutls28-dev libjansson-dev libsqlite3-dev libpq-dev \
                  libsodium-dev zlib1g-dev libopenblas-dev mpicc:libopenmpi-dev \
                  mpirun:openmpi-bin libhwloc-dev gnuplot:gnuplot-nox fonts-dejavu-core \
                  libsuperlu-dist-dev libsuitesparse-dev libmetis-dev libmumps-dev \
                  python3:python3-minimal python3-yaml
packages_check := $(packages_run) libcmocka-dev curl:curl openssl:openssl node:nodejs npm:npm chromium-headless-shell \
                  xz:xz-utils file:file git:git smpirun:libsimgrid-dev \
                  clang-format-14:clang-format-14 lua5.4:lua5.4 nginx:nginx-light postgresql-15
packages_bench := $(packages_run) curl:curl wrk:wrk nginx:nginx-light
packages_fuzz  := $(packages_run) clang:clang libclang-rt-14-dev

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wcast-qual -Wwrite-strings -Wformat=2 -Wvla -Wundef -Wswitch-enum \
            -Werror=implicit-function-declaration $(if $(STRICT),-Werror)
# clang does not define what gcc defines.
san      := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all $(if $(findstring fuzzer,$(SAN)),-D__SANITIZE_ADDRESS__))
harden   := $(if $(SAN),,-D_FORTIFY_SOURCE=3) -fstack-protector-strong
# Position-independent code serves programs and the shared objects of simulated ranks alike.
placed   := -fPIC -fno-semantic-interposition -ffile-prefix-map=$(CURDIR)=.
CFLAGS   ?= $(if $(SAN),-O1 -g1,-O2 -g)
LDFLAGS  ?= -pie -Wl,-z,relro,-z,now
cflags    = $(warnings) $(san) $(placed) $(harden) -MMD -MP $(CPPFLAGS) $(CFLAGS)
# Unit tests are compiled more often than they run.
test_flags = $(warnings) -Wno-missing-prototypes $(san) $(placed) -MMD -MP $(CPPFLAGS) $(if $(SAN),$(CFLAGS),-O0 -g1)
# Every include names its file from the root: #include "engine/core/fault.h".
posix   := -std=gnu17 -D_GNU_SOURCE -I.
iso     := -std=c17 -ffp-contract=off -I.
tree    := $(sort $(shell find api calibrations deploy engine server static tests -type f -not -path '*/node_modules/*'))
below    = $(filter $(1:%=%/%),$(tree))
sources  = $(filter %.c,$(call below,$(1)))
objects  = $(patsubst %.c,$(BUILD)/%.o,$(1))

engine    := $(call objects,$(call sources,engine))
analyze   := $(call objects,$(call sources,server/analyze))
files     := $(call objects,$(call sources,server/matrices/files))
server    := $(filter-out $(BUILD)/server/main.o $(analyze),$(call objects,$(call sources,server)))
calibrate := $(call objects,$(call sources,calibrations/calibrate))
writer    := $(addprefix $(BUILD)/server/json/,number.o writer.o)
support   := $(call objects,$(call sources,tests/unit/support))
tests     := $(basename $(foreach file,$(call sources,tests/unit),$(if $(filter test_%,$(notdir $(file))),$(file))))
fuzzers   := $(filter-out setting replay,$(basename $(notdir $(wildcard tests/fuzz/*.c))))
benches   := $(addprefix $(BUILD)/tests/bench/,engine sparse)

libraries := libmicrohttpd gnutls jansson sqlite3 libpq libsodium zlib
pkg_flags := $(shell pkg-config --cflags $(libraries))
# libpq is loaded when a database of PostgreSQL is opened.
pkg_libs  := $(shell pkg-config --libs $(filter-out libpq,$(libraries))) -lm -lpthread

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run help example dahu accuracy compare-answers bench bench-counts bench-growth bench-front fuzz fuzz-keep fuzz-all fuzz-keep-all format hooks install \
        install-calibrate uninstall dist clean

# The analysis of sparse matrices is built where its libraries are.
analyze_flags := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags superlu_dist 2>/dev/null)) -isystem /usr/include/suitesparse
analyze_libs  := -lsuperlu_dist -lmetis -ldmumps -lamd -lcolamd -lbtf
programs := forerund forerun-calibrate $(shell printf '\043include <%s>\n' superlu_ddefs.h metis.h dmumps_c.h amd.h colamd.h btf.h | \
                $(MPICC) $(analyze_flags) -E -o /dev/null - 2>/dev/null && echo forerun-analyze)

all: $(programs:%=$(BUILD)/%)

help:
	@echo "make            build/forerund, build/forerun-analyze and build/forerun-calibrate"
	@echo "make run        install what is missing, build, serve on http://127.0.0.1:8080"
	@echo "make check      every part of the product"
	@echo "make check-quick  the inner loop: unit tests, golden cases, layers, a smoke test; what changed alone"
	@echo "make check-unit, check-api, check-browser, …  one kind of tests; one part: make build/checked/api/runs.log"
	@echo "make check-sanitize  unit and API tests under the address, undefined and thread sanitizers; each fuzzer briefly"
	@echo "make check-all  what a release has to pass: all of the above and below, in full; hours"
	@echo "make check-cluster  predictions against programs on three simulated clusters"
	@echo "make check-scalapack SCALAPACK=TREE HPL=TREE  predictions against their unmodified sources"
	@echo "make check-scalapack-here HPL=TREE  the same on this computer, with Debian's ScaLAPACK"
	@echo "make check-petsc  the recorded operations of PETSc's solvers against those of PETSc 3.18.5"
	@echo "make check-krylov-here  predictions of solve against PETSc on this computer"
	@echo "make check-mumps  what MUMPS says of matrices beside what forerun foresees"
	@echo "make check-postgresql  every API test with a PostgreSQL that it starts and stops"
	@echo "make check-firefox  the journeys of people, in Firefox"
	@echo "make check-packages  the packages in clean roots, as root; some minutes"
	@echo "make check-stalls  the check while its programs are stopped now and then"
	@echo "make check-faults  everything around a daemon that can fail, FAULT_ROUNDS=$(FAULT_ROUNDS) kills"
	@echo "make check-load  mixed requests for LOAD_SECONDS=$(LOAD_SECONDS), and more than it can serve"
	@echo "make example    measure the set example again: some minutes, on two idle cores"
	@echo "make dahu       make the set dahu again, of the published data in calibrations/dahu"
	@echo "make accuracy   docs/accuracy.md, of the measured times that are shipped"
	@echo "make compare-answers BASE=REVISION  which answers moved since, by model, and by how much"
	@echo "make bench      speed, as ratios within one run (SAVE=1 keeps the figures as the baseline)"
	@echo "make bench-counts  instructions of answers, which a loaded machine does not move (SAVE=1 likewise)"
	@echo "make bench-growth  the time of requests beside RUNS=$(RUNS) saved runs, on SQLite and PostgreSQL"
	@echo "make bench-front  1, 2 and 4 daemons behind nginx, with and without its cache"
	@echo "make fuzz       random input for the parsers, FUZZ_SECONDS=$(FUZZ_SECONDS) each; fuzz-keep keeps what it found"
	@echo "make format     format the C files; check-format checks them"
	@echo "make hooks      run checks of format and message at each commit"
	@echo "make install DESTDIR= PREFIX=$(PREFIX) sysconfdir=$(PREFIX)/etc  (and uninstall)"
	@echo "make install-calibrate  forerun-calibrate alone, for a cluster"
	@echo "make dist       build/forerun-VERSION.tar.gz of the last commit"

# The folders of the objects.
folders := $(sort $(dir $(filter %.c %.yaml,$(tree))))
$(BUILD)/.folders: $(folders)
	@mkdir -p $(addprefix $(BUILD)/,programs $(folders) $(addprefix smpi/,$(filter calibrations/% tests/programs/%,$(folders)))) && touch $@

# The engine is plain ISO C: POSIX is undeclared here, and a*b+c stays two roundings.
$(BUILD)/engine/%.o: engine/%.c Makefile | $(BUILD)/.folders
	$(info   CC    $<)
	$(Q)$(CC) $(iso) $(cflags) -c -o $@ $<

$(BUILD)/server/analyze/%.o: server/analyze/%.c Makefile | $(BUILD)/.folders
	$(info   MPICC $<)
	$(Q)$(MPICC) $(posix) $(analyze_flags) $(cflags) -c -o $@ $<

$(BUILD)/calibrations/%.o: calibrations/%.c Makefile | $(BUILD)/.folders
	$(info   MPICC $<)
	$(Q)$(MPICC) $(posix) $(hwloc_flags) $(json_flags) $(cflags) -c -o $@ $<

$(BUILD)/tests/programs/%.o: tests/programs/%.c Makefile | $(BUILD)/.folders
	$(info   MPICC $<)
	$(Q)$(MPICC) $(posix) $(cflags) -c -o $@ $<

$(BUILD)/%.o: %.c Makefile | $(BUILD)/.folders
	$(info   CC    $<)
	$(Q)$(CC) $(posix) $(pkg_flags) $(cflags) -c -o $@ $<

# A simulated rank runs a shared object, of which smpirun loads a copy for each rank.  smpicc is for
# sources that call MPI or read the clock: its malloc returns memory that all ranks share.  They are
# compiled more often than they run.
$(BUILD)/smpi/%.o: %.c Makefile | $(BUILD)/.folders
	$(info   SMPICC $<)
	$(Q)$(ccache) smpicc $(posix) -DSIMULATED -isystem /usr/include/smpi $(cflags) -O1 -g0 -c -o $@ $<

# What is written by hand of the document is completed by the routes, which this program knows.
$(BUILD)/api/describe: $(BUILD)/api/describe.o $(filter-out %/openapi.o,$(server)) $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $^ $(pkg_libs)

# A new file only where it says something else: the document is made again for other routes, not for each change of the engine.
routes := $(BUILD)/api/routes.json
$(BUILD)/api/.described: $(BUILD)/api/describe
	$(Q)$< >$(routes).new
	$(Q)cmp -s $(routes).new $(routes) || cp $(routes).new $(routes)
	$(Q)touch $@
$(routes): $(BUILD)/api/.described ;

openapi := $(BUILD)/api/openapi
$(openapi).yaml: $(openapi).json
$(openapi).json: api/openapi.py api/openapi.yaml $(routes)
	$(info   JSON  $@)
	$(Q)python3 api/openapi.py api/openapi.yaml $(routes) $(openapi).json $(openapi).yaml

$(BUILD)/libforerun.a: $(engine)
	$(info   AR    $@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/libserver.a: $(server)
	$(info   AR    $@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/forerund: $(BUILD)/server/main.o $(BUILD)/libserver.a $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $^ $(pkg_libs)

# MPI and a BLAS are all it needs; hwloc is used where it is installed.
hwloc_has   := $(shell pkg-config --exists hwloc && echo yes)
hwloc_flags := $(if $(hwloc_has),-DHAVE_HWLOC $(shell pkg-config --cflags hwloc))
hwloc_libs  := $(if $(hwloc_has),$(shell pkg-config --libs hwloc))
# So are jansson and libsodium, for --check.
json_has   := $(shell pkg-config --exists jansson libsodium && echo yes)
json_flags := $(if $(json_has),-DHAVE_JSON)
json_libs  := $(if $(json_has),$(shell pkg-config --libs jansson libsodium))
json       := $(if $(json_has),$(addprefix $(BUILD)/server/,calibrations/document.o json/canonical.o json/decode.o json/memory.o json/value.o))
BLAS_LIBS  ?= -lopenblas
blocks     := server/matrices/files/blocks.o
$(BUILD)/forerun-calibrate: $(calibrate) $(writer) $(json) $(BUILD)/$(blocks) $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)$(MPICC) $(san) $(LDFLAGS) -o $@ $^ $(hwloc_libs) $(json_libs) $(BLAS_LIBS) -lz -lm -lpthread

# Unit tests take from here what needs no MPI.
$(BUILD)/libcalibrate.a: $(filter-out %/main.o,$(calibrate))
	$(info   AR    $@)
	$(Q)rm -f $@ && ar rcs $@ $^

# The same on simulated clusters: smpirun ... build/smpi/forerun-calibrate.
simulated = $(patsubst $(BUILD)/%,$(BUILD)/smpi/%,$(1))
$(BUILD)/smpi/forerun-calibrate: $(call simulated,$(calibrate)) $(writer) $(BUILD)/$(blocks) $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)smpicc -o $@ $^ $(BLAS_LIBS) -lz -lm -lpthread

# The MPI programs that predictions are held against: a folder each below tests/programs, with what
# they share beside it; build/programs/NAME for mpirun, build/smpi/NAME for smpirun.
programs_mpi := $(patsubst tests/programs/%/main.c,%,$(wildcard tests/programs/*/main.c))
program_o = $(call objects,$(wildcard tests/programs/*.c tests/programs/$(1)/*.c) \
                $(addprefix calibrations/calibrate/,core/blas.c kernels/cnc_kernel.c core/sample.c core/value.c core/world.c))
define mpi_program
$(BUILD)/programs/$(1): $(call program_o,$(1)) $(writer) $(BUILD)/libforerun.a
	@mkdir -p $$(@D); echo "  LINK  $$@"
	$(Q)$(MPICC) $(san) $(LDFLAGS) -o $$@ $$^ $(BLAS_LIBS) -lm

$(BUILD)/smpi/$(1): $(call simulated,$(call program_o,$(1))) $(writer) $(BUILD)/libforerun.a
	@echo "  LINK  $$@"
	$(Q)smpicc -o $$@ $$^ $(BLAS_LIBS) -lm
endef
$(foreach program,$(programs_mpi),$(eval $(call mpi_program,$(program))))

# Nothing of the daemon but what reads matrices and writes records.
$(BUILD)/forerun-analyze: $(analyze) $(files) $(writer) $(BUILD)/server/core/utf8.o $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)$(MPICC) $(san) $(LDFLAGS) -o $@ $^ $(analyze_libs) -lz -lm

# Unit tests are linked into one program, which takes the name of one.  A test that starts itself again,
# or defines what a library defines too, is a program of its own.
alone    := $(filter $(addprefix %/,test_blocked_calls test_client test_inspection test_listener test_node_kernels test_process),$(tests))
together := $(filter-out $(alone),$(tests))
runner   := $(BUILD)/tests/unit/runner

$(BUILD)/tests/unit/%.o: tests/unit/%.c Makefile | $(BUILD)/.folders
	$(info   CC    $<)
	$(Q)$(CC) $(posix) $(pkg_flags) $(test_flags) -c -o $@ $<

$(runner): $(runner).o $(together:%=$(BUILD)/%.o) $(sort $(dir $(together))) # which change with the list
$(alone:%=$(BUILD)/%): %: %.o
$(runner) $(alone:%=$(BUILD)/%): $(support) $(BUILD)/libcalibrate.a $(BUILD)/libserver.a $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(pkg_libs) -lcmocka -lpq -Wl,--as-needed $(BLAS_LIBS)

blocked_calls := $(BUILD)/$(filter %/test_blocked_calls,$(alone))
$(blocked_calls): $(addprefix $(BUILD)/tests/validation/blocked/,algorithms.o calls.o)
$(blocked_calls): override LDFLAGS += @tests/validation/blocked/wrapped

$(BUILD)/tests/bench/engine: $(BUILD)/tests/bench/engine.o $(BUILD)/libserver.a $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $^ $(pkg_libs)

$(BUILD)/tests/bench/sparse: $(addprefix $(BUILD)/,tests/bench/sparse.o tests/unit/support/sparse_patterns.o $(blocks) libforerun.a)
	$(info   LINK  $@)
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $^ -lz -lm

# A fuzzer is a program with libFuzzer; without it all are one program, which takes a name and inputs.
with_fuzzer := $(findstring fuzzer,$(SAN))
$(BUILD)/tests/fuzz/%.o: tests/fuzz/%.c Makefile | $(BUILD)/.folders
	$(info   CC    $<)
	$(Q)$(CC) $(posix) $(pkg_flags) $(cflags) $(if $(with_fuzzer),,$(if $(filter $*,$(fuzzers)),-DLLVMFuzzerTestOneInput=fuzz_$*)) -c -o $@ $<

replay := $(BUILD)/tests/fuzz/replay
$(replay).o: override CPPFLAGS += -DFUZZERS='$(foreach fuzzer,$(fuzzers),FUZZER($(fuzzer)))'
$(replay): $(replay).o $(BUILD)/tests/fuzz/setting.o $(fuzzers:%=$(BUILD)/tests/fuzz/%.o) $(BUILD)/libserver.a $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)$(CC) $(san) $(LDFLAGS) -o $@ $^ $(pkg_libs) -lpq

$(fuzzers:%=$(BUILD)/tests/fuzz/%): %: %.o $(BUILD)/tests/fuzz/setting.o $(BUILD)/libserver.a $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)$(CC) $(san) -fsanitize=fuzzer -pie -o $@ $^ $(pkg_libs) -lpq

run:
	@deploy/packages.sh $(packages_run)
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@mkdir -p var
	@$(BUILD)/forerund --db var/forerun.db --static static --calibrations calibrations/sets $(RUN)

# Images and packages are built without the tests.
-include tests/check.mk

# ---- measuring ----

bench:
	@deploy/packages.sh $(packages_bench)
	@$(MAKE) --no-print-directory all $(benches)
	@tests/bench/run.sh $(BUILD) $(if $(SAVE),--save)

bench-counts:
	@deploy/packages.sh $(packages_run) valgrind:valgrind
	@$(MAKE) --no-print-directory $(BUILD)/forerund $(benches)
	@tests/bench/run.sh $(BUILD) --counts $(if $(SAVE),--save)

# Which answers move between the revision BASE and this tree.
compare-answers: $(BUILD)/forerund
	@node tests/compare_answers.mjs $(BASE)

accuracy: $(BUILD)/forerund
	@node tests/validation/dahu/accuracy.mjs docs/accuracy.md

# Requests beside RUNS saved runs, on a file and on PostgreSQL.
RUNS ?= 100000
bench-growth: all
	@FORERUND=$(BUILD)/forerund node tests/bench/growth.mjs $(RUNS)
	@FORERUND=$(BUILD)/forerund tests/postgresql.sh node tests/bench/growth.mjs $(RUNS)

bench-front: all
	@deploy/packages.sh $(packages_bench) postgresql-15
	@FORERUND=$(BUILD)/forerund tests/postgresql.sh node tests/bench/front.mjs

# FUZZ_SEED other than 0 makes a run repeatable; fuzz-keep keeps what the runs have found.
FUZZ_SECONDS ?= 60
FUZZ_SEED    ?= 0
fuzz fuzz-keep:
	@deploy/packages.sh $(packages_fuzz)
	@$(MAKE) --no-print-directory -j$(JOBS) CC="$(ccache) clang" SAN=$(memory_san) $@-all

fuzz-all fuzz-keep-all: $(fuzzers:%=$(BUILD)/tests/fuzz/%)
	@$(if $(findstring keep,$@),tests/fuzz/keep.sh,tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_SEED)) $^

# ---- the rest ----

# The set that serves every model: this computer's cores, and a simulated network between nodes.
example:
	@deploy/packages.sh $(packages_check)
	@$(MAKE) --no-print-directory -j$(JOBS) all $(BUILD)/smpi/forerun-calibrate
	@calibrations/example/measure.sh $(BUILD) calibrations/sets/example.json

# The set of a real cluster, of published data.
dahu:
	@calibrations/dahu/make.py calibrations/sets

format:
	@tests/format.sh --fix

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
	install -d $(addprefix $(DESTDIR),$(share)/calibrations/facts $(share)/calibrations/runs $(share)/deploy/jobs $(completiondir) \
	    $(unitdir) $(sysusersdir) $(sysconfdir)/forerun)
	install $(programs:%=$(BUILD)/%) deploy/jobs/forerun $(DESTDIR)$(bindir)
	for file in $$(cd static && find * -type f); do install -D -m 644 static/$$file $(DESTDIR)$(share)/static/$$file || exit 1; done
	install -m 644 calibrations/sets/*.json $(DESTDIR)$(share)/calibrations
	install -m 644 calibrations/sets/facts/*.json $(DESTDIR)$(share)/calibrations/facts
	install -m 644 calibrations/sets/runs/*.ndjson $(DESTDIR)$(share)/calibrations/runs
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
$(BUILD)/server/service/openapi.o: $(openapi).json $(openapi).yaml
$(BUILD)/server/service/openapi.o: override CPPFLAGS += -DOPENAPI='"$(openapi)"'
