// What takes rights from the process, in plain types: the kernel's and libseccomp's own stay in confine.c.
#ifndef WAYMARK_CONFINE_H
#define WAYMARK_CONFINE_H
#include "cell.h"

// Neither this process nor what it starts gets privileges by running a program. 0 when that holds.
int waymark_no_new_privileges(void);

// The version of Landlock that the kernel has; negative when it has none.
int waymark_landlock_version(void);
// A set of rules for the rights `handled`; negative when it can't be made.
int waymark_landlock_make(unsigned long long handled);
// Leaves the rights `access` at a path and below; of them, those in `of_files` when it is no folder. What is not there
// needs no rule.
void waymark_landlock_allow(int rules, const char *path, unsigned long long access, unsigned long long of_files);
// Holds for the calling thread and those that it starts from now on; the rules are closed. 0 when it does.
int waymark_landlock_restrict(int rules);

// The system calls of these names, separated by blanks, and sockets of families below 46 but local ones, of IPv4, of
// IPv6 and of netlink, fail with EPERM from now on, in all threads. 0 when they do.
int waymark_deny_system_calls(const char *names);
#endif
