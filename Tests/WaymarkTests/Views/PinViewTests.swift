import Contracts
import Testing

@testable import Terminal
@testable import Waymark

@Suite("P7 P39 a pin on a terminal")
struct PinViewTests {
    private var pin: Pin {
        var pin = Sample.pin(.partial, places: 1412, album: Sample.summary(.downloading, 16, of: 24, failed: 1))
        pin.photoPlaceCount = 31
        pin.photoCount = 120
        pin.searches = [
            NetworkSearch(network: "catalog", state: .done, placeCount: 1000, truncated: true),
            NetworkSearch(network: "other", state: .retrying, warning: "can't be\u{1B}[2J reached"),
        ]
        return pin
    }

    @Test("shows state, counters, the album's bar, searches and warnings")
    func lines() {
        #expect(
            PinView(pin: pin, sink: .paper()).lines == [
                "● Square  partial", "  60.17, 24.94, 500 m around  \(Sample.pinID)", "",
                "  places    1,412, 31 with photos", "  photos    120 of these places",
                "  album     ████████████████×░░░░░░░  16 of 24 pictures, 1 failed  downloading",
                "  catalog   done, nearest 1,000 places shown", "  other     asked again, 0 places",
                "  ! other: can't be [2J reached",
            ])
    }

    @Test("no line is wider than the terminal", arguments: [1, 10, 30, 79])
    func width(width: Int) {
        var progress = WatchedPin(pin)
        progress.apply(WatchPinResponse(pin: pin, places: [Sample.place(1)]))
        let lines = PinView(pin: pin, sink: .paper(width: width)).lines
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
    }

    @Test(
        "the dot has the state's colour",
        arguments: [(.new, "31"), (.partial, "35"), (.ready, "32"), (.failed, "31")] as [(PinState, String)])
    func colour(state: PinState, code: String) {
        let lines = PinView(pin: Sample.pin(state), sink: .paper(hasColours: true)).lines
        #expect(lines.first?.hasPrefix("\u{1B}[\(code)m● \u{1B}[0m") == true)
    }

    @Test("a pin that fills up shows the places that came last below it")
    func latest() {
        var progress = WatchedPin(Sample.pin())
        progress.apply(WatchPinResponse(places: [Sample.place(1, photos: 2), Sample.place(12)]))
        let lines = WatchedPinView(progress: progress).lines(on: .paper())
        #expect(
            lines.suffix(3) == [
                "", "     100 m  Place 1   amenity/cafe       2  catalog/mine/1",
                "   1.20 km  Place 12  amenity/cafe          catalog/mine/12",
            ])
    }

    @Test(
        "the bar is as wide whatever the counters are",
        arguments: [
            ((0, 0, 0), "░░░░░░░░"), ((0, 4, 0), "░░░░░░░░"), ((1, 100, 0), "█░░░░░░░"), ((99, 100, 0), "███████░"),
            ((100, 100, 0), "████████"), ((99, 100, 1), "███████×"), ((0, 3, 3), "××××××××"), ((1, 3, 1), "██××░░░░"),
            ((9, 3, 9), "××××××××"), ((2, 3, 1), "██████××"),
        ] as [((UInt32, UInt32, UInt32), String)])
    func bar(counters: (UInt32, UInt32, UInt32), bar: String) {
        var line = StyledLine()
        AlbumBar.append(
            Sample.summary(.downloading, counters.0, of: counters.1, failed: counters.2), to: &line, width: 8)
        #expect(line.text(on: .paper()) == bar)
    }
}
