// Command line options of the form --name value.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

/// Ends the program with a sentence on standard error.
[[noreturn]] inline void fail(const char *what) {
    std::fprintf(stderr, "%s (%m)\n", what);
    std::_Exit(2);
}

class Options {
public:
    Options(int count, char **words) : count_(count), words_(words) {}

    const char *text(const char *name, const char *fallback = "") const {
        for (int i = 1; i + 1 < count_; i++)
            if (!std::strcmp(words_[i], name)) return words_[i + 1];
        return fallback;
    }
    double number(const char *name, double fallback) const {
        const char *value = text(name, nullptr);
        return value ? std::atof(value) : fallback;
    }
    int integer(const char *name, int fallback) const { return static_cast<int>(number(name, fallback)); }

private:
    int count_;
    char **words_;
};
