/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_PARAMS_H
#define EXAMPLES_NS3_PARAMS_H

/* params.h - algorithm parameters under cctrace's names, from cctrace's tables. */
#include <cstdint>
#include <string>
#include <vector>

namespace roce
{

/* The settings of a run: NAME=VALUE,... */
class Settings
{
  public:
    Settings() = default;
    /* Parses settings. Ends the program if a name or its value is invalid. */
    explicit Settings(const std::string &text);
    /* Returns the additive increase of DCQCN and HPCC++, or 0 for the preset's. */
    uint64_t AiBps() const;
    /* Sets the members of an algorithm's parameters that the settings name. */
    void Apply(const std::string &algorithm, void *params) const;

  private:
    struct Setting {
        std::string algorithm, member, value;
    };
    void Add(const std::string &name, const std::string &value);

    std::vector<Setting> m_settings;
    uint64_t m_aiBps = 0;
};

/*
 * Runs the algorithm's init on parameters. If init refuses them, ends the program and
 * prints the refused members with their values.
 */
void Ready(const std::string &algorithm, void *params);

} // namespace roce

#endif
