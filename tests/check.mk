# The checks.  One keeps what it says in build/checked/NAME.log, which is there only if it passed, and runs again when
# something that it reads is newer.  One alone: make build/checked/api/runs.log
.PHONY: check check-quick check-all check-build check-memory check-threads check-sanitize check-cluster check-firefox check-slow-pages check-stalls \
        check-scalapack check-scalapack-short check-scalapack-here check-petsc check-krylov-here check-mumps check-faults \
        check-load check-postgresql check-packages

checked := $(BUILD)/checked$(if $(FORERUN_POSTGRESQL),-postgresql)$(FORERUN_DRAWS:%=-%)
prove    = @tests/checked.sh $@
scripts  = $(patsubst tests/%.test.mjs,%,$(filter %.test.mjs,$(call below,$(1:%=tests/%))))
# The start of the runner takes longer than most unit tests: those of a folder are a part.  First those that wait for files and
# children.
folders_unit := $(sort $(patsubst tests/unit/%/,%,$(dir $(together))))
units   := $(notdir $(alone)) $(filter server/%,$(folders_unit)) $(filter-out server/%,$(folders_unit))
# The engine starts no thread, and has no state that threads could share (tests/layers.sh).
threads := $(filter-out engine/%,$(units))

# ---- levels ----

parts_quick      := format citations layers smoke $(units:%=unit/%)
parts_check      := browser $(call scripts,api page analyze calibrate programs) postgresql stored calibrate missing programs \
                    krylov clusters deploy readme install $(fuzzers:%=seeds/%) $(parts_quick)
parts_memory     := $(call scripts,api) smoke $(units:%=unit/%) $(fuzzers:%=fuzz/%)
parts_threads    := smoke $(threads:%=unit/%)
parts_postgresql := $(call scripts,api)
parts_faults     := $(addprefix unit/test_,store_files store_restore store_shared analysis inspection chart_gnuplot log_config listener doctor) \
                    $(addprefix api/,faults lifecycle configuration connections database abuse matrices matrix_uploads \
                      matrix_analyses monitoring) postgresql

# One kind of parts, or one part.
kinds := unit api page browser analyze calibrate programs seeds
.PHONY: $(kinds:%=check-%) check-postgresql-short check-cluster-short
$(foreach kind,$(kinds),$(eval check-$(kind): $(patsubst %,$(checked)/%.log,$(filter $(kind) $(kind)/%,$(parts_check)))))
check-postgresql-short: $(checked)/postgresql.log $(checked)/stored.log
check-cluster-short: $(checked)/krylov.log $(checked)/clusters.log
check-%: $(checked)/%.log ;

# Every part of a level, also when some fail.  The report is the last screen.  A part waits a fifth of its time, for its daemon
# or its browser: one part more than processors keeps these at work.
level = @status=0; $(MAKE) --no-print-directory -k -j$$(($(JOBS) + 1)) $(parts_$(1):%=$(checked)/%.log) || status=$$?; \
        node tests/report.mjs $(checked) $(parts_$(1)) && exit $$status
built = @$(MAKE) --no-print-directory -j$(JOBS) $(if $(SAN),,STRICT=1)

check:
	@deploy/packages.sh $(packages_check)
	$(built) check-build
	$(call level,check)

check-quick:
	$(built) all $(runner) $(alone:%=$(BUILD)/%)
	$(call level,quick)

# Every program is built here, so that none stops compiling unseen.
simulated_programs := $(addprefix $(BUILD)/smpi/,forerun-calibrate $(programs_mpi))
check-build: all tests/node_modules/.installed $(runner) $(alone:%=$(BUILD)/%) $(benches) $(if $(with_fuzzer),$(fuzzers:%=$(BUILD)/tests/fuzz/%),$(replay)) \
             $(if $(SAN),,$(programs_mpi:%=$(BUILD)/programs/%) $(simulated_programs)) \
             $(if $(filter forerun-analyze,$(programs)),$(BUILD)/tests/validation/mumps/probe)

# One build for memory and the fuzzers, one for threads.
memory_san := address,undefined,float-divide-by-zero,fuzzer-no-link
check-sanitize:
	@deploy/packages.sh $(packages_check) $(packages_fuzz)
	@$(MAKE) --no-print-directory CC="$(ccache) clang" SAN=$(memory_san) check-memory
	@$(MAKE) --no-print-directory SAN=thread check-threads

check-memory:
	$(built) check-build
	$(call level,memory)

check-threads:
	$(built) all $(runner) $(alone:%=$(BUILD)/%)
	$(call level,threads)

# The check while its programs are stopped now and then, as on a busy computer: a test that goes by a clock fails.
check-stalls:
	@rm -rf $(checked)
	@node tests/stalls.mjs $(MAKE) --no-print-directory check

# What a release has to pass: some hours on an idle computer, as root.
check-all: check check-sanitize
	@$(MAKE) --no-print-directory FORERUN_DRAWS=full check
	@$(MAKE) --no-print-directory check-firefox check-slow-pages check-stalls check-postgresql check-faults check-cluster bench-counts
	@$(MAKE) --no-print-directory check-load
	@$(MAKE) --no-print-directory check-packages

# Every API test beside a PostgreSQL, and what differs by database.
check-postgresql: all check-postgresql-short
	@tests/postgresql.sh $(MAKE) --no-print-directory check-on-postgresql
.PHONY: check-on-postgresql
check-on-postgresql:
	$(call level,postgresql)

# What docs/operating.md says of faults: the tests of that table, the random ones for long.
FAULT_ROUNDS ?= 200
check-faults: all
	@rm -f $(parts_faults:%=$(checked)/%.log)
	@export FAULT_ROUNDS=$(FAULT_ROUNDS); $(MAKE) --no-print-directory $(parts_faults:%=$(checked)/%.log)

# ---- parts ----

data := $(call below,calibrations/sets tests/samples tests/validation/golden)

# Threads of OpenBLAS would be races to the thread sanitizer, which does not see their locks.
linked := $(patsubst %,$(checked)/unit/%.log,$(folders_unit) $(notdir $(together)))
$(linked) $(patsubst %,$(checked)/unit/%.log,$(notdir $(alone))): export OPENBLAS_NUM_THREADS := 1
$(linked) $(patsubst %,$(checked)/unit/%.log,$(notdir $(alone))): $(data)
$(linked): $(checked)/unit/%.log: $(runner)
	$(prove) $< $*
$(foreach test,$(alone),$(eval $(checked)/unit/$(notdir $(test)).log: $(BUILD)/$(test)))
$(patsubst %,$(checked)/unit/%.log,$(notdir $(alone))):
	$(prove) $(filter %/$(basename $(@F)),$^)

$(checked)/seeds/%.log: $(replay) $(call below,tests/fuzz/seeds)
	$(prove) $< $* tests/fuzz/seeds/$*/* $(if $(filter calibration,$*),$(wildcard calibrations/sets/*.json))

$(checked)/fuzz/%.log: $(BUILD)/tests/fuzz/%
	$(prove) tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_SEED) $<

$(checked)/format.log: .clang-format $(filter %.c %.h,$(tree))
	$(prove) tests/format.sh $(filter %.c %.h,$?)

$(checked)/citations.log: $(shell git ls-files 2>/dev/null)
	$(prove) tests/citations.sh

$(checked)/layers.log: tests/layers.sh $(BUILD)/libforerun.a $(call below,engine server calibrations static)
	$(prove) $(wordlist 1,2,$^)

$(checked)/smoke.log: tests/smoke.sh $(BUILD)/forerund $(data) $(call below,static)
	$(prove) $(wordlist 1,2,$^)

$(checked)/deploy.log: tests/deploy.sh $(BUILD)/forerund $(BUILD)/forerun-calibrate $(call below,deploy)
	$(prove) $(wordlist 1,3,$^)

$(checked)/readme.log: tests/readme.sh $(BUILD)/forerund README.md docs/questions.md $(data)
	$(prove) $(wordlist 1,2,$^)

$(checked)/install.log: tests/install.sh Makefile $(programs:%=$(BUILD)/%) $(call below,deploy static)
	$(prove) $<

# The calibrator, for real; the programs that predictions are held against, for real and on simulated clusters.
$(checked)/calibrate.log $(checked)/missing.log: $(checked)/%.log: tests/validation/%.sh $(BUILD)/forerun-calibrate $(BUILD)/forerund
	$(prove) $(wordlist 1,3,$^)

$(checked)/programs.log: tests/programs/check.sh $(programs_mpi:%=$(BUILD)/programs/%) $(simulated_programs)
	$(prove) $< $(BUILD)

$(checked)/krylov.log $(checked)/clusters.log: $(BUILD)/forerund $(simulated_programs) $(call below,tests/validation/cluster)
	$(prove) node tests/validation/cluster/$(if $(filter krylov,$(basename $(@F))),krylov,run).mjs --short

# With clusters of 256 ranks.
check-cluster: $(BUILD)/forerund $(simulated_programs)
	@missed=0; for run in krylov.mjs 'run.mjs --phases' 'run.mjs --whole'; do \
	    node tests/validation/cluster/$$run || missed=1; done; exit $$missed

tests/node_modules/.installed: tests/package-lock.json
	@echo "  NPM   tests"
	$(Q)cd tests && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

# Tests in JavaScript find the programs in the environment.
export BUILD
export FORERUND := $(BUILD)/forerund
export ANALYZE := $(BUILD)/forerun-analyze
export CALIBRATE := $(BUILD)/smpi/forerun-calibrate
node    := node --import ./tests/hung.mjs --test-reporter=tap
harness := $(programs:%=$(BUILD)/%) tests/node_modules/.installed tests/daemon.mjs tests/hung.mjs $(data) $(call below,api static)

$(checked)/%.log: tests/%.test.mjs $(harness)
	$(prove) $(node) $<
logs = $(patsubst %,$(checked)/%.log,$(call scripts,$(1)))
$(call logs,api): $(filter-out %.test.mjs,$(call below,tests/api deploy))
$(call logs,calibrate programs): $(simulated_programs)

# Those that may have either database; the others are about files.
$(checked)/stored.log: $(runner) tests/postgresql.sh
	$(prove) tests/postgresql.sh sh -ec 'for test in $$(grep -lE "MEMORY_TEST|fr_test_database" $(addsuffix .c,$(filter tests/unit/server/store/%,$(together)))); do \
	    $< $$(basename $$test .c); done'

# One after the other, since they stop PostgreSQL.
$(checked)/postgresql.log: $(harness) $(call below,tests/postgresql) tests/postgresql.sh
	$(prove) tests/postgresql.sh $(node) --test --test-concurrency=1 $(filter %.test.mjs,$^)

$(call logs,browser page): $(filter-out %.test.mjs,$(call below,tests/browser tests/page))

# In one process: Chromium and the page's scripts are loaded once.
$(checked)/browser.log: $(harness) $(call below,tests/browser tests/page)
	$(prove) $(node) tests/browser/run.mjs $(filter tests/browser/%.test.mjs,$^)
$(call logs,browser): $(checked)/%.log: tests/%.test.mjs $(harness)
	$(prove) $(node) tests/browser/run.mjs $<

# The same on a slow page, with another seed each time.
check-slow-pages: all tests/node_modules/.installed
	@seed=$$(od -An -N3 -tu4 /dev/urandom | tr -d ' ') && echo "FORERUN_SLOW_PAGES=$$seed" && \
	    FORERUN_SLOW_PAGES=$$seed tests/checked.sh $(checked)/slow.log $(node) tests/browser/run.mjs $(sort $(wildcard tests/browser/*.test.mjs))

# The journeys of people, and what depends on the browser most, once more, in Debian's Firefox.
check-firefox: all tests/node_modules/.installed
	@deploy/packages.sh firefox-esr:firefox-esr
	@FORERUN_BROWSER=firefox tests/checked.sh $(checked)/firefox.log \
	    $(node) --test --test-concurrency=1 $(patsubst %,tests/browser/%.test.mjs,journeys reader typed)

# On an idle computer: what is measured depends on it.
LOAD_SECONDS ?= 600
check-load: all tests/node_modules/.installed
	@LOAD_SECONDS=$(LOAD_SECONDS) node tests/load/load.mjs

# ---- beside other programs ----

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

$(BUILD)/tests/validation/mumps/%.o: tests/validation/mumps/%.c Makefile | $(BUILD)/.folders
	$(info   MPICC $<)
	$(Q)$(MPICC) $(posix) $(analyze_flags) $(cflags) -c -o $@ $<

$(BUILD)/tests/validation/mumps/probe: $(BUILD)/tests/validation/mumps/probe.o $(filter-out %/main.o,$(analyze)) $(files) $(writer) \
        $(BUILD)/server/core/utf8.o $(BUILD)/libforerun.a
	$(info   LINK  $@)
	$(Q)$(MPICC) $(san) $(LDFLAGS) -o $@ $^ $(analyze_libs) -lz -lm

# The packages, built, installed and asked in clean roots of Debian 12 below ROOTS.  As root, in some minutes;
# PACKAGES chooses some of debian, rpm, docker and recipes.
ROOTS    ?= /var/tmp/forerun-roots
PACKAGES ?= debian rpm docker recipes
check-packages: dist
	@deploy/packages.sh debootstrap systemd-container unshare:util-linux ip:iproute2 rpmbuild:rpm rpmlint node:nodejs
	@mkdir -p $(ROOTS); for check in $(PACKAGES:%=tests/packages/%.*); do $$check $(archive).tar.gz $(ROOTS) || exit 1; done

