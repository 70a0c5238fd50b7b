import Testing

@testable import Terminal
@testable import Waymark

@Suite("Quantities for people")
struct QuantityTests {
    @Test(
        "distances",
        arguments: [
            (0, "0.0 m"), (9.94, "9.9 m"), (16.89, "17 m"), (999.4, "999 m"), (999.6, "1.00 km"), (1234, "1.23 km"),
            (9_996, "10.0 km"), (12_345, "12.3 km"), (99_960, "100 km"), (20_015_115, "20,015 km"), (.infinity, "?"),
            (.nan, "?"),
        ])
    func distances(metres: Double, text: String) { #expect(Quantity.distance(metres) == text) }

    @Test(
        "fixed digits",
        arguments: [
            (1234.5678, 2, "1,234.57"), (-0.5, 0, "-1"), (0.05, 1, "0.1"), (-1234.5, 1, "-1,234.5"), (0, 3, "0.000"),
            (1e17, 0, "100,000,000,000,000,000"), (1e30, 1, "1e+30"), (.nan, 2, "nan"), (.infinity, 0, "inf"),
        ])
    func fixed(value: Double, digits: Int, text: String) { #expect(Quantity.fixed(value, digits) == text) }

    @Test(
        "degrees", arguments: [(60.1699, "60.1699"), (-180, "-180"), (0, "0"), (24.93840001, "24.9384"), (100, "100")])
    func degrees(value: Double, text: String) { #expect(Quantity.degrees(value) == text) }

    @Test(
        "spans of time",
        arguments: [
            (Duration.microseconds(400), "0.4 ms"), (.milliseconds(12), "12 ms"), (.milliseconds(1500), "1.5 s"),
            (.seconds(125), "2 min 5 s"), (.seconds(7200), "2.0 h"),
        ])
    func durations(duration: Duration, text: String) { #expect(Quantity.duration(duration) == text) }

    @Test("bytes and counts")
    func counts() {
        #expect(Quantity.bytes(512) == "512 B")
        #expect(Quantity.bytes(49_682_303) == "49.7 MB")
        #expect(Quantity.bytes(.max) == "18,446,744,073.71 GB")
        #expect(Quantity.count(1_807_276) == "1,807,276")
        #expect(Quantity.count(1, "place") == "1 place")
        #expect(Quantity.count(0, "place") == "0 places")
    }
}
