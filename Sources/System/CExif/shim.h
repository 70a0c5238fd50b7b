// libexif: what cameras write beside a picture, Debian's libexif-dev.
#ifndef WAYMARK_CEXIF_H
#define WAYMARK_CEXIF_H
#include <libexif/exif-data.h>

// The folders of tags are a C array, which reaches Swift as a tuple.
static inline ExifEntry *waymark_exif_entry(ExifData *data, ExifIfd folder, int tag) {
    return exif_content_get_entry(data->ifd[folder], (ExifTag)tag);
}
#endif
