import Contracts
import Testing

@testable import Gateway
@testable import MapPicture

@Suite("P49 the map of a shared list")
struct SharedMapTests {
    private static let lists: [[(Double, Double)]] = [
        [(60.17, 24.94)], [(60.17, 24.94), (60.17, 24.94)], [(60.17, 24.94), (60.1701, 24.9402)],
        [(60, 10), (61, 30), (35, 20)], [(-17, 179), (-18, -179)], [(60, -120), (-60, 60), (0, 0)],
        [(89, 0), (89, 180), (89, 90)], [(90, 0), (-90, 0)],
    ]

    @Test("shows all its pins, and leaves room above them for their marks", arguments: lists)
    func frame(pins: [(Double, Double)]) throws {
        let frame = try #require(
            SharedMap.frame(of: pins.map { Pin(position: Coordinate(latitude: $0, longitude: $1)) }))
        #expect((0.012...170).contains(frame.span))
        let view = SharedMap.view(around: frame.middle, span: frame.span)
        #expect(view.pin == nil)
        guard frame.span < 120 else { return }
        for (latitude, longitude) in pins {
            let place = view.place(latitude: latitude, longitude: longitude)
            #expect((0...1).contains(place.x) && (0.1...0.9).contains(place.y), "\(place)")
        }
    }

    @Test("shows the region of a pin where there are no streets, and of several what has them all")
    func region() {
        let middle = Coordinate(latitude: 48.8566, longitude: 2.3522)
        let near = SharedMap.view(around: middle)
        let region = SharedMap.region(around: middle, span: 0, isDark: true)
        #expect(near.pin == .green && region?.pin == .green && region?.isDark == true)
        #expect((region?.span ?? 0) > 10 * near.span)
        #expect(SharedMap.region(around: middle, span: 0.02, isDark: false) == nil)
    }

    @Test("is the small one beside a photo as close as the app's, and has no pin", arguments: [0.0, 60, -45])
    func small(latitude: Double) {
        let small = SharedMap.small(around: Coordinate(latitude: latitude, longitude: 24.9), isDark: true)
        #expect(abs(small.near.projection.webZoom - 15) < 0.01 && abs(small.region.projection.webZoom - 9) < 0.01)
        #expect(small.near.pin == nil && small.near.isDark && small.region.isDark)
        #expect(small.near.width == 212 && small.near.height == 112)
    }

    @Test("is not there without a pin, or with positions that are none")
    func none() {
        #expect(SharedMap.frame(of: []) == nil)
        #expect(SharedMap.frame(of: [Pin(), Pin(position: Coordinate(latitude: .nan, longitude: 0))]) == nil)
    }
}
