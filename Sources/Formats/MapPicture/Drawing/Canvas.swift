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
        var bytes: [UInt8] = []
        let status = unsafe withUnsafeMutablePointer(to: &bytes) { target in
            unsafe cairo_surface_write_to_png_stream(surface, append, target)
        }
        guard status == CAIRO_STATUS_SUCCESS, pen.isWell else { throw .noMemory }
        return bytes
    }
}

/// Takes the next bytes of a PNG. cairo gives back the pointer that it was given, to an array that lives meanwhile.
private func append(
    _ target: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32
) -> cairo_status_t {
    guard let target = unsafe target?.assumingMemoryBound(to: [UInt8].self) else { return CAIRO_STATUS_WRITE_ERROR }
    unsafe target.pointee.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
}
