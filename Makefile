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
          vectors/edit_rows.py vectors/echo_rows.py

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
LONG_LOOPS = acl arn csig dcqcn_timed flowtable hpcc_time ioam ldcp packet qpnlearner
# Long loops run half of their rounds, and all of them in exhaustive.
TEST_SCALE ?= 2

# TEST=bth+cnp builds and runs these files alone.
ifneq ($(TEST),)
NO_TEST := $(filter-out $(wildcard tests/*.c),$(patsubst %,tests/%.c,$(subst +, ,$(TEST))))
ifneq ($(NO_TEST),)
$(error TEST=$(TEST): there is no $(NO_TEST))
endif
endif

# The dearest first, so that no core waits for it at the end. LINK= is without it.
LIBRARY = $(OUT)/lib/library1.o $(OUT)/lib/library2.o
LIB = $(if $(LINK),$(LIBRARY)) $(patsubst tests/lib/%.c,$(OUT)/lib/%.o,\
      $(filter-out %/library.c,$(wildcard tests/lib/*.c))) \
      $(patsubst examples/lib/%.c,$(OUT)/lib/%.o,$(wildcard examples/lib/*.c))
TESTS = $(patsubst %,$(OUT)/tests/%.o,$(if $(TEST),$(subst +, ,$(TEST)),\
        $(patsubst tests/%.c,%,$(wildcard tests/*.c))))
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
LAB = $(wildcard examples/cclab/*.c)
LAB_USES = $(LAB) $(wildcard examples/cclab/*.h include/rocecc/*.h include/rocecc/*/*.h)
LAB_FLAGS = $(FLAGS) -O2 -DROCECC_ICRC_TABLE_BYTES=16384

INCAST = --scheme dcqcn,hpcc-int --topology star --flows 16 --rate 100G --rtt 8us \
         --buffer 32M --duration 20ms

.PHONY: help demo demo-frames test tools softroce deps verify layers selfcontained callers vectors \
        tools-test softroce-test peers claims exhaustive fuzz msan prove endian bpf live live-rxe live-softroce live-picture live-forged bench cost drop-ins hosts crc32 mcdc size \
        mutate gates-are-live assure record format clean

help:
	@echo 'make demo             decode a frame, tell one congestion, close the loop'
	@echo 'make demo-frames      decode every frame of vectors/frame.vec'
	@echo 'make test             units, vectors, laws; needs a C compiler; TEST=FILE+FILE of tests/'
	@echo 'make tools            build/rocedump, build/rocegen (need libpcap, zlib), build/cctrace, build/cclab'
	@echo 'make softroce         build/softroce: congestion control for Soft-RoCE (libbpf, libmnl, clang-19)'
	@echo 'make single           build/rocecc.h: all headers in one; test-single: the tests with no other'
	@echo 'make install          headers, rocecc.pc, files for find_package; PREFIX, DESTDIR'
	@echo 'make docs             build/docs/index.html: the reference (needs doxygen)'
	@echo 'make deps             installs what verify needs (Debian packages; as root)'
	@echo 'make verify           those of the gates below whose inputs have changed; FULL=1: all gates'
	@echo '  layers              includes follow the one direction; README.md lists sizes and macros as they are'
	@echo '  selfcontained       each header alone, every compiler; all of them, every standard'
	@echo '  callers             every output used as documented: no warning; CALLERS=NAME'
	@echo '  vectors             vectors against scapy, read.py and models, captures reproduced'
	@echo '  tools-test          rocedump on good, broken and mutated captures; rocegen read back; TOOLS=NAME'
	@echo '  softroce-test       examples/softroce: the switch between machines that a script plays, the sender after an hour'
	@echo '  peers               rocedump against tshark, scapy, and the kernel; as root'
	@echo '  claims              what papers and drafts say, in cclab; its command line; CLAIMS=NAME'
	@echo '  exhaustive          every NodeLen with every IOAM trace type; the tests at -O3, with all rounds; EXHAUSTIVE=PIECE'
	@echo '  fuzz                libFuzzer with a fixed seed; FUZZ=DRIVER, FUZZ_RUNS=N; FUZZ_SECONDS=N adds AFL++'
	@echo '  msan                the tests under MemorySanitizer: no output without a value; MSAN=FILE'
	@echo '  prove               Frama-C: Eva for every input, WP on contracts; PROVE=NOUN+...'
	@echo '  endian              s390x (big-endian) and i386; ENDIAN=PIECE'
	@echo '  bpf                 the kernel verifier loads each program, and their digests agree; BPF=PROGRAM+...'
	@echo '  live                the same on Debian 6.1, in a virtual machine; as root; BPF=...'
	@echo '  live-rxe            Soft-RoCE of Linux between two virtual machines'
	@echo '  live-softroce       the same, slowed down by examples/softroce'
	@echo '  bench               what operations cost beside what people would use instead'
	@echo '  cost                instructions per step and bytes of state, against cost.txt'
	@echo '  drop-ins            examples/l3qcn, examples/xdp between network namespaces; as root'
	@echo '  hosts               what the other examples are built with: each against its framework; HOSTS=NAME'
	@echo '  crc32               examples/crc32: every kernel, under qemu where need be (in drop-ins)'
	@echo '  mcdc                what no test reaches of functions, lines, branches, MC/DC has its reason'
	@echo '  mutate              a wrong operator, constant, statement or output is red; MUTATE=HEADER+..., FULL=1'
	@echo '  static              gcc -fanalyzer, clang-tidy, cppcheck, MISRA: clean, or a numbered deviation'
	@echo '  tsan                what threads may do with flow and pause tables, and what they may not'
	@echo '  matrix              the same digests at every optimisation, and on arm and aarch64; MATRIX=NOUN'
	@echo '  size                code, constants, stack on Cortex-M4, M0+, RISC-V; SIZE=HEADER'
	@echo '  gates-are-live      each gate goes red on its known defect; DEFECT=NAME'
	@echo 'make record           keeps what passed in tests/record, so that verify need not run it again'
	@echo 'make live-picture     Soft-RoCE untouched, by CNPs, by Fast CNPs, and simulated: 15 minutes'
	@echo 'make live-forged      the same under forged notifications'
	@echo 'make assure           what verify has no time for: long fuzzing, every mutant, timings'

# What it is made of is compiled in silence: the point is what it says.
demo:
	@test -x $(OUT)/cclab || echo 'Compiling three programs first: about half a minute.'
	+@$(MAKE) -s --no-print-directory $(OUT)/rocedump-demo $(OUT)/exchange $(OUT)/cclab
	@echo 'One frame of a real NIC (make demo-frames: all that are in vectors/):'
	@$(OUT)/rocedump-demo vectors/frame.vec > $(OUT)/demo-frames.txt
	@sed '/^$$/,$$d' $(OUT)/demo-frames.txt
	@echo
	@$(OUT)/exchange
	@echo '  (-: this format does not carry it)'
	@echo
	@echo '16 flows start at once into one port of 100 Gb/s. DCQCN slows down by CNPs, HPCC++ by'
	@echo 'telemetry (INT). Goodput, use, Jain and the first two columns of queues are of the'
	@echo 'second half; the bars are the queue over time (-: these flows have no end):'
	@$(OUT)/cclab $(INCAST) --out $(OUT)/demo

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

$(OUT)/claims: $(LAB_USES) $(wildcard tests/cclab/*.[ch]) tests/lib/test.c tests/lib/test.h
	@mkdir -p $(@D)
	$(CC) $(LAB_FLAGS) $(filter-out %/main.c,$(LAB)) $(wildcard tests/cclab/*.c) \
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

$(OUT)/softroce/silence: tests/softroce/silence.c examples/lib/vec.c $(SOFTROCE_USES)
	@mkdir -p $(@D)
	$(CC) -std=gnu99 $(WARN) $(CFLAGS) -Iinclude -Iexamples/softroce $(filter %.c,$^) -lbpf -o $@

$(OUT)/softroce/%.o: examples/softroce/%.c $(SOFTROCE_USES)
	@mkdir -p $(@D)
	clang-19 -target bpf -mcpu=v3 -Os -g -std=gnu99 -ffreestanding -Wall -Wextra -Iinclude \
	    -I/usr/include/$$($(CC) -print-multiarch) -c $< -o $@

$(OUT)/rocedump-san: $(DUMP_USES)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) -DHAVE_PCAP $(DUMP) -lpcap -lz -o $@

$(OUT)/ioam_send: tests/peers/ioam_send.c $(wildcard include/rocecc/*.h \
                  include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) $< -o $@

$(OUT)/srv6: tests/peers/srv6.c $(wildcard include/rocecc/*.h include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $< -o $@

$(OUT)/tests/%.o: tests/%.c | $(OUT)/readme_block.h
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(TEST_O) $(LINK) $(SAN) -MMD -c $< -o $@

$(OUT)/cctrace.o/%.o: examples/cctrace/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(TEST_O) $(LINK) $(SAN) -MMD -c $< -o $@

$(LONG_LOOPS:%=$(OUT)/tests/%.o) $(OUT)/cctrace.o/play.o: TEST_O = -Og -g1 -fno-inline

$(OUT)/lib/%.o: tests/lib/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(LIB_O) $(LIB_LINK) $(SAN) -MMD -c $< -o $@

$(OUT)/lib/%.o: examples/lib/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(LIB_O) $(LIB_LINK) $(SAN) -MMD -c $< -o $@

$(LIBRARY): $(OUT)/lib/library%.o: tests/lib/library.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(LIB_O) -DLIBRARY_HALF=$* $(SAN) -MMD -c $< -o $@

# A file that sets a cap of the library has functions of its own.
LIB_O = $(if $(LINK),$(LIBRARY_O))
LIB_LINK = $(LINK)
OWN := $(shell grep -l '^\#define ROCECC_' tests/lib/*.c)
$(OWN:tests/%.c=$(OUT)/%.o): LIB_LINK =

# The programs that the README shows, for tests/readme.c.
$(OUT)/readme_block.h: README.md
	@mkdir -p $(@D)
	awk '/^```/ {f = $$0 == "```c"; next} f' $< > $@

$(OUT)/tests/readme.o: $(OUT)/readme_block.h

-include $(wildcard $(OUT)/*.d $(OUT)/tests/*.d $(OUT)/lib/*.d $(OUT)/cctrace.o/*.d)

deps:
	apt-get update
	apt-get install -y --no-install-recommends gcc g++ make clang clang-19 \
	    libclang-rt-14-dev llvm afl++ frama-c-base why3 z3 cvc4 patch jq \
	    gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user gcc-12-multilib \
	    libc6-dev-i386 linux-libc-dev bpftool python3-clang python3-scapy \
	    libpcap-dev zlib1g-dev tshark valgrind iproute2 gnuplot-nox ccache llvm-19 \
	    libclang-rt-19-dev qemu-system-x86 cpio libbpf-dev libelf-dev \
	    gcc-arm-none-eabi gcc-riscv64-unknown-elf gcc-aarch64-linux-gnu \
	    libc6-dev-arm64-cross gcc-riscv64-linux-gnu libc6-dev-riscv64-cross \
	    pkg-config libisal-dev libdeflate-dev libdpdk-dev libtins-dev python3-jsonschema \
	    busybox-static kmod rdma-core ibverbs-providers ibverbs-utils perftest \
	    libibverbs-dev libmnl-dev cmake meson ninja-build dpkg-dev debhelper lintian \
	    wireshark-dev libns3-dev nodejs chromium wasi-libc lld-14 doxygen \
	    qemu-system-arm qemu-system-misc libnewlib-arm-none-eabi \
	    picolibc-riscv64-unknown-elf clang-tidy-19 cppcheck gcc-arm-linux-gnueabihf \
	    libc6-dev-armhf-cross gcc-avr tcc

# The dear ones first, so that no core waits for one at the end. tests/gates.py has what the
# verdict of each depends on.
GATES = gates-are-live fuzz prove endian hosts live-rxe mutate msan claims static bpf live \
        live-softroce exhaustive callers selfcontained bench tools-test softroce-test mcdc \
        peers matrix cost size vectors drop-ins layers tsan

verify:
	+@sh tests/verify.sh $(OUT) $(CORES) $(GATES)

# What CI has no time for: samples and timings, in full.
ASSURE = fuzz mutate bench gates-are-live hosts
assure:
	+@sh tests/assure.sh $(ASSURE)

# What passed as it is now goes into tests/record, which CI reads.
record:
	@$(PYTHON) -B tests/lib/record.py copy

layers:
	sh tests/layers.sh
	sh tests/readme.sh
	sh tests/api.sh

selfcontained:
	sh tests/selfcontained.sh '$(WARN)'

callers:
	@$(call NEED,$(PYTHON) --version,$(PYTHON)); \
	sh tests/callers.sh $(OUT) $(PYTHON) $(CALLERS)

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
	+@$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(call NEED,echo '#include <zlib.h>' | $(CC) -E -,zlib); \
	$(call NEED,jq --version,jq); \
	$(call NEED,$(PYTHON) --version,$(PYTHON)); \
	. tests/lib/record.sh; due tools-test $(if $(filter command line,$(origin TOOLS)),$(TOOLS)); \
	[ -n "$$pieces" ] || exit 0; \
	$(MAKE) $(patsubst %,$(OUT)/%,$(sort $(foreach t,$(TOOLS),$(OF_$t)))) && \
	for t in $$pieces; do sh tests/$$t.sh $(OUT) $(PYTHON) || exit 1; \
	    record passed tools-test $$t; done

# A rocedump of its own, as for peers.
softroce-test:
	+@$(call NEED,clang-19 --version,clang-19); \
	$(call NEED,$(PYTHON) -c 'import scapy; assert scapy.VERSION == "2.5.0"',scapy 2.5.0); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(MAKE) OUT=$(OUT)/softroce $(OUT)/softroce/rocedump $(OUT)/softroce/rocegen && \
	$(MAKE) $(addprefix $(OUT)/softroce/,switch-san sender.o receiver.o silence) && \
	sh tests/softroce/load.sh $(OUT)/softroce && \
	$(PYTHON) -B tests/softroce/switch.py $(OUT)/softroce/switch-san $(OUT)/softroce/rocedump && \
	$(PYTHON) -B tests/live/picture_test.py $(OUT)/picture

# The known defects of the peers are those of these versions. A rocedump of its own:
# tools-test may be making the other at the same time.
peers: $(OUT)/test
	+@$(call NEED,tshark --version 2>&1 | grep 'TShark.* 4[.]0[.]',tshark 4.0); \
	$(call NEED,$(PYTHON) -c 'import scapy; assert scapy.VERSION == "2.5.0"',scapy 2.5.0); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(call NEED,ip -V,ip); $(call NEED,tc -V,tc); \
	$(call NEED,test "$$(id -u)" = 0,root); \
	$(MAKE) OUT=$(OUT)/peers $(OUT)/peers/rocedump $(OUT)/peers/ioam_send $(OUT)/peers/srv6 && \
	$(PYTHON) -B tests/peers/ioam_kernel.py $(OUT)/peers && \
	$(PYTHON) -B tests/peers/srv6_kernel.py $(OUT)/peers && \
	$(PYTHON) -B tests/peers/peers.py $(OUT)/peers/rocedump && \
	$(PYTHON) -B tests/peers/cm.py && \
	$(PYTHON) -B tests/peers/ifa.py 3000 1 > $(OUT)/peers/ifa.vec && \
	IFA_ROWS=$(OUT)/peers/ifa.vec $(OUT)/test ifa_peer && \
	for choices in 'checksum=stack gns_a=1' 'checksum=metadata fragments=1' \
	    'tail=newest_first gns_b=2' tail=newest_last; do \
	    $(PYTHON) -B tests/peers/ifa.py 500 1 $$choices > $(OUT)/peers/ifa.vec && \
	    IFA_ROWS=$(OUT)/peers/ifa.vec $(OUT)/test ifa_peer || exit 1; \
	done && \
	$(PYTHON) -B tests/peers/reaction.py 3000 1 > $(OUT)/peers/reaction.vec && \
	REACTION_ROWS=$(OUT)/peers/reaction.vec $(OUT)/test reaction_point_peer && \
	$(PYTHON) -B tests/peers/congestion.py 3000 1 > $(OUT)/peers/congestion.vec && \
	CONGESTION_ROWS=$(OUT)/peers/congestion.vec $(OUT)/test congestion_point_peer

# A rocedump and a cclab of its own, as for peers.
claims:
	+@$(call NEED,tshark --version,tshark); $(call NEED,gnuplot --version,gnuplot); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(MAKE) OUT=$(OUT)/lab $(OUT)/lab/claims && $(OUT)/lab/claims $(CLAIMS) && \
	$(MAKE) OUT=$(OUT)/lab $(OUT)/lab/cclab-san $(OUT)/lab/rocedump && \
	sh tests/cclab/cli.sh $(OUT)/lab $(PYTHON)

# Every NodeLen with every trace type; and the tests as an optimiser sees them.
# EXHAUSTIVE=ioam+test/bth: these pieces alone.
exhaustive:
	+@OUT=$(OUT) CC='$(CC)' FLAGS='$(FLAGS)' sh tests/exhaustive.sh $(subst +, ,$(EXHAUSTIVE))

# FUZZ=bth+diff/walk: these drivers alone. tests/fuzz.sh has the other choices.
fuzz:
	+@sh tests/fuzz.sh $(OUT) $(subst +, ,$(FUZZ))

# -O0 builds in a sixth of the time, and drops no value before it is looked at.
# MSAN=bth+cnp: these files of tests/ alone.
msan:
	+@$(call NEED,echo 'int main(void) {return 0;}' | clang-19 -fsanitize=memory -x c -o /dev/null -,clang-19 with MemorySanitizer); \
	sh tests/suite.sh msan '$(patsubst %,test/%,$(subst +, ,$(MSAN)))' OUT=$(OUT)/msan CC=clang-19 TEST_SCALE=10 \
	    CFLAGS='-O1 -gline-tables-only' TEST_O=-O1 LINK=-DROCECC_FN=inline LIBRARY_O= \
	    SAN='-fsanitize=memory -fno-sanitize-recover=all'

prove:
	sh tests/prove/prove.sh $(OUT)/prove $(subst +, ,$(PROVE))

# ENDIAN=test/bth+rows/dcqcn+cclab: these pieces alone.
endian:
	+@sh tests/endian.sh $(OUT) $(subst +, ,$(ENDIAN))

# BPF=PROGRAM+...: these alone; cover: whether every function is in one.
bpf:
	+@sh tests/bpf/bpf.sh $(OUT) $(subst +, ,$(BPF))

live:
	+@sh tests/live/bpf61.sh $(OUT) $(subst +, ,$(BPF))

# A rocedump and a rocegen of its own, as for peers.
live-rxe: $(NOUNS:%=$(OUT)/rows/%.rows)
	+@$(call NEED,tshark --version 2>&1 | grep 'TShark.* 4[.]0[.]',tshark 4.0); \
	$(call NEED,$(PYTHON) -c 'import scapy; assert scapy.VERSION == "2.5.0"',scapy 2.5.0); \
	$(call NEED,echo '#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
	$(call NEED,echo '#include <zlib.h>' | $(CC) -E -,zlib); \
	$(call NEED,test "$$(id -u)" = 0,root); \
	$(MAKE) OUT=$(OUT)/live $(OUT)/live/rocedump $(OUT)/live/rocegen && \
	sh tests/live/rxe.sh $(OUT) $(PYTHON) $(NOUNS)

# Every row (of most that are no format, bytes at random), and the host's digest of each prefix: by a
# library of its own, as it has the caps of a BPF program.
$(OUT)/rows/%.rows: tests/bpf/%.c $(OUT)/lib/vec.o $(wildcard vectors/*.vec) \
               $(wildcard tests/law/*.h tests/bpf/*.h include/rocecc/*.h include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(TEST_O) $(SAN) $< $(OUT)/lib/vec.o -o $(@:.rows=)
	$(RUN) $(@:.rows=) $(if $(filter $*,$(FORMATS) arn_gate qpn),vectors/$*.vec,-) > $@.new
	@mv $@.new $@

# What examples/softroce has in common with its twin in cclab, which counts 24 bytes more
# of a frame; and how often each way runs, for how long.
TWIN = --scheme dcqcn,fastcnp --flows 2 --rate 20435572 --rtt 1ms --buffer 100K \
       --duration 40s --set line_bps=40871143,payload_bytes=1024,k_min_bytes=10K,k_max_bytes=40K \
       --set pmax_percent=20,cnp_interval_ns=50ms,dcqcn_alpha_timer_ns=55ms \
       --set dcqcn_increase_timer_ns=75ms,ai_bps=1M,dcqcn_hai_bps=2M,dcqcn_min_bps=1M \
       --set dcqcn_g_q20=16384,dcqcn_no_byte_counter=1
RUNS = $(foreach n,1 2 3,rxe.$(n) caps.$(n) cnp.$(n) fastcnp.$(n))
RIG = $(call NEED,test "$$(id -u)" = 0,root); \
      $(call NEED,clang-19 --version,clang-19); \
      $(call NEED,echo '\#include <libmnl/libmnl.h>' | $(CC) -E -,libmnl); \
      $(call NEED,echo '\#include <bpf/libbpf.h>' | $(CC) -E -,libbpf); \
      $(call NEED,echo '\#include <pcap/pcap.h>' | $(CC) -E -,libpcap); \
      $(MAKE) softroce && $(MAKE) OUT=$(OUT)/softroce $(OUT)/softroce/rocegen

# PACED=WAY.NUMBER...: of the ways that tests/live/softroce.sh lists.
PACED = ioam.ci fastcnp.ci
live-softroce:
	+@$(RIG) && SECONDS_EACH=10 sh tests/live/softroce.sh $(OUT) $(PACED)

# Forged notifications, with and without the gate.
live-forged:
	+@$(RIG) && SECONDS_EACH=110 sh tests/live/softroce.sh $(OUT) forged.1 && \
	grep '^forged' $(OUT)/softroce/forged.1.said

# A quarter of an hour, on a machine that does nothing else.
live-picture: $(OUT)/cclab
	+@$(RIG) && $(call NEED,gnuplot --version,gnuplot); \
	$(OUT)/cclab $(TWIN) --out $(OUT)/softroce/twin > $(OUT)/softroce/twin.txt && \
	sh tests/live/softroce.sh $(OUT) $(RUNS) && \
	$(PYTHON) -B tests/live/picture.py --rate-bps 20000000 --out $(OUT)/softroce/picture \
	    --twin $(OUT)/softroce/twin/dcqcn.csv --twin $(OUT)/softroce/twin/fastcnp.csv \
	    $(RUNS:%=$(OUT)/softroce/%.tsv)

bench:
	+@PYTHON=$(PYTHON) sh tests/bench/bench.sh $(OUT) $(BENCH)

cost:
	sh tests/cost/cost.sh $(OUT)

$(OUT)/drop-ins/%: examples/xdp/%.c examples/xdp/gate.h examples/lib/prefix.c \
                   $(wildcard include/rocecc/*.h include/rocecc/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(SAN) $(filter %.c,$^) -o $@

# The kernels of examples/crc32, for the CPUs that are not here under qemu.
crc32:
	@sh tests/crc32.sh $(OUT)/crc32

drop-ins: crc32
	+@$(call NEED,echo '#include <linux/bpf.h>' | $(CC) -E -,<linux/bpf.h>); \
	$(MAKE) $(OUT)/drop-ins/gate $(OUT)/drop-ins/unknown && \
	SAN='$(SAN)' sh tests/dropins.sh $(OUT)/drop-ins $(PYTHON)

# HOSTS=dpdk+web: of examples/ these only, against the frameworks that they are for.
hosts:
	+@sh tests/hosts.sh $(OUT) $(PYTHON) $(subst +, ,$(HOSTS))

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
	! grep -lE '(^| )include/rocecc/' $(OUT)/single/*/*.d

PREFIX ?= /usr/local
install:
	@sh examples/packages/install.sh '$(PREFIX)' '$(DESTDIR)'

mcdc: $(OUT)/readme_block.h
	@PYTHON=$(PYTHON) sh tests/mcdc/mcdc.sh $(OUT) $(TESTS:$(OUT)/%.o=%.c) \
	    $(filter-out %/library.c,$(wildcard tests/lib/*.c)) $(SHARED) \
	    $(ALGOS:$(OUT)/cctrace.o/%.o=examples/cctrace/%.c)

# MUTATE=role/echo.h+wire/lsn.h: all of these headers; FULL=1: all; else a sample, by the
# number in tests/record/round.
mutate:
	+@$(call NEED,$(PYTHON) -c 'import clang.cindex',python3-clang); \
	MUTATE='$(MUTATE)' FULL='$(FULL)' sh tests/mutate/mutate.sh $(OUT)/mutate

size:
	@$(PYTHON) -B tests/size/size.py $(OUT)

# The reference, from the headers' comments and examples/docs: build/docs/index.html.
.PHONY: docs
docs:
	@$(call NEED,doxygen --version,doxygen); rm -rf $(OUT)/docs && mkdir -p $(OUT)/docs && \
	DOCS_OUT=$(OUT)/docs PYTHON=$(PYTHON) doxygen tests/docs/Doxyfile && \
	echo 'docs: $(OUT)/docs/index.html'

# 2 to 3 minutes of a core where every header has changed, one where few have.
.PHONY: static tsan matrix
static:
	PYTHON=$(PYTHON) sh tests/static.sh $(OUT)

tsan:
	sh tests/tsan.sh $(OUT)

# MATRIX=NOUN+NOUN: of these; BUILD=NAME: as that build.
matrix:
	+@BUILD=$(BUILD) sh tests/matrix.sh $(OUT) '$(FORMATS) arn_gate qpn' $(subst +, ,$(MATRIX))

# DEFECT=NAME+NAME: these alone.
gates-are-live:
	+@sh tests/mutants/live.sh $(subst +, ,$(DEFECT))

format:
	clang-format --style=file -i include/rocecc/*.h include/rocecc/*/*.h tests/*.c \
	    tests/*/*.[ch] fuzz/*.c fuzz/*/*.c examples/*/*.[ch]

clean:
	rm -rf build
