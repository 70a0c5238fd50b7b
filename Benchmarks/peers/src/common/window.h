// One measured window of a closed loop: a warm-up, then a number of seconds in which finished calls,
// their latencies and the processor time of both sides are counted.
#pragma once
#include <time.h>
#include <unistd.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>
#include "options.h"

inline uint64_t now_ns() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

/// Processor seconds a process has used so far, all its threads, to the nanosecond.
inline double cpu_seconds(pid_t process) {
    clockid_t clock;
    timespec t{};
    if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &t)) fail("no CPU clock of the server");
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

/// Latencies in buckets 1/64 of a power of two wide: percentiles are at most 1.6 % too high, and a
/// recorded sample costs no memory, however many there are.
class Histogram {
public:
    void add(uint64_t ns) { counts_[bucket(ns)]++, total_++; }
    uint64_t total() const { return total_; }

    /// The latency in microseconds that `share` (0..1) of all samples do not exceed.
    double percentile_us(double share) const {
        auto rank = static_cast<uint64_t>(std::ceil(share * static_cast<double>(total_)));
        uint64_t seen = 0;
        for (size_t i = 0; i < counts_.size(); i++)
            if ((seen += counts_[i]) >= rank && seen) return static_cast<double>(upper(i)) / 1e3;
        return 0;
    }

private:
    static constexpr unsigned kBits = 6;
    std::array<uint64_t, 40u << kBits> counts_{};
    uint64_t total_ = 0;

    static size_t bucket(uint64_t ns) {
        if (ns < (1u << kBits)) return ns;
        unsigned shift = 63u - static_cast<unsigned>(__builtin_clzll(ns)) - kBits;
        size_t index = (static_cast<size_t>(shift) << kBits) + (ns >> shift);
        return index < (40u << kBits) ? index : (40u << kBits) - 1;
    }
    static uint64_t upper(size_t index) {
        if (index < (2u << kBits)) return index;
        size_t shift = (index >> kBits) - 1;
        return ((index - (shift << kBits) + 1) << shift) - 1;
    }
};

class Window {
public:
    /// Reads --warmup, --seconds and --servers (comma separated process ids).
    explicit Window(const Options &options)
        : warmup_ns_(static_cast<uint64_t>(options.number("--warmup", 1) * 1e9)),
          length_ns_(static_cast<uint64_t>(options.number("--seconds", 4) * 1e9)) {
        for (const char *p = options.text("--servers"); *p; p += *p == ',') {
            char *end;
            add_server(static_cast<pid_t>(std::strtol(p, &end, 10)));
            if (end == p) fail("--servers takes process ids");
            p = end;
        }
    }
    /// Counts the processor time of one more process on the server's side.
    void add_server(pid_t process) { servers_.push_back(process); }

    /// Starts the warm-up. Call it when the first request leaves.
    void start() { begin_ns_ = now_ns() + warmup_ns_; }

    /// Counts a finished call and returns the time of it, which is when the next one starts.
    uint64_t record(uint64_t started_ns, bool succeeded = true) {
        uint64_t now = tick();
        if (!running_) return now;
        if (succeeded) latencies_.add(now - started_ns);
        else errors_++;
        return now;
    }

    /// Opens and closes the window when its time has come. For loops that may wait for long.
    uint64_t tick() {
        uint64_t now = now_ns();
        if (!running_ && !over_ && now >= begin_ns_) open(now);
        if (running_ && now >= begin_ns_ + length_ns_) close(now);
        return now;
    }
    bool is_over() const { return over_; }

    void print() const {
        double calls = static_cast<double>(latencies_.total());
        double per_call = calls > 0 ? 1e6 / calls : 0;
        std::printf(
            "{\"value\":%.1f,\"server_cpu_us\":%.3f,\"client_cpu_us\":%.3f,\"p50_us\":%.2f,\"p99_us\":%.2f,"
            "\"errors\":%llu}\n",
            calls / seconds_, server_cpu_ * per_call, client_cpu_ * per_call, latencies_.percentile_us(0.5),
            latencies_.percentile_us(0.99), static_cast<unsigned long long>(errors_));
        std::fflush(stdout);
    }

private:
    uint64_t warmup_ns_, length_ns_, begin_ns_ = 0, errors_ = 0;
    bool running_ = false, over_ = false;
    double seconds_ = 0, server_cpu_ = 0, client_cpu_ = 0;
    std::vector<pid_t> servers_;
    Histogram latencies_;

    double servers_cpu() const {
        double sum = 0;
        for (pid_t server : servers_) sum += cpu_seconds(server);
        return sum;
    }
    void open(uint64_t now) {
        server_cpu_ = -servers_cpu();
        client_cpu_ = -cpu_seconds(getpid());
        begin_ns_ = now;
        running_ = true;
    }
    void close(uint64_t now) {
        server_cpu_ += servers_cpu();
        client_cpu_ += cpu_seconds(getpid());
        seconds_ = static_cast<double>(now - begin_ns_) / 1e9;
        running_ = false;
        over_ = true;
    }
};
