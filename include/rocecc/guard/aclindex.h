/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_ACLINDEX_H
#define ROCECC_GUARD_ACLINDEX_H

/*
 * aclindex.h - an index for access lists (acl.h) with thousands of entries. With an
 * index, a lookup examines a few address bits at a time instead of doing a binary
 * search.
 *
 *   cell  step              index  Example: entries 0 2001:db8::/32
 *   0     bits 45, 46       1                       1 2001:db8:2::/48
 *   1     -                 0                       2 2001:db8:4::/48
 *   2     -                 1      2001:db8:4::9 has 10 (binary) in bits 45 and 46,
 *   3     -                 2      counted from 0. Cell 0 leads to cell 1 + 2 = 3.
 *   4     -                 0      Cell 3 leads to entry 2, which contains the address.
 *                                  2001:db8:5::9 has the same two bits. Entry 2 does
 *                                  not contain it, but links to entry 0, which does.
 *
 * A step uses some address bits to select the next cell. The first of these bits is the
 * first bit in which the remaining entries differ. If an address differs from these
 * entries in an earlier bit, the links lead up to the entry that decides.
 *
 * Memory: the list, and 8 bytes per cell. The caller provides both. The index of an
 * empty list takes 1 cell. For any other list, ROCECC_ACLINDEX_CELLS cells per entry
 * are enough. 10^4 entries with various prefix lengths take about 85,000 cells (0.7
 * MB). Lookups do not change the list or the index. A lookup takes 2 or 3 steps in such
 * a list, and at most 128 in any list. It reads one cell per step, and then a last cell
 * that has no step. Unless the last cell is empty, the lookup then reads the cell's
 * entry, and follows the links up to the first entry that contains the address. Results
 * are exact. README.md has the proof and the cost.
 */
#include "acl.h"

#define ROCECC_ACLINDEX_FILL 16u /* in a step: maximum cells per filled cell */
#define ROCECC_ACLINDEX_CELLS (2 * ROCECC_ACLINDEX_FILL) /* enough per entry */

typedef struct rocecc_aclindex_cell {
    uint32_t
        index; /* first cell of the step; if step is 0, an entry or ROCECC_ACL_NONE */
    uint32_t step; /* first bit (0 to 127) + 256 * number of bits; 0 if the cell has no
                      step */
} rocecc_aclindex_cell;
ROCECC_SIZE_(rocecc_aclindex_cell, 8);

/*
 * A list and its index, ready for lookups. A BPF map or shared memory needs to hold
 * only the entries, the cells, and the number of each.
 */
typedef struct rocecc_aclindex {
    rocecc_acl acl;
    const rocecc_aclindex_cell *cells;
    uint32_t n_cells;
} rocecc_aclindex;

/*
 * Returns the cell at `index`. Before Linux 6.8, the BPF verifier tracked only
 * comparisons with constants. A BPF program for such a kernel can bound the index by
 * defining ROCECC_ACLINDEX_BPF_CELLS as a power of two.
 */
ROCECC_FN const rocecc_aclindex_cell *
rocecc_aclindex_cell_at_(const rocecc_aclindex_cell *cells, size_t index)
{
#if defined(__bpf__) && defined(ROCECC_ACLINDEX_BPF_CELLS)
    ROCECC_BPF_MASK_(index, ROCECC_ACLINDEX_BPF_CELLS - 1);
#endif
    return &cells[index];
}

/*
 * Returns the address bits that a step uses. They are all in the same half of the
 * address.
 */
ROCECC_FN uint32_t rocecc_aclindex_key_bits_(rocecc_acl_key_ key, uint32_t step)
{
    const uint64_t half = (step & 64) != 0 ? key.low : key.high;
    return (uint32_t)(half << (step & 63) >> 1 >> (63 - (step >> 8 & 31)));
}

ROCECC_FN uint32_t rocecc_aclindex_entry_bits_(const rocecc_acl_entry *entry,
                                               uint32_t step)
{
    return rocecc_aclindex_key_bits_(rocecc_acl_key_of_(&entry->prefix), step);
}

/*
 * Returns a 64-bit mask of the n_bits most significant bits, or of all 64 bits if
 * n_bits is above 64. The function shifts twice to avoid both a branch and a shift by
 * 64, which is undefined.
 */
ROCECC_FN uint64_t rocecc_aclindex_mask_(unsigned n_bits)
{
    if (n_bits > 64) n_bits = 64;
    return ~(~(uint64_t)0 >> n_bits / 2 >> (n_bits + 1) / 2);
}

/*
 * Returns true if an entry contains an address. Avoids a branch on the length,
 * because such a branch would be mispredicted half the time.
 */
ROCECC_FN bool rocecc_aclindex_holds_(const rocecc_acl_entry *entry,
                                      rocecc_acl_key_ key)
{
    const rocecc_acl_key_ p = rocecc_acl_key_of_(&entry->prefix);
    const unsigned low = (entry->length > 64 ? entry->length : 64u) - 64;
    return (((p.high ^ key.high) & rocecc_aclindex_mask_(entry->length)) |
            ((p.low ^ key.low) & rocecc_aclindex_mask_(low))) == 0;
}

/*
 * Returns the number of cells of a step that at least one entry reaches. The entries
 * are sorted and have the indices `first` to `last`.
 */
ROCECC_FN uint32_t rocecc_aclindex_count_filled_(const rocecc_acl_entry *entries,
                                                 uint32_t first, uint32_t last,
                                                 uint32_t step)
{
    uint32_t filled = 1;
    for (; first < last; first++)
        filled += rocecc_aclindex_entry_bits_(&entries[first], step) !=
                  rocecc_aclindex_entry_bits_(&entries[first + 1], step);
    return filled;
}

/*
 * Returns the step for sorted entries whose first different bit is `bit`. The step has
 * as many bits as possible, provided that the entries reach at least 1 /
 * ROCECC_ACLINDEX_FILL of its cells. If fewer bits spread the entries over the same
 * number of cells, the step uses the smallest such number of bits.
 */
ROCECC_FN uint32_t rocecc_aclindex_choose_step_(const rocecc_acl_entry *entries,
                                                uint32_t first, uint32_t last,
                                                uint32_t bit)
{
    uint32_t bits = 1, filled;
    while (bits < 24 && (bit & 63) + bits < 64 &&
           ((uint32_t)1 << bits) / ROCECC_ACLINDEX_FILL <= last - first)
        bits++;
    filled = rocecc_aclindex_count_filled_(entries, first, last, bits << 8 | bit);
    for (; bits > 1 && ((uint32_t)1 << bits) / ROCECC_ACLINDEX_FILL > filled; bits--)
        filled =
            rocecc_aclindex_count_filled_(entries, first, last, (bits - 1) << 8 | bit);
    for (; bits > 1; bits--)
        if (rocecc_aclindex_count_filled_(entries, first, last, (bits - 1) << 8 | bit) <
            filled)
            break;
    return bits << 8 | bit;
}

/*
 * Returns an address whose lookup leads to cell number `cell` of the given step. The
 * bits before the step come from `key`, whose lookup must lead to this step.
 */
ROCECC_FN rocecc_acl_key_ rocecc_aclindex_key_in_cell_(rocecc_acl_key_ key,
                                                       uint32_t step, uint32_t cell)
{
    const unsigned bit = step & 63;
    const uint64_t bits = (uint64_t)cell << 1 << (63 - (step >> 8 & 31)) >> bit;
    if ((step & 64) != 0)
        key.low = (key.low & rocecc_aclindex_mask_(bit)) | bits;
    else
        key.high = (key.high & rocecc_aclindex_mask_(bit)) | bits;
    return key;
}

/*
 * Returns the run of entries that reach a cell. In the result, `index` is the run's
 * first entry, and `step` is the run's length. If no entry reaches the cell, `step` is
 * 0, and `index` is the entry that decides for addresses in this cell, or NONE.
 */
ROCECC_FN rocecc_aclindex_cell rocecc_aclindex_make_cell_(const rocecc_acl *acl,
                                                          uint32_t first, uint32_t last,
                                                          uint32_t step, uint32_t cell)
{
    const rocecc_acl_entry *e = acl->entries;
    rocecc_aclindex_cell run;
    run.index = first;
    while (first <= last && rocecc_aclindex_entry_bits_(&e[first], step) == cell)
        first++;
    run.step = first - run.index;
    if (run.step == 0) {
        const rocecc_acl_key_ k = rocecc_acl_key_of_(&e[last].prefix);
        run.index = rocecc_acl_longest_match_(
            e, acl->n, first - 1, rocecc_aclindex_key_in_cell_(k, step, cell));
    }
    return run;
}

/*
 * Returns an index that consists of a list and the n_cells cells at `cells`.
 * rocecc_aclindex_init() must have filled these cells.
 */
ROCECC_FN rocecc_aclindex rocecc_aclindex_attach(const rocecc_acl *acl,
                                                 const rocecc_aclindex_cell *cells,
                                                 uint32_t n_cells)
{
    rocecc_aclindex x;
    x.acl = *acl;
    x.cells = cells;
    x.n_cells = n_cells;
    return x;
}

/*
 * Makes an index of at most max_cells cells for a list that rocecc_acl_init() has
 * accepted. The cells must not belong to an index in use. Sets out->n_cells to the
 * number of cells that the index uses. Returns SPACE if the index needs more than
 * max_cells cells. In this case *out is unchanged, but the cells may have changed.
 */
ROCECC_FN rocecc_status rocecc_aclindex_init(rocecc_aclindex *out,
                                             const rocecc_acl *acl,
                                             rocecc_aclindex_cell *cells,
                                             uint32_t max_cells)
{
    const rocecc_acl_entry *e = acl->entries;
    uint32_t used = 1, i;
    if (max_cells == 0) return ROCECC_ERR_SPACE;
    cells[0].index = acl->n == 0 ? ROCECC_ACL_NONE : 0;
    cells[0].step = acl->n;
    for (i = 0; i < used; i++) { /* splits run i; its parts are split later */
        uint32_t first = cells[i].index, bit, step, cell;
        const uint32_t last = first + cells[i].step - 1;
        uint64_t end;
        if (first > last || last >= acl->n) continue; /* no run */
        bit = rocecc_acl_shared_bits_(rocecc_acl_key_of_(&e[first].prefix),
                                      rocecc_acl_key_of_(&e[last].prefix));
        cells[i].index = last;
        cells[i].step = 0;
        if (bit >= 128) continue; /* same prefix; the last entry links to the others */
        step = rocecc_aclindex_choose_step_(e, first, last, bit);
        end = used + ((uint64_t)1 << (step >> 8));
        if (end > max_cells) return ROCECC_ERR_SPACE;
        cells[i].index = used;
        cells[i].step = step;
        for (cell = 0; used < end; cell++) {
            const rocecc_aclindex_cell run =
                rocecc_aclindex_make_cell_(acl, first, last, step, cell);
            cells[used++] = run;
            first += run.step;
        }
    }
    *out = rocecc_aclindex_attach(acl, cells, used);
    return ROCECC_OK;
}

/* Returns the entry from which the links lead to the entry that decides, or NONE. */
ROCECC_FN uint32_t rocecc_aclindex_find_start_(const rocecc_aclindex *index,
                                               rocecc_acl_key_ key)
{
    uint32_t i = 0;
    unsigned steps;
    for (steps = 0; steps <= 128 && i < index->n_cells; steps++) {
        const rocecc_aclindex_cell c = *rocecc_aclindex_cell_at_(index->cells, i);
        if (c.step == 0) return c.index;
        i = c.index + rocecc_aclindex_key_bits_(key, c.step);
    }
    return ROCECC_ACL_NONE;
}

/*
 * Looks up an address, with the same result as rocecc_acl_lookup(). Stays within
 * the index and the list even if cells and entries contain arbitrary bits.
 */
ROCECC_FN rocecc_acl_result rocecc_aclindex_lookup(const rocecc_aclindex *index,
                                                   const rocecc_ip6 *address)
{
    const rocecc_acl_key_ k = rocecc_acl_key_of_(address);
    rocecc_acl_result m = {false, false, 0, 0};
    uint32_t i = rocecc_aclindex_find_start_(index, k);
    unsigned steps;
    for (steps = 0; steps <= 128 && i < index->acl.n; steps++) {
        const rocecc_acl_entry *e = rocecc_acl_entry_at_(index->acl.entries, i);
        if (rocecc_aclindex_holds_(e, k)) {
            m.permit = e->permit != 0;
            m.found = true;
            m.length = e->length;
            m.tag = e->tag;
            break;
        }
        i = e->parent;
    }
    return m;
}

#endif /* ROCECC_GUARD_ACLINDEX_H */
