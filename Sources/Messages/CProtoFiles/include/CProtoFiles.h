// What is generated of a .proto file besides its structs, and how a program finds all that it has: each file says
// itself in a section of its set, "waymark" or "testing", and the linker joins what is said by the parts of the contracts
// that it links.
#ifndef WAYMARK_PROTO_FILES_H
#define WAYMARK_PROTO_FILES_H

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>

typedef struct {
    const char *name;
    // Greater than that of each file that it imports.
    unsigned depth;
    // The original google.protobuf.FileDescriptorProto, packed: all but its source_code_info, and what is inside of
    // that, the comments of its symbols.
    ProtobufCBinaryData declarations, comments;
    // Of all its messages, nested ones included.
    const ProtobufCMessageDescriptor *const *messages;
    size_t message_count;
} ProtoFile;

// Says a file. A linker that drops what is not referred to keeps it, and what it refers to.
#define PROTO_FILE(set, file) \
    static const ProtoFile *const said __attribute__((section(#set "_files"), used, retain)) = &file

// Declares the functions by which Swift finds the files of a set.
#define PROTO_FILE_SET(set) \
    extern const ProtoFile *const __start_##set##_files[], *const __stop_##set##_files[]; \
    static inline const ProtoFile *const *set##_files(void) { return __start_##set##_files; } \
    static inline size_t set##_file_count(void) { return (size_t)(__stop_##set##_files - __start_##set##_files); }

#endif
