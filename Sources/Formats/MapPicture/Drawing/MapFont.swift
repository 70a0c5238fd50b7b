internal import CCairo
import Files
import FontFile

/// The typeface of all texts: DejaVu Sans, which has all letters of Latin, Greek and Cyrillic scripts.
@safe
package final class MapFont: Sendable {
    /// Where Debian's fonts-dejavu-core has it.
    package static let path = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    private static let maximumFileBytes = 16 << 20

    /// cairo counts who uses it with atomics, and locks it while glyphs are made: any thread may use it.
    nonisolated(unsafe) private let face: OpaquePointer

    /// Reads the file. Blocks.
    package init(path: String = MapFont.path) throws(MapProblem) {
        guard let bytes = try? SmallFile.read(path, limit: Self.maximumFileBytes),
            let face = unsafe waymark_font_face_make(bytes, bytes.count)
        else { throw .noFont(path) }
        unsafe self.face = face
    }

    /// Whether it has all letters of a text, and they can be written one after the other from the left.
    static func has(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x20...0x7e, 0xa0...0x58f, 0x10a0...0x10ff, 0x1e00...0x1fff, 0x2010...0x2027: true
            default: false
            }
        }
    }

    deinit { unsafe cairo_font_face_destroy(face) }

    /// Sets it for a drawing, unhinted: a text is as long at every scale.
    func use(_ context: OpaquePointer) {
        unsafe cairo_set_font_face(context, face)
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
    }
}
