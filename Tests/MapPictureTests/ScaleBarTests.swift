import Testing

@testable import MapPicture

@Suite("P29 the scale of a map picture")
struct ScaleBarTests {
    @Test("is a round number", arguments: [(1.0, 1.0), (1.9, 1), (2, 2), (49, 20), (50, 50), (9_999, 5_000)])
    func round(metres: Double, expected: Double) { #expect(ScaleBar.round(below: metres) == expected) }
}
