// utf8proc: Unicode's case folding and decomposition, Debian's libutf8proc-dev.
#ifndef WAYMARK_CUTF8PROC_H
#define WAYMARK_CUTF8PROC_H
#include <utf8proc.h>
#endif
