# Murakumo - one Makefile, not recursive. `make help` lists what it can do.
#
#   BUILD=build        where everything goes            CC=gcc or clang
#   SAN=address,undefined | thread    sanitizer build   DEBUG=1  no optimisation
#   WERROR=1           warnings are errors (on in CI)    V=1      show the commands

BUILD   ?= build
CC      := $(if $(filter default,$(origin CC)),gcc,$(CC))
PYTHON  :=
WERROR  ?= $(if $(CI),1,)

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow $(if $(WERROR),-Werror)
OPTIMISE := $(if $(DEBUG),-O0,-O3)
SANITIZE := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
VERSION  := $(shell git describe --always --dirty 2>/dev/null || echo unknown)
CPPFLAGS += -I. -D_GNU_SOURCE
CFLAGS   += -std=c17 -g $(OPTIMISE) $(WARNINGS) $(SANITIZE) -fno-strict-aliasing -pthread
LDFLAGS  += $(SANITIZE) -pthread
# Debian 12 calls the package `msgpack`, newer releases `msgpack-c`.
pkg       = $(shell pkg-config $(1) $(2) 2>/dev/null)
MSGPACK  := $(if $(shell pkg-config --exists msgpack 2>/dev/null && echo 1),msgpack,msgpack-c)
CPPFLAGS += $(call pkg,--cflags-only-I,libzmq $(MSGPACK) zlib libzstd)
LDLIBS   += -Wl,--as-needed $(call pkg,--libs,libzmq $(MSGPACK) zlib libzstd sqlite3) -lm
CHECK_LIBS := $(call pkg,--libs,check)

Q        := $(if $(V),,@)
say       = $(if $(V),,@printf '%-5s %s\n' $(1) $(2))

# ---- sources, one wildcard per layer ------------------------------------------------------------------------------
dirs        = $(foreach d,$(1),$(wildcard $(d)/*.c) $(wildcard $(d)/*/*.c))
COMMON_C   := $(call dirs,common proto)
COORD_C    := $(filter-out coordinator/main.c,$(wildcard coordinator/*.c) $(call dirs,coordinator/core coordinator/usi coordinator/cli coordinator/store coordinator/view))
WORKER_C   := $(filter-out worker/main.c,$(wildcard worker/*.c) $(call dirs,worker/core worker/engine worker/backend))
MODEL_C    := $(wildcard tests/model/*.c)
TRAIN_C    := $(wildcard worker/train/*.c)
SIM_C      := $(wildcard tests/sim/*.c)
SIMULATE_C := $(wildcard tests/sim/simulate/*.c)
BENCH_C    := $(wildcard tests/bench/*.c)
E2E_LIB_C  := $(filter-out tests/e2e/check_% tests/e2e/slow_line.c,$(wildcard tests/e2e/*.c))
UNIT_C     := $(wildcard tests/unit/check_*.c)
E2E_C      := $(wildcard tests/e2e/check_*.c)
FUZZ_C     := $(wildcard tests/fuzz/fuzz_*.c)

obj         = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIB_COMMON := $(BUILD)/libcommon.a
LIB_COORD  := $(BUILD)/libcoordinator.a
LIB_WORKER := $(BUILD)/libworker.a
LIB_MODEL  := $(BUILD)/libmodel.a
UNIT_BIN   := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(UNIT_C))
E2E_BIN    := $(patsubst tests/e2e/%.c,$(BUILD)/e2e/%,$(E2E_C))
FUZZ_BIN   := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(FUZZ_C))
PROGRAMS   := $(BUILD)/murakumo $(addprefix $(BUILD)/murakumo-,worker bench sim simulate train)

.PHONY: all all-tests help deps demo test check unit sim e2e lint format golden perft bench check-oracle sanitize tsan tsan-tests fuzz fuzzers fuzz-run
.PHONY: check-all clean
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

# The packages come first, or pkg-config would have had nothing to say: when something is missing, install and start make again.
NEEDED := $(shell ./deps.sh --missing)
ifneq ($(strip $(NEEDED)),)
all demo test check unit sim e2e bench perft sanitize fuzz check-all check-oracle: deps
	@$(MAKE) --no-print-directory $@
deps: ## only install the packages
	./deps.sh
else
deps: ## only install the packages
	@echo "all packages are installed"

all: $(PROGRAMS) ## build the programs (into build/)

demo: all ## analyse a real game on a coordinator and two local workers
	@echo; echo "Analysing tests/data/games/demo.csa: one coordinator, two worker processes, real sockets."
	$(BUILD)/murakumo scan --workers 2 tests/data/games/demo.csa

test: all lint unit sim e2e ## run every test (under 30 minutes on 2 cores)
	@echo "make test: everything passed"

check: unit lint ## the quick part: unit tests and lint

unit: $(UNIT_BIN) $(PROGRAMS) ## unit, model and golden tests
	@BUILD=$(BUILD) tests/run.sh $(UNIT_BIN)

# Once broke a promise: answers after a pause, workers on their way out, the last of several jobs lost.
ONCE_BROKEN_SEEDS := 70032339 70046203 70084629 400432299 500148826 501031766 720000144 720000655 720001828 730045552

sim: $(BUILD)/murakumo-sim ## the cluster in one process: thousands of seeds with faults
	$(BUILD)/murakumo-sim --seeds 3000
	@for seed in $(ONCE_BROKEN_SEEDS); do $(BUILD)/murakumo-sim --seed $$seed --quiet || exit 1; done
	$(BUILD)/murakumo-sim --mate-seeds 200

e2e: $(PROGRAMS) $(E2E_BIN) ## real processes, real sockets
	@BUILD=$(BUILD) JOBS=1 tests/run.sh $(E2E_BIN)

lint: all ## include layers, purity of the cores, headers that compile alone, PROTOCOL.md up to date
	@BUILD=$(BUILD) CC="$(CC)" tests/lint/lint.sh

perft: all ## speed of move generation beside Debian's fairy-stockfish
	BUILD=$(BUILD) tests/bench/perft.sh

bench: all ## search speed and node signature
	$(BUILD)/murakumo bench search

check-oracle: all ## >= 100,000 random positions against tsshogi (npm) as second rules library
	BUILD=$(BUILD) tests/oracle/run.sh

# Built on all cores, then tested one after the other.
CORES   := $(shell nproc)
submake  = $(MAKE) --no-print-directory
asan     = BUILD=$(BUILD)/asan SAN=address,undefined
tsan     = BUILD=$(BUILD)/tsan SAN=thread
fuzzing  = BUILD=$(BUILD)/fuzzing CC=clang SAN=address,undefined FUZZING=1
clang    = BUILD=$(BUILD)/clang CC=clang WERROR=1
patience = CHECK_MATE_POSITIONS=120 CHECK_POWER_CUTS=40 CHECK_POWER_KILLS=20 CK_TIMEOUT_MULTIPLIER=5

sanitize: ## unit tests, simulator and end-to-end tests under ASan+UBSan, then what has threads under TSan
	$(submake) -j$(CORES) $(asan) all-tests
	$(patience) $(submake) $(asan) unit sim e2e
	$(submake) -j$(CORES) $(tsan) tsan-tests
	$(patience) $(submake) $(tsan) tsan

all-tests: all $(UNIT_BIN) $(E2E_BIN)

# What has threads: tables and searches, sockets, the store's writer, the hint plane, and all whole processes. A report of any of
# them makes its program fail; those of processes under test are looked for afterwards.
TSAN_UNITS := tt share engine mate_solver search searcher limits net relay hint_plane store power log
tsan-tests: $(PROGRAMS) $(TSAN_UNITS:%=$(BUILD)/tests/check_%) $(E2E_BIN)
tsan: tsan-tests
	@rm -f $(BUILD)/tsan-report.*
	@export BUILD=$(BUILD) TSAN_OPTIONS="suppressions=$(CURDIR)/tests/tsan.supp:log_path=$(abspath $(BUILD))/tsan-report"; \
	  CK_FORK=no tests/run.sh $(TSAN_UNITS:%=$(BUILD)/tests/check_%) && JOBS=1 tests/run.sh $(E2E_BIN); \
	  failed=$$?; cat $(BUILD)/tsan-report.* 2>/dev/null && failed=1; exit $$failed

FUZZ_SECONDS ?= 30
fuzz: ## every fuzzer for FUZZ_SECONDS (needs clang)
	$(submake) -j$(CORES) $(fuzzing) fuzzers
	$(submake) $(fuzzing) fuzz-run

check-all: test sanitize fuzz ## everything, also with clang; for releases
	$(submake) -j$(CORES) $(clang) all-tests
	$(submake) $(clang) unit
	tests/sim/mutants.sh
endif

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z0-9-]+):.*## /  make \1|/' | awk -F'|' '{ printf "%-22s %s\n", $$1, $$2 }'

# ---- how things are built -----------------------------------------------------------------------------------------
ifdef FUZZING
CFLAGS += -fsanitize=fuzzer-no-link
$(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o $(LIB_MODEL) $(LIB_COORD) $(LIB_WORKER) $(LIB_COMMON)
	@mkdir -p $(@D)
	$(CC) -fsanitize=fuzzer $(LDFLAGS) -o $@ $< -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LDLIBS)
fuzzers: $(FUZZ_BIN)
fuzz-run: fuzzers
	@export BUILD=$(BUILD) FUZZ_SECONDS=$(FUZZ_SECONDS); printf '%s\n' $(FUZZ_BIN) | xargs -n 1 -P $(CORES) tests/fuzz/run.sh
endif

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
# Workers of one build only play together: what a worker says of itself is always up to date.
$(BUILD)/obj/worker/main.o: $(BUILD)/version.txt
$(BUILD)/version.txt: FORCE
	@mkdir -p $(@D); echo '$(VERSION)' | cmp -s - $@ || echo '$(VERSION)' > $@
.PHONY: FORCE
$(BUILD)/obj/coordinator/cli/help.o $(BUILD)/obj/worker/main.o $(BUILD)/obj/coordinator/main.o: CPPFLAGS += -DMURAKUMO_VERSION='"$(VERSION)"'

$(LIB_COMMON): $(call obj,$(COMMON_C))
$(LIB_COORD): $(call obj,$(COORD_C))
$(LIB_WORKER): $(call obj,$(WORKER_C))
$(LIB_MODEL): $(call obj,$(MODEL_C))
$(BUILD)/lib%.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar rcsP $@ $^

$(BUILD)/murakumo: $(call obj,coordinator/main.c) $(LIB_COORD) $(LIB_COMMON)
$(BUILD)/murakumo-worker: $(call obj,worker/main.c) $(LIB_WORKER) $(LIB_COMMON)
$(BUILD)/murakumo-bench: $(call obj,$(BENCH_C)) $(LIB_MODEL) $(LIB_WORKER) $(LIB_COORD) $(LIB_COMMON)
$(BUILD)/murakumo-sim: $(call obj,$(SIM_C)) $(LIB_MODEL) $(LIB_COORD) $(LIB_WORKER) $(LIB_COMMON)
$(BUILD)/murakumo-simulate: $(call obj,$(SIMULATE_C)) $(LIB_COORD) $(LIB_WORKER) $(LIB_COMMON)
$(BUILD)/murakumo-train: $(call obj,$(TRAIN_C)) $(LIB_WORKER) $(LIB_COMMON)
$(PROGRAMS):
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LDLIBS)

$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(LIB_MODEL) $(LIB_COORD) $(LIB_WORKER) $(LIB_COMMON)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $< -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LDLIBS) $(CHECK_LIBS)
$(BUILD)/e2e/%: $(BUILD)/obj/tests/e2e/%.o $(call obj,$(E2E_LIB_C)) $(LIB_COORD) $(LIB_COMMON)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LDLIBS) $(CHECK_LIBS)

# Loaded into a process under test: tests/e2e/shim/NAME.c -> build/e2e/NAME.so
E2E_SHIMS := $(patsubst tests/e2e/shim/%.c,$(BUILD)/e2e/%.so,$(wildcard tests/e2e/shim/*.c))
$(BUILD)/e2e/%.so: tests/e2e/shim/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(filter-out -fsanitize=%,$(CFLAGS)) -fPIC -shared -o $@ $< -ldl
$(E2E_BIN): | $(E2E_SHIMS)

format: ## rewrite the sources with clang-format
	clang-format -i $$(git ls-files '*.c' '*.h')

clean: ## remove build/
	rm -rf build

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
