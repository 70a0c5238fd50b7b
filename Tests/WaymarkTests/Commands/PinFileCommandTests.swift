import Synchronization
import TestTools
import Testing

@testable import Waymark

@Suite("P52 files of pins by the command line")
struct PinFileCommandTests {
    @Test("a file is sent in parts and read; what can't be read is said, and how it is taken back")
    func imported() async throws {
        let folder = TemporaryFolder()
        let gateway = TestGateway()
        try await gateway.run { waymark in
            let path = try folder.write("some bytes", to: "a.gpx")
            let (code, screen) = await waymark("pin", "import", path)
            #expect(code == .success)
            #expect(screen.output.contains("a.gpx: 2 pins added, 1 there before; 1 can't be read"))
            #expect(screen.output.contains("waymark pin undo \(FakePinFiles.id)"))
            #expect(screen.messages.contains("number 2: latitude 95.0 is not allowed"))
            #expect(gateway.pinFiles.received.withLock { String(decoding: $0, as: UTF8.self) } == "some bytes")
            let undone = await waymark("pin", "undo", FakePinFiles.id)
            #expect(undone.code == .success && undone.screen.output.contains("Removed 2 pins."))
        }
    }

    @Test("of a file that can't be read nothing is kept, and a program gets it in JSON")
    func refused() async throws {
        let folder = TemporaryFolder()
        let gateway = TestGateway()
        try await gateway.run { waymark in
            let (code, screen) = await waymark("pin", "import", try folder.write("broken", to: "a.gpx"))
            #expect(code != .success && screen.messages.contains("can't be imported: it is no XML"))
            #expect(gateway.pinFiles.undone.withLock { $0 } == [FakePinFiles.id])
        }
        let other = TestGateway()
        try await other.run { waymark in
            let path = try folder.write("fine", to: "b.gpx")
            let (code, screen) = await waymark("pin", "import", path, "--trial", "--json")
            #expect(code == .success && screen.output.contains("\"badPin\"") && screen.output.contains("\"pinCount\""))
            #expect(other.pinFiles.undone.withLock { $0 } == [FakePinFiles.id])
        }
    }

    @Test("pins are written to a file, whole or not at all; no other format is taken")
    func exported() async throws {
        let folder = TemporaryFolder()
        try await TestGateway().run { waymark in
            let path = folder.file("pins.gpx")
            let (code, screen) = await waymark("pin", "export", "--format", "gpx", "-o", path)
            #expect(code == .success && screen.output.contains("7 pins"))
            let text = try folder.text("pins.gpx")
            #expect(text == "format 2")
            _ = await waymark("pin", "export", "-o", folder.file("named.KMZ"))
            #expect(try folder.text("named.KMZ") == "format 4")
            let wrong = await waymark("pin", "export", "--format", "shp")
            #expect(wrong.code == .usage && wrong.screen.messages.contains("geojson, gpx, kml or kmz"))
        }
    }
}
