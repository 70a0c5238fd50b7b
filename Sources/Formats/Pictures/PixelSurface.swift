import CCairo
import CColour
import PictureCalls

/// Pixels in memory, without transparency. Four bytes each: blue, green, red and an unused one.
@safe
struct PixelSurface: ~Copyable {
    let width: Int
    let height: Int
    private let surface: OpaquePointer

    /// Undefined pixels; both sides are at least 1. Throws when there is no memory for them.
    init(width: Int, height: Int) throws(PictureProblem) {
        unsafe surface = try Self.made(width, height)
        self.width = width
        self.height = height
    }

    deinit { unsafe cairo_surface_destroy(surface) }

    /// Bytes from one row to the next.
    var stride: Int { Int(unsafe cairo_image_surface_get_stride(surface)) }

    /// Lends the pixels, which may be written.
    borrowing func withPixels<Value>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Value) -> Value {
        unsafe cairo_surface_flush(surface)
        defer { unsafe cairo_surface_mark_dirty(surface) }
        let start = unsafe cairo_image_surface_get_data(surface)
        return unsafe body(UnsafeMutableBufferPointer(start: start, count: stride * height))
    }

    /// The same picture, upright, in another size.
    borrowing func drawn(
        _ orientation: Orientation, width: Int, height: Int
    ) throws(PictureProblem) -> PixelSurface {
        let target = try PixelSurface(width: width, height: height)
        guard unsafe target.paint(surface, placed: matrix(orientation, width, height)) else {
            throw .unreadable("cairo could not draw \(width) × \(height) pixels")
        }
        return target
    }

    /// Makes sRGB of the colours of an ICC profile; one that is broken, or of other colours than red, green and blue,
    /// changes nothing.
    borrowing func makeSRGB(of profile: [UInt8]) {
        guard !profile.isEmpty, let count = UInt32(exactly: profile.count) else { return }
        let (width, height, stride) = (UInt32(width), UInt32(height), UInt32(stride))
        _ = unsafe withPixels { pixels in
            unsafe waymark_make_srgb(profile, count, pixels.baseAddress, width, height, stride)
        }
    }

    private static func made(_ width: Int, _ height: Int) throws(PictureProblem) -> OpaquePointer {
        if let width32 = Int32(exactly: width), let height32 = Int32(exactly: height),
            let surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_RGB24, width32, height32)
        {
            if unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS { return unsafe surface }
            unsafe cairo_surface_destroy(surface)
        }
        throw .unreadable("there is no memory for \(width) × \(height) pixels")
    }

    private borrowing func matrix(_ orientation: Orientation, _ width: Int, _ height: Int) -> cairo_matrix_t {
        let turn = orientation.matrix
        let (fromX, fromY, toX, toY) = (Double(self.width), Double(self.height), Double(width), Double(height))
        return cairo_matrix_t(
            xx: turn.xx * toX / fromX, yx: turn.yx * toY / fromX, xy: turn.xy * toX / fromY, yy: turn.yy * toY / fromY,
            x0: turn.x0 * toX, y0: turn.y0 * toY)
    }

    /// Whether it succeeded.
    private borrowing func paint(_ source: OpaquePointer, placed matrix: cairo_matrix_t) -> Bool {
        let context = unsafe cairo_create(surface)
        defer { unsafe cairo_destroy(context) }
        var matrix = matrix
        unsafe cairo_transform(context, &matrix)
        unsafe cairo_set_source_surface(context, source, 0, 0)
        let pattern = unsafe cairo_get_source(context)
        unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
        // Otherwise the edges would be mixed with the black around the picture.
        unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        unsafe cairo_paint(context)
        return unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS
    }
}

/// How a picture has to be rotated or mirrored to be upright (EXIF 2.32, 4.6.5.1.6).
enum Orientation: Int, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case upsideDownMirrored = 4
    case leftMirrored = 5
    /// Rotated clockwise by a quarter to be upright, as most pictures of upright phones are.
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// Invalid numbers leave the picture unchanged.
    init(exif number: Int) { self = Orientation(rawValue: number) ?? .upright }

    /// Whether width and height are swapped.
    var isSideways: Bool { rawValue >= 5 }

    /// Where the unit square's point (x, y) is moved to: (xx·x + xy·y + x0, yx·x + yy·y + y0).
    var matrix: (xx: Double, xy: Double, x0: Double, yx: Double, yy: Double, y0: Double) {
        switch self {
        case .upright: (1, 0, 0, 0, 1, 0)
        case .mirrored: (-1, 0, 1, 0, 1, 0)
        case .upsideDown: (-1, 0, 1, 0, -1, 1)
        case .upsideDownMirrored: (1, 0, 0, 0, -1, 1)
        case .leftMirrored: (0, 1, 0, 1, 0, 0)
        case .right: (0, -1, 1, 1, 0, 0)
        case .rightMirrored: (0, -1, 1, -1, 0, 1)
        case .left: (0, 1, 0, -1, 0, 1)
        }
    }
}
