# SPDX-License-Identifier: BSD-2-Clause
# rocecc is headers: nothing here is needed to use them. `make help` lists the rest.

CC ?= cc
OUT ?= build
PYTHON ?= /usr/bin/python3
WARN = -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-align \
       -Wundef -Wstrict-prototypes
CFLAGS ?= -O1 -g
FLAGS = -std=c99 $(WARN) $(CFLAGS) -Iinclude -Itests -I$(OUT)
NOUNS = $(patsubst fuzz/%.c,%,$(wildcard fuzz/*.c))
FORMATS = $(basename $(notdir $(wildcard include/rocecc/wire/*.h include/rocecc/packet/*.h)))
# The models of rows; those of traces read.py holds to their files.
MODELS = $(filter-out %/trace.py,$(shell grep -L '^from trace import' vectors/model/*.py))
# What writes a file of vectors whole, without a model.
WRITERS = vectors/cm_rows.py vectors/overlay_rows.py vectors/packet_rows.py \
          vectors/edit_rows.py vectors/echo_rows.py vectors/icmp_rows.py vectors/sflow_rows.py

# The sanitizers that this compiler links here; SAN= on the command line overrides.
ifeq ($(origin SAN),undefined)
SAN := $(shell d=$$(mktemp -d); echo 'int main(void) { return 0; }' > $$d/a.c; \
	for s in address,undefined undefined; do \
	if $(CC) -fsanitize=$$s $$d/a.c -o $$d/a 2> /dev/null && $$d/a; then \
	echo "-fsanitize=$$s -fno-sanitize-recover=all"; break; fi; done; rm -rf $$d)
# Under CI a sanitizer that does not link is a failure, where it is to be used.
ifneq ($(CI),)
ifeq ($(findstring address,$(SAN)),)
SAN = $(error $(CC) links no -fsanitize=address,undefined here, and CI needs it)
endif
endif
endif

# Compiling is half of what `make test` does. An optimiser adds most to it, and -g adds a
# third, where -g1 has the lines of a report. So the library is compiled once, in the two
# halves of tests/lib/library.c, at what gcc can optimise in little time, and the tests at
# -O0, except those whose loops cost more than an optimiser. endian has the library at
# -O1, exhaustive each test at -O3 with functions of its own.
TEST_O ?= -O0 -g1
LINK ?= -DROCECC_FN=inline
LIBRARY_O ?= -Og -g1
LONG_LOOPS = guard/acl algo/dcqcn_timed guard/flowtable algo/hpcc_time algo/ldcp packet/packet \
             guard/qpnlearner wire/arn wire/csig wire/ioam
# Long loops run half of their rounds, and all of them in exhaustive.
TEST_SCALE ?= 2

# tests/ has the rooms of include/rocecc, and what is of the whole library beside them.
# TEST=bth+wire/ioam: these files alone; bth is the bth.c of every room.
ROOMS = wire packet telemetry algo guard role tools
SUBJECTS := $(patsubst tests/%.c,%,$(sort $(wildcard tests/*.c $(ROOMS:%=tests/%/*.c))))
subjects = $(foreach t,$(subst +, ,$(1)),$(or $(filter $t %/$t,$(SUBJECTS)),\
           $(error no room of tests/ has a $t.c)))
CHOSEN := $(call subjects,$(TEST))

# The dearest first, so that no core waits for it at the end. LINK= is without it.
LIBRARY = $(OUT)/lib/library1.o $(OUT)/lib/library2.o
LIB = $(if $(LINK),$(LIBRARY)) $(patsubst tests/lib/%.c,$(OUT)/lib/%.o,\
      $(filter-out %/library.c,$(wildcard tests/lib/*.c))) \
      $(patsubst examples/lib/%.c,$(OUT)/lib/%.o,$(wildcard examples/lib/*.c))
TESTS = $(patsubst %,$(OUT)/tests/%.o,$(if $(TEST),$(CHOSEN),$(SUBJECTS)))
# What the tools and the tests share.
SHARED = $(wildcard examples/lib/*.c)
TRACE = $(wildcard examples/cctrace/*.c) $(SHARED)
# What drives an algorithm by name, for the traces of the tests.
ALGOS = $(patsubst examples/cctrace/%.c,$(OUT)/cctrace.o/%.o,\
        $(filter-out %/main.c,$(wildcard examples/cctrace/*.c)))

# A tool that is missing ends a recipe: as a failure under CI, elsewhere as a skip.
NEED = $(1) > /dev/null 2>&1 || { echo '$@: no $(2) here: skipped'; test -z "$$CI"; exit; }

# rocedump, and what else it is made of.
DUMP = $(wildcard examples/rocedump/*.c) $(SHARED)
DUMP_USES = $(DUMP) $(wildcard examples/rocedump/*.h examples/lib/*.h \
            examples/crc32/*.h include/rocecc/*.h include/rocecc/*/*.h)

# rocegen, and what else it is made of.
GEN = $(wildcard examples/rocegen/*.c) $(SHARED)
GEN_USES = $(GEN) $(wildcard examples/rocegen/*.h examples/lib/*.h \
           include/rocecc/*.h include/rocecc/*/*.h)

# The laboratory, and what runs its claims. The ICRC has its large table: speed counts.
LAB = $(wildcard examples/cclab/*.c) $(filter-out %/main.c %/play.c,$(TRACE))
LAB_USES = $(LAB) $(wildcard examples/cclab/*.h examples/cctrace/*.h examples/lib/*.h \
           include/rocecc/*.h include/rocecc/*/*.h)
LAB_FLAGS = $(FLAGS) -O2 -DROCECC_ICRC_TABLE_BYTES=16384

.PHONY: help demo demo-frames test tools softroce deps verify layers selfcontained callers vectors \
        tools-test softroce-test peers claims exhaustive fuzz msan prove endian bpf live live-rxe live-softroce live-picture live-forged bench cost drop-ins hosts crc32 mcdc size \
        mutate gates-are-live assure record format clean

help:
	@cat tests/gates/help.txt

# What it is made of is compiled in silence: the point is what it says.
demo:
	@test -x $(OUT)/cclab || echo 'Compiling three programs first: about half a minute.'
	+@$(MAKE) -s --no-print-directory $(OUT)/rocedump-demo $(OUT)/exchange $(OUT)/cclab
	@sh tests/tools/demo.sh $(OUT)

demo-frames:
	+@$(MAKE) -s --no-print-directory $(OUT)/rocedump-demo
	@$(OUT)/rocedump-demo vectors/frame.vec

CORES := $(shell getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)

# On as many cores as there are, unless make was given a -j of its own.
test:
	+@$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(CORES)) \
	    $(OUT)/test
	@echo 'test: $(CC), $(if $(SAN),$(SAN),without sanitizers)'
	@TEST_SCALE=$(TEST_SCALE) $(RUN) $(OUT)/test

$(OUT)/test: $(LIB) $(TESTS) $(ALGOS) $(OUT)/test.list
	$(CC) $(FLAGS) $(SAN) $(filter %.o,$^) -lm -o $@

# The tests of the program: with another TEST= it is linked anew.
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

# For the demo a C compiler is enough, and half a minute: no libpcap, no sanitizers.
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

# Soft-RoCE with congestion control. What runs in the kernel is compiled as bpf.h there
# says.
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

# A file that sets a cap of the library has functions of its own.
LIB_O = $(if $(LINK),$(LIBRARY_O))
LIB_LINK = $(LINK)
OWN := $(shell grep -l '^\#define ROCECC_' tests/lib/*.c)
$(OWN:tests/%.c=$(OUT)/%.o): LIB_LINK =

# The programs that the front pages show, for tests/readme.c.
$(OUT)/readme_block.h: README.md include/rocecc/README.md
	@mkdir -p $(@D)
	awk '/^```/ {f = $$0 == "```c"; next} f' $^ > $@

$(OUT)/tests/readme.o: $(OUT)/readme_block.h

-include $(wildcard $(OUT)/*.d $(OUT)/tests/*.d $(OUT)/tests/*/*.d $(OUT)/lib/*.d $(OUT)/cctrace.o/*.d)

deps:
	sh tests/gates/deps.sh

# The dear ones first, so that no core waits for one at the end. tests/gates/gates.py has what the
# verdict of each depends on.
GATES = gates-are-live fuzz prove endian hosts live-rxe mutate msan claims static bpf live \
        live-softroce exhaustive callers selfcontained bench tools-test softroce-test mcdc \
        peers matrix cost size vectors drop-ins layers tsan

verify:
	+@sh tests/gates/verify.sh $(OUT) $(CORES) $(GATES)

# What CI has no time for: samples and timings, in full.
ASSURE = fuzz mutate bench gates-are-live hosts
assure:
	+@sh tests/gates/assure.sh $(ASSURE)

# What passed as it is now goes into tests/record, which CI reads.
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

# TOOLS=cctrace: one of them alone.
TOOLS = tools rocegen cctrace
OF_tools = rocedump rocedump-san rocedump-demo exchange-san
OF_rocegen = rocedump rocegen rocegen-san
OF_cctrace = cctrace
tools-test:
	+@$(call NEED,printf '#include <%s>\n' pcap/pcap.h zlib.h | $(CC) -E -,libpcap or zlib); \
	$(call NEED,jq --version,jq); $(call NEED,$(PYTHON) --version,$(PYTHON)); \
	. tests/lib/record.sh; due tools-test $(if $(filter command line,$(origin TOOLS)),$(TOOLS)); \
	[ -n "$$pieces" ] || exit 0; \
	$(MAKE) $(patsubst %,$(OUT)/%,$(sort $(foreach t,$(TOOLS),$(OF_$t)))) && \
	for t in $$pieces; do sh tests/tools/$$t.sh $(OUT) $(PYTHON) || exit 1; \
	    record passed tools-test $$t; done

# A rocedump of its own, as for peers.
softroce-test:
	+@$(call NEED,clang-19 --version,clang-19); \
	$(call NEED,$(PYTHON) -c 'import scapy; assert scapy.VERSION == "2.5.0"',scapy 2.5.0); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(MAKE) OUT=$(OUT)/softroce $(OUT)/softroce/rocedump $(OUT)/softroce/rocegen && \
	$(MAKE) $(addprefix $(OUT)/softroce/,switch-san sender.o receiver.o silence) && \
	sh tests/tools/softroce/load.sh $(OUT)/softroce && \
	$(PYTHON) -B tests/tools/softroce/switch.py $(OUT)/softroce/switch-san $(OUT)/softroce/rocedump && \
	$(PYTHON) -B tests/gates/live/picture_test.py $(OUT)/picture

# The known defects of the peers are those of these versions. A rocedump of its own:
# tools-test may be making the other at the same time.
peers: $(OUT)/test
	+@$(call NEED,tshark --version 2>&1 | grep 'TShark.* 4[.]0[.]',tshark 4.0); \
	$(call NEED,$(PYTHON) -c 'import scapy; assert scapy.VERSION == "2.5.0"',scapy 2.5.0); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(call NEED,ip -V,ip); $(call NEED,tc -V,tc); \
	$(call NEED,test "$$(id -u)" = 0,root); \
	$(MAKE) OUT=$(OUT)/peers $(OUT)/peers/rocedump $(OUT)/peers/ioam_send $(OUT)/peers/srv6 && \
	sh tests/gates/peers/peers.sh $(OUT) $(PYTHON)

# A rocedump and a cclab of its own, as for peers.
claims:
	+@$(call NEED,tshark --version,tshark); $(call NEED,gnuplot --version,gnuplot); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(MAKE) OUT=$(OUT)/lab $(OUT)/lab/claims && $(OUT)/lab/claims $(CLAIMS) && \
	$(MAKE) OUT=$(OUT)/lab $(OUT)/lab/cclab-san $(OUT)/lab/rocedump && \
	sh tests/tools/cclab/cli.sh $(OUT)/lab $(PYTHON)

# Every NodeLen with every trace type; and the tests as an optimiser sees them.
# EXHAUSTIVE=ioam+test/wire/bth: these pieces alone.
exhaustive:
	+@OUT=$(OUT) CC='$(CC)' FLAGS='$(FLAGS)' sh tests/gates/exhaustive.sh $(subst +, ,$(EXHAUSTIVE))

# FUZZ=bth+diff/walk: these drivers alone. tests/gates/fuzz.sh has the other choices.
fuzz:
	+@sh tests/gates/fuzz.sh $(OUT) $(subst +, ,$(FUZZ))

# -O0 builds in a sixth of the time, and drops no value before it is looked at.
# MSAN=wire/bth+packet/cnp: these files of tests/ alone.
msan:
	+@$(call NEED,echo 'int main(void) {return 0;}' | clang-19 -fsanitize=memory -x c -o /dev/null -,clang-19 with MemorySanitizer); \
	sh tests/gates/suite.sh msan '$(patsubst %,test/%,$(call subjects,$(MSAN)))' OUT=$(OUT)/msan CC=clang-19 TEST_SCALE=10 \
	    CFLAGS='-O1 -gline-tables-only' TEST_O=-O1 LINK=-DROCECC_FN=inline LIBRARY_O= \
	    SAN='-fsanitize=memory -fno-sanitize-recover=all'

prove:
	sh tests/gates/prove/prove.sh $(OUT)/prove $(subst +, ,$(PROVE))

# ENDIAN=test/wire/bth+rows/dcqcn+cclab: these pieces alone.
endian:
	+@sh tests/gates/endian.sh $(OUT) $(subst +, ,$(ENDIAN))

# BPF=PROGRAM+...: these alone; cover: whether every function is in one.
bpf:
	+@sh tests/gates/bpf/bpf.sh $(OUT) $(subst +, ,$(BPF))

live:
	+@sh tests/gates/live/bpf61.sh $(OUT) $(subst +, ,$(BPF))

# A rocedump and a rocegen of its own, as for peers.
live-rxe: $(NOUNS:%=$(OUT)/rows/%.rows)
	+@$(call NEED,tshark --version 2>&1 | grep 'TShark.* 4[.]0[.]',tshark 4.0); \
	$(call NEED,$(PYTHON) -c 'import scapy; assert scapy.VERSION == "2.5.0"',scapy 2.5.0); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(call NEED,echo '#include <zlib.h>' | $(CC) -E -,zlib); \
	$(call NEED,test "$$(id -u)" = 0,root); \
	$(MAKE) OUT=$(OUT)/live $(OUT)/live/rocedump $(OUT)/live/rocegen && \
	sh tests/gates/live/rxe.sh $(OUT) $(PYTHON) $(NOUNS)

# Every row (of most that are no format, bytes at random), and the host's digest of each prefix: by a
# library of its own, as it has the caps of a BPF program.
$(OUT)/rows/%.rows: tests/gates/bpf/%.c $(OUT)/lib/vec.o $(wildcard vectors/*.vec) \
               $(wildcard tests/law/*.h tests/gates/bpf/*.h include/rocecc/*.h include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(TEST_O) $(SAN) $< $(OUT)/lib/vec.o -o $(@:.rows=)
	$(RUN) $(@:.rows=) $(if $(filter $*,$(FORMATS) arn_gate qpn),vectors/$*.vec,-) > $@.new
	@mv $@.new $@

# What examples/softroce has in common with its twin in cclab, which counts 24 bytes more
# of a frame; and how often each way runs, for how long.
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

# PACED=WAY.NUMBER...: of the ways that tests/gates/live/softroce.sh lists.
PACED = ioam.ci fastcnp.ci
live-softroce:
	+@$(RIG) && SECONDS_EACH=10 sh tests/gates/live/softroce.sh $(OUT) $(PACED)

# Forged notifications, with and without the gate.
live-forged:
	+@$(RIG) && SECONDS_EACH=110 sh tests/gates/live/softroce.sh $(OUT) forged.1 && \
	grep '^forged' $(OUT)/softroce/forged.1.said

# A quarter of an hour, on a machine that does nothing else.
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

# The kernels of examples/crc32, for the CPUs that are not here under qemu.
crc32:
	@sh tests/gates/crc32.sh $(OUT)/crc32

drop-ins: crc32
	+@$(call NEED,echo '#include <linux/bpf.h>' | $(CC) -E -,<linux/bpf.h>); \
	$(MAKE) $(OUT)/drop-ins/gate $(OUT)/drop-ins/unknown && \
	SAN='$(SAN)' sh tests/gates/dropins.sh $(OUT)/drop-ins $(PYTHON)

# HOSTS=dpdk+web: of examples/ these only, against the frameworks that they are for.
hosts:
	+@sh tests/gates/hosts.sh $(OUT) $(PYTHON) $(subst +, ,$(HOSTS))

# packages: the library as others have it. examples/packages has what needs no make.
.PHONY: single test-single install
HEADERS = include/rocecc/rocecc.h $(sort $(wildcard include/rocecc/*.h include/rocecc/*/*.h))
single: $(OUT)/rocecc.h

$(OUT)/rocecc.h: examples/packages/single.awk LICENSE $(HEADERS)
	@mkdir -p $(@D)
	@awk -f examples/packages/single.awk LICENSE $(HEADERS) > $@.new
	@mv $@.new $@
	@echo 'single: $@'

# The same tests, and no other header than the single one: the lists of what was included
# show it. TEST=... as above.
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

# MUTATE=role/echo.h+wire/lsn.h: all of these headers; FULL=1: all; else a sample, by the
# number in tests/record/round.
mutate:
	+@$(call NEED,$(PYTHON) -c 'import clang.cindex',python3-clang); \
	MUTATE='$(MUTATE)' FULL='$(FULL)' sh tests/gates/mutate/mutate.sh $(OUT)/mutate

size:
	@$(PYTHON) -B tests/gates/size/size.py $(OUT)

# The reference, from the headers' comments and examples/docs: build/docs/index.html.
.PHONY: docs
docs:
	@$(call NEED,doxygen --version,doxygen); rm -rf $(OUT)/docs && mkdir -p $(OUT)/docs && \
	DOCS_OUT=$(OUT)/docs PYTHON=$(PYTHON) doxygen tests/gates/docs/Doxyfile && \
	echo 'docs: $(OUT)/docs/index.html'

# 2 to 3 minutes of a core where every header has changed, one where few have.
.PHONY: static tsan matrix
static:
	PYTHON=$(PYTHON) sh tests/gates/static.sh $(OUT)

tsan:
	sh tests/gates/tsan.sh $(OUT)

# MATRIX=NOUN+NOUN: of these; BUILD=NAME: as that build.
matrix:
	+@BUILD=$(BUILD) sh tests/gates/matrix.sh $(OUT) '$(FORMATS) arn_gate qpn' $(subst +, ,$(MATRIX))

# DEFECT=NAME+NAME: these alone.
gates-are-live:
	+@sh tests/mutants/live.sh $(subst +, ,$(DEFECT))

format:
	clang-format --style=file -i include/rocecc/*.h include/rocecc/*/*.h tests/*.c \
	    tests/*/*.[ch] tests/*/*/*.[ch] fuzz/*.c fuzz/*/*.c examples/*/*.[ch]

clean:
	rm -rf build
