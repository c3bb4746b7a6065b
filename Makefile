# SPDX-License-Identifier: BSD-2-Clause
# The library is header-only, so its users need no make. `make help` lists the targets.

CC ?= cc
OUT ?= build
PYTHON ?= /usr/bin/python3
WARN = -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-align \
       -Wundef -Wstrict-prototypes
CFLAGS ?= -O1 -g
FLAGS = -std=c99 $(WARN) $(CFLAGS) -Iinclude -Itests -I$(OUT)
NOUNS = $(patsubst fuzz/%.c,%,$(wildcard fuzz/*.c))
FORMATS = $(basename $(notdir $(wildcard include/rocecc/wire/*.h include/rocecc/packet/*.h)))
# Models of rows. read.py compares the models of traces with their files.
MODELS = $(filter-out %/trace.py,$(shell grep -L '^from trace import' vectors/model/*.py))
# Scripts that write vectors without a model.
WRITERS = vectors/cm_rows.py vectors/overlay_rows.py vectors/packet_rows.py \
          vectors/edit_rows.py vectors/echo_rows.py vectors/icmp_rows.py vectors/sflow_rows.py

# The sanitizers that this compiler links here. SAN= on the command line overrides them.
ifeq ($(origin SAN),undefined)
SAN := $(shell d=$$(mktemp -d); echo 'int main(void) { return 0; }' > $$d/a.c; \
	for s in address,undefined undefined; do \
	if $(CC) -fsanitize=$$s $$d/a.c -o $$d/a 2> /dev/null && $$d/a; then \
	echo "-fsanitize=$$s -fno-sanitize-recover=all"; break; fi; done; rm -rf $$d)
# Under CI, a rule that uses SAN fails if the address sanitizer does not link.
ifneq ($(CI),)
ifeq ($(findstring address,$(SAN)),)
SAN = $(error $(CC) links no -fsanitize=address,undefined here, and CI needs it)
endif
endif
endif

# Compiling takes half of the time of `make test`. Optimisation adds most of it, and -g
# adds a third, but -g1 suffices for the lines in reports. So the library is compiled once
# at -Og, in the two halves of tests/lib/library.c. The tests are compiled at -O0, except
# LONG_LOOPS, where optimisation saves more time than it takes. endian compiles the library
# at -O1. exhaustive compiles each test at -O3, with its own copy of the library.
TEST_O ?= -O0 -g1
LINK ?= -DROCECC_FN=inline
LIBRARY_O ?= -Og -g1
LONG_LOOPS = guard/acl algo/dcqcn_timed guard/flowtable algo/hpcc_time algo/ldcp packet/packet \
             guard/qpnlearner wire/arn wire/csig wire/ioam
# Long loops run 1/TEST_SCALE of their rounds. exhaustive runs all rounds.
TEST_SCALE ?= 2

# tests/ has folders like include/rocecc, and tests of the whole library beside them.
# TEST=bth+wire/ioam selects files. bth means the bth.c of every folder.
ROOMS = wire packet telemetry algo guard role tools
SUBJECTS := $(patsubst tests/%.c,%,$(sort $(wildcard tests/*.c $(ROOMS:%=tests/%/*.c))))
subjects = $(foreach t,$(subst +, ,$(1)),$(or $(filter $t %/$t,$(SUBJECTS)),\
           $(error no room of tests/ has a $t.c)))
CHOSEN := $(call subjects,$(TEST))

# The slowest object is first, so that no core waits for it at the end. LINK= omits it.
LIBRARY = $(OUT)/lib/library1.o $(OUT)/lib/library2.o
LIB = $(if $(LINK),$(LIBRARY)) $(patsubst tests/lib/%.c,$(OUT)/lib/%.o,\
      $(filter-out %/library.c,$(wildcard tests/lib/*.c))) \
      $(patsubst examples/lib/%.c,$(OUT)/lib/%.o,$(wildcard examples/lib/*.c))
TESTS = $(patsubst %,$(OUT)/tests/%.o,$(if $(TEST),$(CHOSEN),$(SUBJECTS)))
# Sources that the tools and the tests share.
SHARED = $(wildcard examples/lib/*.c)
TRACE = $(wildcard examples/cctrace/*.c) $(SHARED)
# Objects that run an algorithm by name, for the traces in the tests.
ALGOS = $(patsubst examples/cctrace/%.c,$(OUT)/cctrace.o/%.o,\
        $(filter-out %/main.c,$(wildcard examples/cctrace/*.c)))

# Ends a recipe if a tool is missing. This is a failure under CI, and a skip elsewhere.
NEED = $(1) > /dev/null 2>&1 || { echo '$@: no $(2) here: skipped'; test -z "$$CI"; exit; }

# The sources and the prerequisites of rocedump.
DUMP = $(wildcard examples/rocedump/*.c) $(SHARED)
DUMP_USES = $(DUMP) $(wildcard examples/rocedump/*.h examples/lib/*.h \
            examples/crc32/*.h include/rocecc/*.h include/rocecc/*/*.h)

# The sources and the prerequisites of rocegen.
GEN = $(wildcard examples/rocegen/*.c) $(SHARED)
GEN_USES = $(GEN) $(wildcard examples/rocegen/*.h examples/lib/*.h \
           include/rocecc/*.h include/rocecc/*/*.h)

# The sources and the prerequisites of cclab. For speed, the ICRC has its largest table.
LAB = $(wildcard examples/cclab/*.c) $(filter-out %/main.c %/play.c,$(TRACE))
LAB_USES = $(LAB) $(wildcard examples/cclab/*.h examples/cctrace/*.h examples/lib/*.h \
           include/rocecc/*.h include/rocecc/*/*.h)
LAB_FLAGS = $(FLAGS) -O2 -DROCECC_ICRC_TABLE_BYTES=16384

.PHONY: help demo demo-frames test tools softroce deps verify layers selfcontained callers vectors \
        tools-test softroce-test peers claims exhaustive fuzz msan prove endian bpf live live-rxe live-softroce live-picture live-forged bench cost drop-ins hosts crc32 mcdc size \
        mutate gates-are-live assure record format clean soak

help:
	@cat tests/gates/help.txt

# The programs are compiled silently, so that only the demo's output is shown.
demo:
	@test -x $(OUT)/cclab || echo 'Compiling three programs first: about half a minute.'
	+@$(MAKE) -s --no-print-directory $(OUT)/rocedump-demo $(OUT)/exchange $(OUT)/cclab
	@sh tests/tools/demo.sh $(OUT)

demo-frames:
	+@$(MAKE) -s --no-print-directory $(OUT)/rocedump-demo
	@$(OUT)/rocedump-demo vectors/frame.vec

CORES := $(shell getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)

# Uses all cores, unless make has a -j option.
test:
	+@$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(CORES)) \
	    $(OUT)/test
	@echo 'test: $(CC), $(if $(SAN),$(SAN),without sanitizers)'
	@TEST_SCALE=$(TEST_SCALE) $(RUN) $(OUT)/test

$(OUT)/test: $(LIB) $(TESTS) $(ALGOS) $(OUT)/test.list
	$(CC) $(FLAGS) $(SAN) $(filter %.o,$^) -lm -o $@

# The list of the program's tests. If TEST changes, the program is linked again.
.PHONY: always
always:
$(OUT)/test.list: always
	@mkdir -p $(@D)
	@echo '$(TESTS)' | cmp -s - $@ || echo '$(TESTS)' > $@

tools: $(OUT)/rocedump $(OUT)/rocegen $(OUT)/cctrace $(OUT)/cclab

$(OUT)/rocedump: $(DUMP_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -O2 -DROCECC_ICRC_TABLE_BYTES=16384 -DHAVE_PCAP $(DUMP) -lpcap -lz -o $@

$(OUT)/rocegen: $(GEN_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -O2 $(GEN) -lpcap -o $@

$(OUT)/rocegen-san: $(GEN_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) $(GEN) -lpcap -o $@

$(OUT)/cctrace: $(TRACE) $(wildcard examples/cctrace/*.h examples/lib/*.h \
                include/rocecc/*.h include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) $(TRACE) -o $@

$(OUT)/cclab: $(LAB_USES)
	@mkdir -p $(@D)
	$(CC) $(LAB_FLAGS) $(LAB) -o $@

$(OUT)/cclab-san: $(LAB_USES)
	@mkdir -p $(@D)
	$(CC) $(LAB_FLAGS) $(SAN) $(LAB) -o $@

$(OUT)/claims: $(LAB_USES) $(wildcard tests/tools/cclab/*.[ch]) tests/lib/test.c tests/lib/test.h
	@mkdir -p $(@D)
	$(CC) $(LAB_FLAGS) $(filter-out %/main.c,$(LAB)) $(wildcard tests/tools/cclab/*.c) \
	    tests/lib/test.c -o $@

# The demo needs only a C compiler and half a minute, without libpcap or sanitizers.
$(OUT)/rocedump-demo: $(DUMP_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(DUMP) -o $@

EXCHANGE = $(wildcard examples/exchange/*.c)
EXCHANGE_USES = $(EXCHANGE) $(wildcard examples/exchange/*.h include/rocecc/*.h \
                include/rocecc/*/*.h)
$(OUT)/exchange: $(EXCHANGE_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(EXCHANGE) -o $@

$(OUT)/exchange-san: $(EXCHANGE_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) $(EXCHANGE) -o $@

# Soft-RoCE with congestion control. The flags for kernel programs are in
# examples/softroce/bpf.h.
SWITCH = $(wildcard examples/softroce/switch*.c) $(SHARED)
SOFTROCE = examples/softroce/softroce.c examples/softroce/qp.c $(SHARED)
SOFTROCE_USES = $(wildcard examples/softroce/*.h examples/lib/*.h include/rocecc/*.h \
                include/rocecc/*/*.h)
softroce: $(addprefix $(OUT)/softroce/,softroce switch sender.o receiver.o)

$(OUT)/softroce/softroce: $(SOFTROCE) $(SOFTROCE_USES)
	@mkdir -p $(@D)
	$(CC) -std=gnu99 $(WARN) $(CFLAGS) -O2 -Iinclude $(SOFTROCE) -lbpf -lmnl -o $@

$(OUT)/softroce/switch: $(SWITCH) $(SOFTROCE_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -O2 $(SWITCH) -o $@

$(OUT)/softroce/switch-san: $(SWITCH) $(SOFTROCE_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) $(SWITCH) -o $@

$(OUT)/softroce/silence: tests/tools/softroce/silence.c examples/lib/vec.c $(SOFTROCE_USES)
	@mkdir -p $(@D)
	$(CC) -std=gnu99 $(WARN) $(CFLAGS) -Iinclude -Iexamples/softroce $(filter %.c,$^) -lbpf -o $@

$(OUT)/softroce/%.o: examples/softroce/%.c $(SOFTROCE_USES)
	@mkdir -p $(@D)
	clang-19 -target bpf -mcpu=v3 -Os -g -std=gnu99 -ffreestanding -Wall -Wextra -Iinclude \
	    -I/usr/include/$$($(CC) -print-multiarch) -c $< -o $@

$(OUT)/rocedump-san: $(DUMP_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) -DHAVE_PCAP $(DUMP) -lpcap -lz -o $@

$(OUT)/ioam_send: tests/gates/peers/ioam_send.c $(wildcard include/rocecc/*.h \
                  include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) $< -o $@

$(OUT)/srv6: tests/gates/peers/srv6.c $(wildcard include/rocecc/*.h include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $< -o $@

$(OUT)/tests/%.o: tests/%.c | $(OUT)/readme_block.h
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(TEST_O) $(LINK) $(SAN) -MMD -MP -c $< -o $@

$(OUT)/cctrace.o/%.o: examples/cctrace/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(TEST_O) $(LINK) $(SAN) -MMD -MP -c $< -o $@

$(LONG_LOOPS:%=$(OUT)/tests/%.o) $(OUT)/cctrace.o/play.o: TEST_O = -Og -g1 -fno-inline

$(OUT)/lib/%.o: tests/lib/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(LIB_O) $(LIB_LINK) $(SAN) -MMD -MP -c $< -o $@

$(OUT)/lib/%.o: examples/lib/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(LIB_O) $(LIB_LINK) $(SAN) -MMD -MP -c $< -o $@

$(LIBRARY): $(OUT)/lib/library%.o: tests/lib/library.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(LIB_O) -DLIBRARY_HALF=$* $(SAN) -MMD -MP -c $< -o $@

# A file that sets a macro of the library gets its own copy of the library.
LIB_O = $(if $(LINK),$(LIBRARY_O))
LIB_LINK = $(LINK)
OWN := $(shell grep -l '^\#define ROCECC_' tests/lib/*.c)
$(OWN:tests/%.c=$(OUT)/%.o): LIB_LINK =

# The C blocks of README.md and include/rocecc/README.md, for tests/readme.c.
$(OUT)/readme_block.h: README.md include/rocecc/README.md
	@mkdir -p $(@D)
	awk '/^```/ {f = $$0 == "```c"; next} f' $^ > $@

$(OUT)/tests/readme.o: $(OUT)/readme_block.h

-include $(wildcard $(OUT)/*.d $(OUT)/tests/*.d $(OUT)/tests/*/*.d $(OUT)/lib/*.d $(OUT)/cctrace.o/*.d)

deps:
	sh tests/gates/deps.sh

# The slowest gates are first, so that no core waits for one at the end. tests/gates/gates.py has
# the inputs of each gate.
GATES = gates-are-live fuzz prove endian hosts live-rxe mutate msan claims static bpf live \
        live-softroce exhaustive callers selfcontained bench tools-test softroce-test mcdc \
        peers matrix cost size vectors drop-ins layers tsan

verify:
	+@sh tests/gates/verify.sh $(OUT) $(CORES) $(GATES)

# Gates that CI has no time to run in full.
ASSURE = fuzz mutate bench gates-are-live hosts
assure:
	+@sh tests/gates/assure.sh $(ASSURE)

# Copies the records of passed gates to tests/record, which CI reads.
record:
	@$(PYTHON) -B tests/lib/record.py copy

layers:
	sh tests/gates/layers.sh
	sh tests/gates/readme.sh
	sh tests/gates/api.sh

selfcontained:
	sh tests/gates/selfcontained.sh '$(WARN)'

callers:
	@$(call NEED,$(PYTHON) --version,$(PYTHON)); \
	sh tests/gates/callers.sh $(OUT) $(PYTHON) $(CALLERS)

vectors:
	@$(call NEED,$(PYTHON) -c 'import scapy',scapy); \
	$(PYTHON) -B vectors/generate.py --check && $(PYTHON) -B vectors/read.py && \
	for m in $(WRITERS) $(MODELS); do $(PYTHON) -B $$m --check || exit 1; done

# TOOLS=cctrace selects one of them.
TOOLS = tools domain flows rocegen cctrace bounds
OF_tools = rocedump rocedump-san rocedump-demo exchange-san
OF_domain = rocedump rocedump-san
OF_flows = rocedump
OF_rocegen = rocedump rocegen rocegen-san
OF_cctrace = cctrace
OF_bounds = rocedump rocedump-san
tools-test:
	+@$(call NEED,printf '#include <%s>\n' pcap/pcap.h zlib.h | $(CC) -E -,libpcap or zlib); \
	$(call NEED,jq --version,jq); $(call NEED,$(PYTHON) --version,$(PYTHON)); \
	. tests/lib/record.sh; due tools-test $(if $(filter command line,$(origin TOOLS)),$(TOOLS)); \
	[ -n "$$pieces" ] || exit 0; \
	$(MAKE) $(patsubst %,$(OUT)/%,$(sort $(foreach t,$(TOOLS),$(OF_$t)))) && \
	for t in $$pieces; do sh tests/tools/$$t.sh $(OUT) $(PYTHON) || exit 1; \
	    record passed tools-test $$t; done

# rocedump under spoofed traffic on a veth pair; as root. It waits for a clock, so it is no gate.
soak: $(OUT)/rocedump
	$(PYTHON) -B tests/tools/soak.py $(OUT)/rocedump $(or $(SECONDS),600)

# This gate has its own rocedump, as peers does.
softroce-test:
	+@$(call NEED,clang-19 --version,clang-19); \
	$(call NEED,$(PYTHON) -c 'import scapy; assert scapy.VERSION == "2.5.0"',scapy 2.5.0); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(MAKE) OUT=$(OUT)/softroce $(OUT)/softroce/rocedump $(OUT)/softroce/rocegen && \
	$(MAKE) $(addprefix $(OUT)/softroce/,switch-san sender.o receiver.o silence) && \
	sh tests/tools/softroce/load.sh $(OUT)/softroce && \
	$(PYTHON) -B tests/tools/softroce/switch.py $(OUT)/softroce/switch-san $(OUT)/softroce/rocedump && \
	$(PYTHON) -B tests/gates/live/picture_test.py $(OUT)/picture

# The known defects of the peers are from these versions. This gate has its own rocedump,
# because tools-test may build the other one at the same time.
peers: $(OUT)/test
	+@$(call NEED,tshark --version 2>&1 | grep 'TShark.* 4[.]0[.]',tshark 4.0); \
	$(call NEED,$(PYTHON) -c 'import scapy; assert scapy.VERSION == "2.5.0"',scapy 2.5.0); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(call NEED,ip -V,ip); $(call NEED,tc -V,tc); \
	$(call NEED,test "$$(id -u)" = 0,root); \
	$(MAKE) OUT=$(OUT)/peers $(OUT)/peers/rocedump $(OUT)/peers/ioam_send $(OUT)/peers/srv6 && \
	sh tests/gates/peers/peers.sh $(OUT) $(PYTHON)

# This gate has its own rocedump and cclab, as peers does.
claims:
	+@$(call NEED,tshark --version,tshark); $(call NEED,gnuplot --version,gnuplot); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(MAKE) OUT=$(OUT)/lab $(OUT)/lab/claims && $(OUT)/lab/claims $(CLAIMS) && \
	$(MAKE) OUT=$(OUT)/lab $(OUT)/lab/cclab-san $(OUT)/lab/rocedump && \
	sh tests/tools/cclab/cli.sh $(OUT)/lab $(PYTHON)

# Tries every NodeLen with every trace type, and runs the tests at -O3.
# EXHAUSTIVE=ioam+test/wire/bth selects pieces.
exhaustive:
	+@OUT=$(OUT) CC='$(CC)' FLAGS='$(FLAGS)' sh tests/gates/exhaustive.sh $(subst +, ,$(EXHAUSTIVE))

# FUZZ=bth+diff/walk selects drivers. tests/gates/fuzz.sh has the other options.
fuzz:
	+@sh tests/gates/fuzz.sh $(OUT) $(subst +, ,$(FUZZ))

# MSAN=wire/bth+packet/cnp selects files of tests/.
msan:
	+@$(call NEED,echo 'int main(void) {return 0;}' | clang-19 -fsanitize=memory -x c -o /dev/null -,clang-19 with MemorySanitizer); \
	sh tests/gates/suite.sh msan '$(patsubst %,test/%,$(call subjects,$(MSAN)))' OUT=$(OUT)/msan CC=clang-19 TEST_SCALE=10 \
	    CFLAGS='-O1 -gline-tables-only' TEST_O=-O1 LINK=-DROCECC_FN=inline LIBRARY_O= \
	    SAN='-fsanitize=memory -fno-sanitize-recover=all'

prove:
	sh tests/gates/prove/prove.sh $(OUT)/prove $(subst +, ,$(PROVE))

# ENDIAN=test/wire/bth+rows/dcqcn+cclab selects pieces.
endian:
	+@sh tests/gates/endian.sh $(OUT) $(subst +, ,$(ENDIAN))

# BPF=PROGRAM+... selects programs. cover checks that every public function is in one.
bpf:
	+@sh tests/gates/bpf/bpf.sh $(OUT) $(subst +, ,$(BPF))

live:
	+@sh tests/gates/live/bpf61.sh $(OUT) $(subst +, ,$(BPF))

# This gate has its own rocedump and rocegen, as peers does.
live-rxe: $(NOUNS:%=$(OUT)/rows/%.rows)
	+@$(call NEED,tshark --version 2>&1 | grep 'TShark.* 4[.]0[.]',tshark 4.0); \
	$(call NEED,$(PYTHON) -c 'import scapy; assert scapy.VERSION == "2.5.0"',scapy 2.5.0); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(call NEED,echo '#include <zlib.h>' | $(CC) -E -,zlib); \
	$(call NEED,test "$$(id -u)" = 0,root); \
	$(MAKE) OUT=$(OUT)/live $(OUT)/live/rocedump $(OUT)/live/rocegen && \
	sh tests/gates/live/rxe.sh $(OUT) $(PYTHON) $(NOUNS)

# The host's digests of the prefixes of every row, or of random bytes for most nouns that are not
# formats. Each program has its own copy of the library, with the limits of BPF.
$(OUT)/rows/%.rows: tests/gates/bpf/%.c $(OUT)/lib/vec.o $(wildcard vectors/*.vec) \
               $(wildcard tests/law/*.h tests/gates/bpf/*.h include/rocecc/*.h include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(TEST_O) $(SAN) $< $(OUT)/lib/vec.o -o $(@:.rows=)
	$(RUN) $(@:.rows=) $(if $(filter $*,$(FORMATS) arn_gate qpn),vectors/$*.vec,-) > $@.new
	@mv $@.new $@

# The options of the twin of examples/softroce in cclab, which counts 24 bytes more per
# frame, and the runs of each way.
TWIN = --scheme dcqcn,fastcnp --flows 2 --rate 20435572 --rtt 1ms --buffer 100K \
       --duration 40s --set line_bps=40871143,payload_bytes=1024,k_min_bytes=10K,k_max_bytes=40K \
       --set pmax_percent=20,cnp_interval_ns=50ms,dcqcn.alpha_timer_ns=55ms \
       --set dcqcn.increase_timer_ns=75ms,ai_bps=1M,dcqcn.hai_bps=2M,dcqcn.min_bps=1M \
       --set dcqcn.g_q20=16384,dcqcn.byte_counter_bytes=0
RUNS = $(foreach n,1 2 3,rxe.$(n) caps.$(n) cnp.$(n) fastcnp.$(n))
RIG = $(call NEED,test "$$(id -u)" = 0,root); \
      $(call NEED,clang-19 --version,clang-19); \
      $(call NEED,echo '\#include <libmnl/libmnl.h>' | $(CC) -E -,libmnl); \
      $(call NEED,echo '\#include <bpf/libbpf.h>' | $(CC) -E -,libbpf); \
      $(call NEED,echo '\#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
      $(MAKE) softroce && $(MAKE) OUT=$(OUT)/softroce $(OUT)/softroce/rocegen

# PACED=WAY.NUMBER... selects runs. tests/gates/live/softroce.sh lists the ways.
PACED = ioam.ci fastcnp.ci
live-softroce:
	+@$(RIG) && SECONDS_EACH=10 sh tests/gates/live/softroce.sh $(OUT) $(PACED)

# Runs under forged notifications, with and without the gate.
live-forged:
	+@$(RIG) && SECONDS_EACH=110 sh tests/gates/live/softroce.sh $(OUT) forged.1 && \
	grep '^forged' $(OUT)/softroce/forged.1.said

# Takes a quarter of an hour, and needs an idle machine.
live-picture: $(OUT)/cclab
	+@$(RIG) && $(call NEED,gnuplot --version,gnuplot); \
	$(OUT)/cclab $(TWIN) --out $(OUT)/softroce/twin > $(OUT)/softroce/twin.txt && \
	sh tests/gates/live/softroce.sh $(OUT) $(RUNS) && \
	$(PYTHON) -B tests/gates/live/picture.py --rate-bps 20000000 --out $(OUT)/softroce/picture \
	    --twin $(OUT)/softroce/twin/dcqcn.csv --twin $(OUT)/softroce/twin/fastcnp.csv \
	    $(RUNS:%=$(OUT)/softroce/%.tsv)

bench:
	+@PYTHON=$(PYTHON) sh tests/gates/bench/bench.sh $(OUT) $(BENCH)

cost:
	sh tests/gates/cost/cost.sh $(OUT)

$(OUT)/drop-ins/%: examples/xdp/%.c examples/xdp/gate.h examples/lib/prefix.c \
                   $(wildcard include/rocecc/*.h include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) $(filter %.c,$^) -o $@

# Checks the kernels of examples/crc32. Other CPUs run under qemu.
crc32:
	@sh tests/gates/crc32.sh $(OUT)/crc32

drop-ins: crc32
	+@$(call NEED,echo '#include <linux/bpf.h>' | $(CC) -E -,<linux/bpf.h>); \
	$(MAKE) $(OUT)/drop-ins/gate $(OUT)/drop-ins/unknown && \
	SAN='$(SAN)' sh tests/gates/dropins.sh $(OUT)/drop-ins $(PYTHON)

# HOSTS=dpdk+web selects folders of examples/. Each is tested with its own framework.
hosts:
	+@sh tests/gates/hosts.sh $(OUT) $(PYTHON) $(subst +, ,$(HOSTS))

# Packages of the library. The recipes in examples/packages need no make.
.PHONY: single test-single install
HEADERS = include/rocecc/rocecc.h $(sort $(wildcard include/rocecc/*.h include/rocecc/*/*.h))
single: $(OUT)/rocecc.h

$(OUT)/rocecc.h: examples/packages/single.awk LICENSE $(HEADERS)
	@mkdir -p $(@D)
	@awk -f examples/packages/single.awk LICENSE $(HEADERS) > $@.new
	@mv $@.new $@
	@echo 'single: $@'

# Runs the same tests with only the single header, and checks this by the compiler's lists
# of included files. TEST=... is as above.
SINGLE_FLAGS = $(subst -Iinclude,-I$(OUT)/single/include,$(filter-out -I$(OUT),$(FLAGS))) \
               -I$(OUT)/single
test-single:
	+@$(MAKE) --no-print-directory single OUT=$(OUT)/single && \
	sh tests/lib/forward.sh $(OUT)/single/include && \
	$(MAKE) --no-print-directory test OUT=$(OUT)/single FLAGS='$(SINGLE_FLAGS)' && \
	! grep -lE '(^| )include/rocecc/' $(OUT)/single/*/*.d $(OUT)/single/tests/*/*.d

PREFIX ?= /usr/local
install:
	@sh examples/packages/install.sh '$(PREFIX)' '$(DESTDIR)'

mcdc: $(OUT)/readme_block.h
	@PYTHON=$(PYTHON) sh tests/gates/mcdc/mcdc.sh $(OUT) $(TESTS:$(OUT)/%.o=%.c) \
	    $(filter-out %/library.c,$(wildcard tests/lib/*.c)) $(SHARED) \
	    $(ALGOS:$(OUT)/cctrace.o/%.o=examples/cctrace/%.c)

# MUTATE=role/echo.h+wire/lsn.h judges all mutants of these headers, and FULL=1 all mutants.
# Otherwise the number in tests/record/round selects a sample.
mutate:
	+@$(call NEED,$(PYTHON) -c 'import clang.cindex',python3-clang); \
	MUTATE='$(MUTATE)' FULL='$(FULL)' sh tests/gates/mutate/mutate.sh $(OUT)/mutate

size:
	@$(PYTHON) -B tests/gates/size/size.py $(OUT)

# Makes the reference, build/docs/index.html, from the headers' comments and examples/docs.
.PHONY: docs
docs:
	@$(call NEED,doxygen --version,doxygen); rm -rf $(OUT)/docs && mkdir -p $(OUT)/docs && \
	DOCS_OUT=$(OUT)/docs PYTHON=$(PYTHON) doxygen tests/gates/docs/Doxyfile && \
	echo 'docs: $(OUT)/docs/index.html'

# Takes 2 to 3 core minutes if every header has changed, and one if few have.
.PHONY: static tsan matrix
static:
	PYTHON=$(PYTHON) sh tests/gates/static.sh $(OUT)

tsan:
	sh tests/gates/tsan.sh $(OUT)

# MATRIX=NOUN+NOUN selects nouns, and BUILD=NAME a build.
matrix:
	+@BUILD=$(BUILD) sh tests/gates/matrix.sh $(OUT) '$(FORMATS) arn_gate qpn' $(subst +, ,$(MATRIX))

# DEFECT=NAME+NAME selects defects.
gates-are-live:
	+@sh tests/mutants/live.sh $(subst +, ,$(DEFECT))

format:
	clang-format --style=file -i include/rocecc/*.h include/rocecc/*/*.h tests/*.c \
	    tests/*/*.[ch] tests/*/*/*.[ch] fuzz/*.c fuzz/*/*.c examples/*/*.[ch]

clean:
	rm -rf build
