import CCairo
import Testing

/// A decoded PNG.
final class Pixels {
    let width: Int
    let height: Int
    private let surface: OpaquePointer

    init(png: [UInt8]) throws {
        var rest = png[...]
        surface = try #require(
            withUnsafeMutablePointer(to: &rest) { rest in
                cairo_image_surface_create_from_png_stream(take, rest)
            })
        try #require(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
        width = Int(cairo_image_surface_get_width(surface))
        height = Int(cairo_image_surface_get_height(surface))
    }

    deinit { cairo_surface_destroy(surface) }

    /// 0xRRGGBB
    func colour(_ x: Int, _ y: Int) -> UInt32 {
        guard x >= 0, y >= 0, x < width, y < height, let start = cairo_image_surface_get_data(surface) else {
            return 0
        }
        let pixel = start + y * Int(cairo_image_surface_get_stride(surface)) + x * 4
        return UInt32(pixel[2]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[0])
    }

    /// How many pixels of some columns have a colour.
    func count(_ colour: UInt32, columns: Range<Int>) -> Int {
        columns.reduce(0) { sum, x in sum + (0..<height).count { self.colour(x, $0) == colour } }
    }

    /// Draws it onto another picture.
    func draw(on context: OpaquePointer, x: Double, y: Double) {
        cairo_set_source_surface(context, surface, x, y)
        cairo_paint(context)
    }
}

private func take(
    _ rest: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: UInt32
) -> cairo_status_t {
    guard let rest = rest?.assumingMemoryBound(to: ArraySlice<UInt8>.self), let bytes,
        rest.pointee.count >= Int(count)
    else { return CAIRO_STATUS_READ_ERROR }
    for index in 0..<Int(count) { bytes[index] = rest.pointee.removeFirst() }
    return CAIRO_STATUS_SUCCESS
}
