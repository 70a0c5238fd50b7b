import Contracts
import Synchronization
import TestTools
import Testing

@testable import Terminal
@testable import Waymark

@Suite("P29 P39 waymark pin map")
struct PinMapCommandTests {
    private static let id = "0198a1b2-0000-7000-8000-000000000001"
    private let gateway = TestGateway()
    private let folder = TemporaryFolder()

    private func send(_ text: String = "not really a PNG", sha256: String? = nil) {
        let bytes = Array(text.utf8)
        gateway.maps.picture.withLock {
            $0 = GetPinMapResponse(png: bytes, attribution: "Somewhere", sha256: sha256 ?? Picture.digest(bytes))
        }
    }

    @Test("writes the picture, also in place of another file, and says what has to be shown with it")
    func writes() async throws {
        send()
        try await gateway.run { run in
            for _ in 1...2 {
                let (code, screen) = await run("pin", "map", Self.id, folder.file("a.png"))
                #expect(code == .success && screen.lines == ["\(folder.file("a.png")): 16 B; Somewhere"])
            }
        }
        #expect(try folder.text("a.png") == "not really a PNG" && folder.names == ["a.png"])
        #expect(gateway.maps.asked.withLock { $0.first } == GetPinMapRequest(pinId: Self.id))
    }

    @Test("asks for what its flags say, of a pin that is named")
    func flags() async throws {
        send()
        gateway.pins.state.withLock { $0.pins = [Pin(id: Self.id, name: "Square")] }
        try await gateway.run { run in
            let (code, screen) = await run(
                "pin", "map", "Square", folder.file("a.png"), "--span", "0.02", "--size", "300x200", "--scale", "2",
                "--json")
            #expect(code == .success, "\(screen.messages)")
            #expect(screen.output.hasPrefix(#"{"attribution":"Somewhere","byteCount":16,"file":"#))
        }
        let request = GetPinMapRequest(pinId: Self.id, spanDegrees: 0.02, width: 300, height: 200, scale: 2)
        #expect(gateway.maps.asked.withLock { $0 } == [request])
    }

    @Test("refuses what is no size and no span, and writes no damaged picture")
    func refuses() async throws {
        send(sha256: "00")
        try await gateway.run { run in
            for flag in ["--size=300", "--size=x", "--size=1x2x3", "--size=-1x5", "--span=wide", "--scale=-1"] {
                let (code, _) = await run("pin", "map", Self.id, folder.file("a.png"), flag)
                #expect(code == .usage, "\(flag)")
            }
            let (code, screen) = await run("pin", "map", Self.id, folder.file("a.png"))
            #expect(code != .success && screen.messages.contains("nothing was written"))
        }
        #expect(folder.names.isEmpty)
    }
}
