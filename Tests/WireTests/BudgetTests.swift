import TestProtos
import Testing
import Wire

@Suite("The budget of unpacking")
struct BudgetTests {
    /// `count` empty messages in the field `points`.
    private func bomb(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in [0x9a, 0x03, 0] as [UInt8] } }

    @Test("refuses a frame full of empty messages")
    func emptyMessages() {
        let bytes = bomb(Wire.maximumFrameBytes / 3)
        #expect(throws: WireError.self) { try Every(packed: bytes) }
        let error = #expect(throws: WireError.self) { try Every(packed: bytes) }
        #expect(error?.code == .overBudget)
    }

    @Test("counts the Swift values as well as protobuf-c's")
    func swiftValues() throws {
        // Each takes 3 bytes on the wire; in C 8 + 40 and while scanning 40, in Swift 16.
        let bytes = bomb(1000)
        #expect(try Every(packed: bytes, budget: 400_000).points.count == 1000)
        let error = #expect(throws: WireError.self) { try Every(packed: bytes, budget: 20_000) }
        #expect(error?.code == .overBudget)
    }

    @Test("bounds unknown fields too")
    func unknownFields() {
        let bytes = (0..<100_000).flatMap { _ in [0x08, 1] as [UInt8] }
        let error = #expect(throws: WireError.self) { try Nothing(packed: bytes, budget: 1 << 20) }
        #expect(error?.code == .overBudget)
    }

    @Test("is whole again for the next message")
    func afterwards() throws {
        #expect(throws: WireError.self) { try Every(packed: bomb(100_000), budget: 1000) }
        let message = Every(aString: "still fine")
        #expect(try Every(packed: message.packedBytes(), budget: 4096) == message)
    }

    @Test("of the default lets a frame of bytes through")
    func wholeFrame() throws {
        let large = EchoRequest(payload: [UInt8](repeating: 1, count: Wire.maximumFrameBytes))
        #expect(try EchoRequest(packed: large.packedBytes()).payload.count == Wire.maximumFrameBytes)
    }
}
