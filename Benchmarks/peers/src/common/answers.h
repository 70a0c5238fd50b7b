// What a load generator prints with --answers N instead of measuring: one line for each of the first
// N queries, `id:distance_m` nearest first, to be compared with data/oracle.py.
#pragma once
#include <cstdint>
#include <cstdio>

inline void print_answer(uint64_t id, double distance_m) {
    std::printf("%llu:%.4f ", static_cast<unsigned long long>(id), distance_m);
}
inline void end_answer() {
    std::printf("\n");
    std::fflush(stdout);
}
