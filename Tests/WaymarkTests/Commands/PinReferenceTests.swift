import Contracts
import RPC
import Synchronization
import Testing

@testable import Arguments
@testable import Waymark

@Suite("D2 Pins by the beginning of an id, or by name")
struct PinReferenceTests {
    private static let pins = [
        ("01a1f8cb-6901-7c14-b2c1-5071771f994f", "Railway square"), ("01a1f8c9-b16a-736e-a5b1-51417f276595", "Home"),
        ("01a1f8c9-b16b-736e-a5b1-51417f276595", "Kaartinkaupunki"),
        ("02a1f8c9-b16b-736e-a5b1-51417f276595", "Kaartinkaupunki"), ("02ffffff-b16b-736e-a5b1-51417f276595", "home"),
    ].map { Pin(id: $0, name: $1, position: Coordinate(latitude: 60.17, longitude: 24.94)) }

    @Test(
        "one that only one pin begins with or is called by",
        arguments: [
            ("01a1f8cb", 0), ("01A1F8CB-6901", 0), ("01a1f8cb-6901-7c14-b2c1-5071771f994f", 0), ("railway SQUARE", 0),
            ("Home", 1), ("home", 4), ("01a1f8c9-b16a", 1), ("02ff", 4),
        ])
    func found(text: String, index: Int) throws {
        #expect(try PinReference(text: text).id(among: Self.pins) == Self.pins[index].id)
    }

    @Test("one that means several is refused, and they are listed with as much of an id as tells them apart")
    func ambiguous() {
        let refusal = UsageError(
            "PIN Kaartinkaupunki may be 2 pins, give more of an id: 01a1f8c9-b16b Kaartinkaupunki at 60.17, 24.94; "
                + "02a1f8c9 Kaartinkaupunki at 60.17, 24.94")
        #expect(throws: refusal) { try PinReference(text: "Kaartinkaupunki").id(among: Self.pins) }
        #expect(throws: UsageError.self) { try PinReference(text: "01a1f8c9").id(among: Self.pins) }
        #expect(throws: UsageError.self) { try PinReference(text: "HOME").id(among: Self.pins) }
    }

    @Test(
        "what no pin is called is not found; three digits are too few for an id",
        arguments: ["nowhere", "01a", "99999999"])
    func unknown(text: String) {
        let error = #expect(throws: RPCError.self) { try PinReference(text: text).id(among: Self.pins) }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains(text) == true)
    }

    @Test(
        "every command that takes a pin or an album takes its name, and the beginning of its id",
        arguments: [
            ["pin", "show", "square"], ["pin", "show", "pin/01a1f8cb"], ["pin", "move", "Square", "1,2"],
            ["pin", "places", "01a1f8cb"], ["pin", "rename", "Square", "Harbour"], ["pin", "bounds", "Square"],
            ["pin", "rm", "01a1f8cb-6901"], ["album", "show", "Square"], ["album", "open", "pin/01a1f8cb"],
        ])
    func commands(words: [String]) async throws {
        let gateway = TestGateway()
        gateway.pins.state.withLock { $0.pins = [Sample.pin()] }
        gateway.photos.state.withLock { $0.album = Album(subject: "pin/\(Sample.pinID)") }
        try await gateway.run { run in
            let (unknown, _) = await run(words.prefix(2) + ["Nowhere"] + words.dropFirst(3))
            #expect(unknown == ExitCode(RPCError(.notFound, "")))
            let (code, screen) = await run(words)
            #expect(code == .success, "\(screen.messages)")
        }
    }

    @Test("each shown id is the shortest that is another pin's beginning nowhere")
    func short() {
        let ids = ShortIDs(Self.pins.map(\.id))
        let shown = Self.pins.map { ids.short($0.id) }
        #expect(shown == ["01a1f8cb", "01a1f8c9-b16a", "01a1f8c9-b16b", "02a1f8c9", "02ffffff"])
        for (pin, text) in zip(Self.pins, shown) {
            #expect(Self.pins.filter { $0.id.hasPrefix(text) }.map(\.id) == [pin.id])
        }
        #expect(ShortIDs(["01a1f8cb-6901", "01a1f8cb-7901"]).short("01a1f8cb-6901") == "01a1f8cb-6")
    }
}
