// Little CMS: colour profiles, Debian's liblcms2-dev.
#ifndef WAYMARK_CCOLOUR_H
#define WAYMARK_CCOLOUR_H
#include <lcms2.h>

// Makes sRGB of pixels of a profile's colours: blue, green, red and an unused byte. 0 when it did; else, as for a
// profile of other colours, they are as before.
static inline int waymark_make_srgb(
    const void *profile, cmsUInt32Number count, void *pixels, cmsUInt32Number width, cmsUInt32Number height,
    cmsUInt32Number stride) {
    int result = -1;
    cmsHPROFILE from = cmsOpenProfileFromMem(profile, count);
    cmsHPROFILE to = cmsCreate_sRGBProfile();
    if (from && to && cmsGetColorSpace(from) == cmsSigRgbData) {
        cmsHTRANSFORM transform = cmsCreateTransform(from, TYPE_BGRA_8, to, TYPE_BGRA_8, INTENT_PERCEPTUAL, 0);
        if (transform) {
            cmsDoTransformLineStride(transform, pixels, pixels, width, height, stride, stride, 0, 0);
            cmsDeleteTransform(transform);
            result = 0;
        }
    }
    if (from) cmsCloseProfile(from);
    if (to) cmsCloseProfile(to);
    return result;
}
#endif
