#include "block.h"
#include <stdlib.h>
#include <string.h>

void waymark_block_copy(struct waymark_block *block, const void *bytes, size_t count) {
    if (!bytes || count == 0 || block->bytes || count > WAYMARK_BLOCK_LIMIT) return;
    block->bytes = malloc(count);
    if (!block->bytes) return;
    memcpy(block->bytes, bytes, count);
    block->count = count;
}

void waymark_head_free(struct waymark_head *head) {
    struct waymark_block *blocks[] = {&head->profile, &head->exif, &head->xmp, &head->title,
                                      &head->author, &head->licence, &head->taken, &head->offset};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]->bytes);
        *blocks[i] = (struct waymark_block){NULL, 0};
    }
}
