// yajl: JSON as a stream of events, read and written, Debian's libyajl-dev.
#ifndef WAYMARK_CYAJL_H
#define WAYMARK_CYAJL_H
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

// yajl_config is variadic, which does not reach Swift. Strings are checked by us, each on its own, so that one bad
// string costs its feature and not the file.
static inline int waymark_yajl_leave_strings_unchecked(yajl_handle handle) {
    return yajl_config(handle, yajl_dont_validate_strings, 1);
}

// Several values may follow each other, with or without blanks between them.
static inline int waymark_yajl_take_several_values(yajl_handle handle) {
    return yajl_config(handle, yajl_allow_multiple_values, 1);
}

// The same of yajl_gen_config.
static inline int waymark_yajl_write_on_many_lines(yajl_gen generator) {
    return yajl_gen_config(generator, yajl_gen_beautify, 1) && yajl_gen_config(generator, yajl_gen_indent_string, "  ");
}
#endif
