/* SPDX-License-Identifier: BSD-2-Clause */

/* params.cc - looks up names and values in cctrace's C tables. */
#include "params.h"

#include "network.h"

#include "ns3/fatal-error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

extern "C" {
#include "../cctrace/algo.h"
}

namespace roce
{

/* The algorithms of the schemes here. */
static const char *const kAlgorithms[] = {"dcqcn", "cnpgate", "wred",  "hpcc",
                                          "ldcp",  "qcn",     "qcn_cp"};

/* Looks up a parameter. Returns nullptr if the algorithm has no such member. */
static const algo_param *ParamOf(const algo &a, const std::string &member)
{
    const algo_param *end = a.params + a.n_params;
    const algo_param *p = std::find_if(
        a.params, end, [&](const algo_param &x) { return member == x.f.name; });
    return p == end ? nullptr : p;
}

/* Returns memory for a struct of this many bytes. */
static std::vector<uint64_t> Room(size_t bytes)
{
    return std::vector<uint64_t>(bytes / sizeof(uint64_t) + 1);
}

Settings::Settings(const std::string &text)
{
    std::istringstream all(text);
    std::string one;
    while (std::getline(all, one, ',')) {
        const size_t n = one.find('=');
        if (n == std::string::npos)
            NS_FATAL_ERROR("set " << one << ": expected NAME=VALUE");
        Add(one.substr(0, n), one.substr(n + 1));
    }
}

void Settings::Add(const std::string &name, const std::string &value)
{
    const field ai = FIELD_AT("ai_bps", UINT, 0, sizeof m_aiBps, nullptr);
    const size_t n = std::min(name.find('.'), name.size());
    const std::string algorithm = name.substr(0, n),
                      member = name.substr(n + (n < name.size()));
    if (name == ai.name) {
        if (!field_set(&ai, &m_aiBps, value.c_str()) || m_aiBps == 0)
            NS_FATAL_ERROR("set ai_bps=" << value << ": expected a rate in bit/s");
        return;
    }
    if (std::find(std::begin(kAlgorithms), std::end(kAlgorithms), algorithm) ==
        std::end(kAlgorithms))
        NS_FATAL_ERROR(
            "set " << name
                   << ": expected ai_bps, or a member of dcqcn, cnpgate, wred, hpcc, "
                      "ldcp, qcn or qcn_cp");
    const algo &a = *algo_find(algorithm.c_str());
    const algo_param *p = ParamOf(a, member);
    if (p == nullptr) NS_FATAL_ERROR("set " << name << ": unknown parameter");
    if (!field_set(&p->f, Room(a.params_bytes).data(), value.c_str()))
        NS_FATAL_ERROR("set " << name << '=' << value << ": expected " << p->range
                              << (p->unit[0] != '\0' ? ", unit: " : "") << p->unit);
    m_settings.push_back({algorithm, member, value});
}

uint64_t Settings::AiBps() const
{
    return m_aiBps;
}

void Settings::Apply(const std::string &algorithm, void *params) const
{
    for (const Setting &s : m_settings)
        if (s.algorithm == algorithm)
            (void)field_set(&ParamOf(*algo_find(algorithm.c_str()), s.member)->f,
                            params, s.value.c_str());
}

/* Lists the members with names that begin with a word, and their values. */
static std::string Members(const algo &a, const std::string &word, const void *params)
{
    std::ostringstream list;
    for (size_t i = 0; i < a.n_params; i++) {
        const field &f = a.params[i].f;
        std::string name = f.name;
        std::replace(name.begin(), name.end(), '.', '_');
        if ((name + '_').compare(0, word.size() + 1, word + '_') == 0)
            list << ' ' << a.name << '.' << f.name << '=' << field_get(&f, params);
    }
    return list.str();
}

/* A refusal has the name of a member, or begins like the names of several members. */
void Ready(const std::string &algorithm, void *params)
{
    const algo &a = *algo_find(algorithm.c_str());
    const unsigned refusal = a.init(params, Room(a.run_bytes).data());
    std::istringstream names(a.refusals);
    std::string refused;
    if (refusal == 0) return;
    for (unsigned i = 0; i <= refusal; i++)
        names >> refused;
    std::string members = Members(a, refused, params);
    if (members.empty())
        members = Members(a, refused.substr(0, refused.find('_')), params);
    NS_FATAL_ERROR(algorithm << " refuses " << refused << ':' << members);
}

} // namespace roce
