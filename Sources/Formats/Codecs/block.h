// What the readers of both formats use.
#ifndef WAYMARK_BLOCK_H
#define WAYMARK_BLOCK_H
#include "codecs.h"

// More bytes of a profile or of notes are not looked at.
#define WAYMARK_BLOCK_LIMIT (4 << 20)

// Keeps a copy, unless there is one already, or it is too large.
void waymark_block_copy(struct waymark_block *block, const void *bytes, size_t count);
#endif
