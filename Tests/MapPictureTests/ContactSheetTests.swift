import CCairo
import Glibc
import TestTools
import Testing

@testable import MapPicture

@Suite("P29 ten places side by side")
struct ContactSheetTests {
    private static let (width, height, columns) = (600, 400, 2)

    /// WAYMARK_MAP_SHEET=FILE.png keeps the sheet, for looking at it.
    @Test("are drawn, each another picture")
    func sheet() throws {
        let pictures = try Samples.places.map { try Samples.picture($0.view()) }
        #expect(Set(pictures.map(\.png)).count == pictures.count)
        #expect(pictures.allSatisfy { $0.attribution.contains("Natural Earth") })
        guard let file = getenv("WAYMARK_MAP_SHEET").map({ String(cString: $0) }) else { return }
        let rows = (pictures.count + Self.columns - 1) / Self.columns
        let surface = try #require(
            cairo_image_surface_create(
                CAIRO_FORMAT_RGB24, Int32(Self.columns * (Self.width + 8)), Int32(rows * (Self.height + 8))))
        defer { cairo_surface_destroy(surface) }
        let context = try #require(cairo_create(surface))
        for (index, picture) in pictures.enumerated() {
            try Pixels(png: picture.png).draw(
                on: context, x: Double(index % Self.columns * (Self.width + 8)),
                y: Double(index / Self.columns * (Self.height + 8)))
        }
        cairo_destroy(context)
        #expect(cairo_surface_write_to_png(surface, file) == CAIRO_STATUS_SUCCESS)
    }
}
