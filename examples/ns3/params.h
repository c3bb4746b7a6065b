/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_PARAMS_H
#define EXAMPLES_NS3_PARAMS_H

/*
 * params.h - parameters of algorithms by the names that cctrace has, with the tables of
 * cctrace.
 */
#include <cstdint>
#include <string>
#include <vector>

namespace roce
{

/* The settings of a run: NAME=VALUE, with commas between them. */
class Settings
{
  public:
    Settings() = default;
    /* Ends the program if no parameter has a name, or does not hold its value. */
    explicit Settings(const std::string &text);
    /* Returns the additive increase of DCQCN and HPCC++; 0: the preset's. */
    uint64_t AiBps() const;
    /* Sets those members of an algorithm's parameters that the settings name. */
    void Apply(const std::string &algorithm, void *params) const;

  private:
    struct Setting {
        std::string algorithm, member, value;
    };
    void Add(const std::string &name, const std::string &value);

    std::vector<Setting> m_settings;
    uint64_t m_aiBps = 0;
};

/* Readies parameters by the algorithm's init. Ends the program if init refuses them,
   with the members that it refuses and their values. */
void Ready(const std::string &algorithm, void *params);

} // namespace roce

#endif
