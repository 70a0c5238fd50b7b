internal import CCairo

/// Pixels that are drawn on, in points; a point is one or two pixels wide. cairo's types stay in here.
@safe
struct Canvas: ~Copyable {
    private let surface: OpaquePointer
    let pen: Pen

    /// - Parameter scale: pixels per point.
    init(width: Int, height: Int, scale: Int, isDark: Bool, font: MapFont) throws(MapProblem) {
        guard let width32 = Int32(exactly: width * scale), let height32 = Int32(exactly: height * scale),
            let surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_RGB24, width32, height32)
        else { throw .noMemory }
        guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
            let context = unsafe cairo_create(surface)
        else {
            unsafe cairo_surface_destroy(surface)
            throw .noMemory
        }
        unsafe self.surface = surface
        pen = unsafe Pen(context, isDark: isDark)
        unsafe cairo_scale(context, Double(scale), Double(scale))
        // Where a point has four pixels, edges are as smooth with 16 samples a pixel as with 255, and sooner drawn.
        if scale > 1 { unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_FAST) }
        // How far, in pixels, a round edge may be from where it should be: half of that is not seen, and costs more.
        unsafe cairo_set_tolerance(context, 0.25)
        unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        unsafe font.use(context)
    }

    deinit {
        pen.end()
        unsafe cairo_surface_destroy(surface)
    }

    /// What was drawn, as a PNG.
    borrowing func png() throws(MapProblem) -> [UInt8] {
        unsafe cairo_surface_flush(surface)
        guard pen.isWell, let pixels = unsafe cairo_image_surface_get_data(surface) else { throw .noMemory }
        let (width, height) = unsafe (
            Int(cairo_image_surface_get_width(surface)), Int(cairo_image_surface_get_height(surface))
        )
        let stride = unsafe Int(cairo_image_surface_get_stride(surface))
        let rows = unsafe [UInt8](unsafeUninitializedCapacity: height * (1 + 3 * width)) { target, count in
            for y in 0..<height {
                unsafe target[count] = 0
                count += 1
                // Four bytes each: blue, green, red, and nothing.
                for at in Swift.stride(from: y * stride, to: y * stride + 4 * width, by: 4) {
                    unsafe target[count] = pixels[at + 2]
                    unsafe target[count + 1] = pixels[at + 1]
                    unsafe target[count + 2] = pixels[at]
                    count += 3
                }
            }
        }
        guard let png = PNGWriter.png(width: width, height: height, rows: rows) else { throw .noMemory }
        return png
    }
}
