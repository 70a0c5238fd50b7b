import Testing

@testable import MapPicture

@Suite("P29 the drawings of marks")
struct IconPathTests {
    @Test("can be read, all of them, and lie within their square")
    func all() throws {
        for (name, text) in try Samples.data.styles().icons {
            let steps = try #require(IconPath(text), "\(name)").steps
            for step in steps {
                let points =
                    switch step {
                    case .move(let to), .line(let to): [to]
                    case .curve(let first, let second, let end): [first, second, end]
                    case .close: [ScreenPoint]()
                    }
                #expect(points.allSatisfy { (0...24).contains($0.x) && (0...24).contains($0.y) }, "\(name) \(step)")
            }
        }
    }

    @Test("have lines, curves and arcs, as SVG means them")
    func path() throws {
        func point(_ x: Double, _ y: Double) -> ScreenPoint { ScreenPoint(x: x, y: y) }
        #expect(
            IconPath("M1 2l3-1.5.5 1h2v-1H0Z")?.steps == [
                .move(point(1, 2)), .line(point(4, 0.5)), .line(point(4.5, 1.5)), .line(point(6.5, 1.5)),
                .line(point(6.5, 0.5)), .line(point(0, 0.5)), .close,
            ])
        // A quarter of a circle to the right: from the top to the right edge.
        guard case .curve(let first, let second, let end)? = IconPath("M12 4a8 8 0 0 1 8 8")?.steps.last else {
            Issue.record("no curve")
            return
        }
        #expect(end.distance(to: point(20, 12)) < 1e-9)
        #expect(first.distance(to: point(12 + 8 * 0.5523, 4)) < 0.01)
        #expect(second.distance(to: point(20, 12 - 8 * 0.5523)) < 0.01)
        #expect(IconPath("M1") == nil && IconPath("M1 2x3") == nil && IconPath("no") == nil)
    }
}
