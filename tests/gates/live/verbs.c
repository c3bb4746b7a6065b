/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * verbs.c - operations that the tools of rdma-core and perftest lack.
 *
 *   verbs exchange MTU GID [HOST]
 *       every operation of RC, UC and UD, in one packet and in three, from the side
 *       with HOST to the other; both compare the data
 *   verbs listen PEER GID
 *       opens a UD and an RC QP for packets that rxe did not send; prints "qps UD RC",
 *       then "got ud|rc HEX" for each message and "sent STATUS" for its own message at
 *       SIGUSR1; PEER is the peer's GID
 *
 * GID is an index into the table of rxe0. Exit status 0 means success.
 */
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PORT 7471
#define ROOM 16384   /* for three packets of 4096 bytes, twice in the memory region */
#define GRH 40       /* before the data for a UD QP */
#define PSN 0xfffff0 /* wraps soon */
#define Q_KEY 0x11111111
#define IMM 0x01020304
#define PATTERN_WORD UINT64_C(0x1122334455667788)

enum { RC, UC, UD, N_QPS };

static void die(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    exit(1);
}

static void need(bool good, const char *what)
{
    if (!good) die("verbs: %s", what);
}

typedef struct host {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_mr *mr;
    struct ibv_mw *mw;
    struct ibv_qp *qp[N_QPS];
    uint8_t gid_index;
    enum ibv_mtu mtu;
    uint8_t *out, *in; /* halves of the memory region */
} host;

/* The peer's data that a side needs. */
typedef struct peer {
    union ibv_gid gid;
    uint32_t qpn[N_QPS];
    uint32_t rkey;
    uint64_t in;
} peer;

#define ALL_ACCESS                                                                     \
    (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |       \
     IBV_ACCESS_REMOTE_ATOMIC)

static void open_device(host *h)
{
    struct ibv_device **devices = ibv_get_device_list(NULL);
    need(devices != NULL && devices[0] != NULL, "no device");
    h->context = ibv_open_device(devices[0]);
    need(h->context != NULL, "the device does not open");
    h->pd = ibv_alloc_pd(h->context);
    h->cq = ibv_create_cq(h->context, 64, NULL, NULL, 0);
    h->out = calloc(2, ROOM);
    need(h->pd != NULL && h->cq != NULL && h->out != NULL, "no PD, CQ or memory");
    h->in = h->out + ROOM;
    h->mr = ibv_reg_mr(h->pd, h->out, 2 * ROOM, ALL_ACCESS | IBV_ACCESS_MW_BIND);
    need(h->mr != NULL, "no memory region");
}

static void open_qp(host *h, int kind)
{
    static const enum ibv_qp_type types[] = {IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD};
    struct ibv_qp_init_attr wants = {.send_cq = h->cq,
                                     .recv_cq = h->cq,
                                     .cap = {32, 32, 1, 1, 0},
                                     .qp_type = types[kind]};
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = Q_KEY};
    attr.qp_access_flags = kind == RC ? ALL_ACCESS : IBV_ACCESS_REMOTE_WRITE;
    h->qp[kind] = ibv_create_qp(h->pd, &wants);
    need(h->qp[kind] != NULL, "no QP");
    need(ibv_modify_qp(h->qp[kind], &attr,
                       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                           (kind == UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS)) == 0,
         "no INIT");
}

static struct ibv_ah_attr way_to(const host *h, const union ibv_gid *gid)
{
    struct ibv_ah_attr ah = {.is_global = 1, .port_num = 1};
    ah.grh.dgid = *gid;
    ah.grh.sgid_index = h->gid_index;
    ah.grh.hop_limit = 64;
    return ah;
}

/* Moves to RTR and RTS. With timeout 0, packets are repeated only on request. */
static void connect_qp(host *h, int kind, const union ibv_gid *gid, uint32_t qpn)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR,
                               .path_mtu = h->mtu,
                               .dest_qp_num = qpn,
                               .rq_psn = PSN,
                               .max_dest_rd_atomic = 1,
                               .min_rnr_timer = 12};
    int mask = IBV_QP_STATE;
    attr.ah_attr = way_to(h, gid);
    if (kind != UD)
        mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    if (kind == RC) mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    need(ibv_modify_qp(h->qp[kind], &attr, mask) == 0, "no RTR");
    attr.qp_state = IBV_QPS_RTS;
    attr.sq_psn = PSN;
    attr.retry_cnt = attr.rnr_retry = 7;
    attr.max_rd_atomic = 1;
    mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
    if (kind == RC)
        mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                IBV_QP_MAX_QP_RD_ATOMIC;
    need(ibv_modify_qp(h->qp[kind], &attr, mask) == 0, "no RTS");
}

static void post_receive(host *h, int kind, uint32_t bytes)
{
    struct ibv_sge sge = {(uintptr_t)h->in, bytes, h->mr->lkey};
    struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
    need(ibv_post_recv(h->qp[kind], &wr, &bad) == 0, "a receive is not taken");
}

static struct ibv_wc completion(host *h)
{
    struct ibv_wc wc;
    int n, i;
    for (i = 0; i < 200000; i++) { /* 20 s */
        n = ibv_poll_cq(h->cq, 1, &wc);
        need(n >= 0, "the CQ cannot be polled");
        if (n == 1) return wc;
        usleep(100);
    }
    die("verbs: no completion");
}

/* exchange */

typedef struct step {
    const char *name;
    int kind;
    enum ibv_wr_opcode op;
} step;

static const step steps[] = {
    {"RC SEND", RC, IBV_WR_SEND},
    {"RC SEND with immediate", RC, IBV_WR_SEND_WITH_IMM},
    {"RC SEND with invalidate", RC, IBV_WR_SEND_WITH_INV},
    {"RC WRITE", RC, IBV_WR_RDMA_WRITE},
    {"RC WRITE with immediate", RC, IBV_WR_RDMA_WRITE_WITH_IMM},
    {"RC READ", RC, IBV_WR_RDMA_READ},
    {"RC COMPARE SWAP", RC, IBV_WR_ATOMIC_CMP_AND_SWP},
    {"RC FETCH ADD", RC, IBV_WR_ATOMIC_FETCH_AND_ADD},
    {"UC SEND", UC, IBV_WR_SEND},
    {"UC SEND with immediate", UC, IBV_WR_SEND_WITH_IMM},
    {"UC WRITE", UC, IBV_WR_RDMA_WRITE},
    {"UC WRITE with immediate", UC, IBV_WR_RDMA_WRITE_WITH_IMM},
    {"UD SEND", UD, IBV_WR_SEND},
    {"UD SEND with immediate", UD, IBV_WR_SEND_WITH_IMM},
};
#define N_STEPS (sizeof steps / sizeof steps[0])

static bool is_atomic(const step *s)
{
    return s->op == IBV_WR_ATOMIC_CMP_AND_SWP || s->op == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

static bool is_received(const step *s)
{
    return !is_atomic(s) && s->op != IBV_WR_RDMA_WRITE && s->op != IBV_WR_RDMA_READ;
}

/* Returns the bytes of a step, for one packet or for three. */
static uint32_t bytes_of(const host *h, const step *s, bool large)
{
    if (is_atomic(s)) return 8;
    return large ? 2 * (128u << h->mtu) + 3 : 13;
}

static uint8_t pattern(uint32_t seed, uint32_t i)
{
    return (uint8_t)(seed * 37 + i * 11 + (i >> 8));
}

static void fill(uint8_t *b, uint32_t seed)
{
    const uint64_t word = PATTERN_WORD;
    uint32_t i;
    for (i = 0; i < ROOM; i++)
        b[i] = pattern(seed, i);
    if (seed == 0) memcpy(b, &word, sizeof word);
}

static void compare(const step *s, const uint8_t *b, uint32_t seed, uint32_t n)
{
    uint32_t i;
    for (i = 0; i < n; i++)
        if (b[i] != pattern(seed, i)) die("verbs: %s: byte %u is another", s->name, i);
}

static void put(int fd, const void *what, size_t n)
{
    need(write(fd, what, n) == (ssize_t)n, "the peer is gone");
}

static void get(int fd, void *what, size_t n)
{
    need(recv(fd, what, n, MSG_WAITALL) == (ssize_t)n, "the peer is gone");
}

static int meet(const char *name)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (name != NULL) {
        need(inet_aton(name, &at.sin_addr) == 1, "no such host");
        need(connect(fd, (struct sockaddr *)&at, sizeof at) == 0, "nobody listens");
        return fd;
    }
    need(bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 1) == 0,
         "no port to listen at");
    return accept(fd, NULL, NULL);
}

/* Binds a window. Returns the peer's key for writes until the peer invalidates it. */
static uint32_t bind_window(host *h)
{
    struct ibv_send_wr wr = {.opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED};
    struct ibv_send_wr *bad;
    if (h->mw == NULL) h->mw = ibv_alloc_mw(h->pd, IBV_MW_TYPE_2);
    need(h->mw != NULL, "no memory window");
    wr.bind_mw.mw = h->mw;
    wr.bind_mw.rkey = ibv_inc_rkey(h->mw->rkey);
    wr.bind_mw.bind_info.mr = h->mr;
    wr.bind_mw.bind_info.addr = (uintptr_t)h->in;
    wr.bind_mw.bind_info.length = ROOM;
    wr.bind_mw.bind_info.mw_access_flags = IBV_ACCESS_REMOTE_WRITE;
    need(ibv_post_send(h->qp[RC], &wr, &bad) == 0, "a bind is not taken");
    need(completion(h).status == IBV_WC_SUCCESS, "a bind fails");
    h->mw->rkey = wr.bind_mw.rkey;
    return h->mw->rkey;
}

static void check_received(host *h, const step *s, uint32_t bytes, uint32_t key)
{
    const struct ibv_wc wc = completion(h);
    const bool write = s->op == IBV_WR_RDMA_WRITE_WITH_IMM;
    const bool imm = write || s->op == IBV_WR_SEND_WITH_IMM;
    if (wc.status != IBV_WC_SUCCESS) die("verbs: %s: %d", s->name, wc.status);
    need(write || wc.byte_len == bytes + (s->kind == UD ? GRH : 0), "another length");
    need(((wc.wc_flags & IBV_WC_WITH_IMM) != 0) == imm, "immediate or not");
    need(!imm || wc.imm_data == htonl(IMM), "another immediate");
    if (s->op != IBV_WR_SEND_WITH_INV) return;
    /* rxe sets the kernel's flag for this, here IBV_WC_IP_CSUM_OK. */
    need((wc.wc_flags & (IBV_WC_WITH_INV | IBV_WC_IP_CSUM_OK)) != 0, "no invalidate");
    need(wc.invalidated_rkey == key, "another key is invalid");
}

static void check_word(host *h, const step *s)
{
    uint64_t word;
    memcpy(&word, h->in, sizeof word);
    need(word == (s->op == IBV_WR_ATOMIC_CMP_AND_SWP ? 7 : PATTERN_WORD + 5),
         "another word after an atomic");
}

/* A run of a step. Its data is the pattern of `seed`. */
typedef struct trial {
    const step *step;
    bool large; /* in three packets, not in one */
    uint32_t seed;
} trial;

static void serve(host *h, int fd, const trial *x)
{
    const step *s = x->step;
    const uint32_t seed = x->seed, bytes = bytes_of(h, s, x->large);
    uint32_t key = s->op == IBV_WR_SEND_WITH_INV ? bind_window(h) : 0;
    const bool as_it_is = is_atomic(s) || s->op == IBV_WR_RDMA_READ;
    char done;
    fill(h->in, is_atomic(s) ? 0 : s->op == IBV_WR_RDMA_READ ? seed : ~seed);
    if (is_received(s)) post_receive(h, s->kind, s->kind == UD ? bytes + GRH : bytes);
    put(fd, &key, sizeof key);
    get(fd, &done, 1);
    if (is_received(s)) check_received(h, s, bytes, key);
    if (is_atomic(s)) check_word(h, s);
    if (!as_it_is) compare(s, h->in + (s->kind == UD ? GRH : 0), seed, bytes);
    put(fd, &done, 1);
}

/* Sets the target: an address handle or an address in the peer's memory. */
static void aim(struct ibv_send_wr *wr, const step *s, const peer *other,
                struct ibv_ah *ah)
{
    if (s->kind == UD) {
        wr->wr.ud.ah = ah;
        wr->wr.ud.remote_qpn = other->qpn[UD];
        wr->wr.ud.remote_qkey = Q_KEY;
    } else if (is_atomic(s)) {
        wr->wr.atomic.remote_addr = other->in;
        wr->wr.atomic.rkey = other->rkey;
        wr->wr.atomic.compare_add =
            s->op == IBV_WR_ATOMIC_CMP_AND_SWP ? PATTERN_WORD : 5;
        wr->wr.atomic.swap = 7;
    } else {
        wr->wr.rdma.remote_addr = other->in;
        wr->wr.rdma.rkey = other->rkey;
    }
}

static void ask(host *h, int fd, const trial *x, const peer *other, struct ibv_ah *ah)
{
    const step *s = x->step;
    const uint64_t was = PATTERN_WORD;
    struct ibv_sge sge = {(uintptr_t)h->out, bytes_of(h, s, x->large), h->mr->lkey};
    struct ibv_send_wr wr = {.sg_list = &sge,
                             .num_sge = 1,
                             .opcode = s->op,
                             .send_flags = IBV_SEND_SIGNALED,
                             .imm_data = htonl(IMM)};
    struct ibv_send_wr *bad;
    struct ibv_wc wc;
    uint32_t key;
    char done = 0;
    get(fd, &key, sizeof key);
    fill(h->out, s->op == IBV_WR_RDMA_READ ? ~x->seed : x->seed);
    if (s->op == IBV_WR_SEND_WITH_INV) wr.invalidate_rkey = key;
    aim(&wr, s, other, ah);
    need(ibv_post_send(h->qp[s->kind], &wr, &bad) == 0, "a send is not taken");
    wc = completion(h);
    if (wc.status != IBV_WC_SUCCESS) die("verbs: %s: %d", s->name, wc.status);
    if (s->op == IBV_WR_RDMA_READ) compare(s, h->out, x->seed, sge.length);
    need(!is_atomic(s) || memcmp(h->out, &was, sizeof was) == 0,
         "another word before an atomic");
    put(fd, &done, 1);
    get(fd, &done, 1);
}

static int exchange(host *h, const char *server)
{
    const int fd = meet(server);
    peer mine, other;
    struct ibv_ah_attr way;
    struct ibv_ah *ah;
    uint32_t i;
    need(fd >= 0, "nobody came");
    memset(&mine, 0, sizeof mine);
    for (i = 0; i < N_QPS; i++) {
        open_qp(h, (int)i);
        mine.qpn[i] = h->qp[i]->qp_num;
    }
    need(ibv_query_gid(h->context, 1, h->gid_index, &mine.gid) == 0, "no such GID");
    mine.rkey = h->mr->rkey;
    mine.in = (uintptr_t)h->in;
    put(fd, &mine, sizeof mine);
    get(fd, &other, sizeof other);
    for (i = 0; i < N_QPS; i++)
        connect_qp(h, (int)i, &other.gid, other.qpn[i]);
    way = way_to(h, &other.gid);
    ah = ibv_create_ah(h->pd, &way);
    need(ah != NULL, "no AH");
    for (i = 0; i < 2 * N_STEPS; i++) {
        const step *s = &steps[i / 2];
        const trial x = {.step = s, .large = i % 2 == 1, .seed = i + 1};
        if (x.large && (is_atomic(s) || s->kind == UD)) continue; /* one packet */
        if (server == NULL)
            serve(h, fd, &x);
        else
            ask(h, fd, &x, &other, ah);
    }
    return 0;
}

/* listen */

static volatile sig_atomic_t wanted;

static void want(int signal_number)
{
    (void)signal_number;
    wanted = 1;
}

static void send_one(host *h)
{
    struct ibv_sge sge = {(uintptr_t)h->out, 64, h->mr->lkey};
    struct ibv_send_wr wr = {.sg_list = &sge,
                             .num_sge = 1,
                             .opcode = IBV_WR_SEND,
                             .send_flags = IBV_SEND_SIGNALED};
    struct ibv_send_wr *bad;
    fill(h->out, 1);
    need(ibv_post_send(h->qp[RC], &wr, &bad) == 0, "a send is not taken");
}

static void say_got(const host *h, const struct ibv_wc *wc)
{
    const bool ud = wc->qp_num == h->qp[UD]->qp_num;
    uint32_t i;
    printf("got %s ", ud ? "ud" : "rc");
    for (i = ud ? GRH : 0; i < wc->byte_len; i++)
        printf("%02x", h->in[i]);
    printf("\n");
}

/* Posts one receive per QP at a time, because both write to the same place. */
static void listen_to(host *h, const char *gid) __attribute__((noreturn));
static void listen_to(host *h, const char *gid)
{
    union ibv_gid other;
    struct ibv_wc wc;
    need(inet_pton(AF_INET6, gid, other.raw) == 1, "no such GID");
    signal(SIGUSR1, want);
    open_qp(h, UD);
    open_qp(h, RC);
    connect_qp(h, UD, &other, 0);
    connect_qp(h, RC, &other, 0x123456); /* no such QP */
    post_receive(h, UD, ROOM);
    post_receive(h, RC, ROOM);
    printf("qps %u %u\n", h->qp[UD]->qp_num, h->qp[RC]->qp_num);
    for (;; usleep(1000)) {
        if (wanted) send_one(h);
        wanted = 0;
        if (ibv_poll_cq(h->cq, 1, &wc) != 1) continue;
        if (wc.opcode == IBV_WC_SEND || wc.status != IBV_WC_SUCCESS) {
            printf("sent %d\n", wc.status);
            continue;
        }
        say_got(h, &wc);
        post_receive(h, wc.qp_num == h->qp[UD]->qp_num ? UD : RC, ROOM);
    }
}

int main(int argc, char **argv)
{
    host h = {.mtu = IBV_MTU_1024};
    if (argc < 4) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    h.gid_index = (uint8_t)atoi(argv[3]);
    open_device(&h);
    if (strcmp(argv[1], "listen") == 0) listen_to(&h, argv[2]);
    for (h.mtu = IBV_MTU_256; h.mtu < IBV_MTU_4096 && 128 << h.mtu < atoi(argv[2]);)
        h.mtu++;
    return exchange(&h, argv[4]);
}
