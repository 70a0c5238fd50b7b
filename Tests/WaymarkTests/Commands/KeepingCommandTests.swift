import FoundationEssentials
import TestTools
import Testing

@testable import Waymark

@Suite("P39 waymark dataset, pin, photo, init")
struct KeepingCommandTests {
    @Test("dataset list shows all pages in one table")
    func datasets() async throws {
        try await TestGateway().run { run in
            let (_, screen) = await run("dataset", "list")
            #expect(
                screen.lines == [
                    "NAME      PLACES    SIZE  ORIGIN    TITLE", "helsinki   1,750  2.5 MB  bundled   Title",
                    "mine       1,750  2.5 MB  imported  Title",
                ])
        }
    }

    @Test("dataset rm says what went")
    func remove() async throws {
        try await TestGateway().run { run in
            let (_, screen) = await run("dataset", "rm", "mine", "--yes")
            #expect(screen.lines == ["mine is deleted, with 1 place."])
        }
    }

    @Test("a pin that was added is near")
    func pins() async throws {
        try await TestGateway().run { run in
            let (_, none) = await run("pin", "near", "60", "25")
            #expect(none.lines == ["There is no pin here; waymark pin add LAT LON adds one."])
            let (code, _) = await run("pin", "add", "60.5", "-25", "--name", "Home", "--radius", "500")
            #expect(code == .success)
            let (_, screen) = await run("pin", "near", "60", "25")
            #expect(screen.lines.last == "Home  new     500 m  60.5, -25  018f")
        }
    }

    @Test("a photo that was put is near")
    func photos() async throws {
        try await TestGateway().run { run in
            _ = await run(
                "photo", "put", "mine/1", "60", "-25", "--title", "Snow", "--author", "A", "--width", "640", "--height",
                "480")
            let (_, screen) = await run("photo", "near", "60", "25")
            #expect(screen.lines.last == "Snow   A       640×480  mine/1")
        }
    }

    @Test("init makes a key once, for its owner only")
    func key() async throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/key"
        let run = CommandLineRunner(target: "")
        let (code, screen) = await run("init", "--key-file", path)
        #expect(code == .success)
        #expect(screen.lines == ["\(path) is made."])
        let key = try folder.text("key")
        #expect(key.count == 65 && key.dropLast().allSatisfy(\.isHexDigit))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let (_, again) = await run("init", "--key-file", path, "--json")
        #expect(again.lines == [#"{"created":false,"keyFile":"\#(path)"}"#])
        #expect(try folder.text("key") == key)
    }

    @Test("init leaves a file alone that is no key, and says so")
    func noKey() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("not a key", to: "key")
        let (code, screen) = await CommandLineRunner(target: "")("init", "--key-file", path)
        #expect(code == .failure)
        #expect(screen.messages == "waymark: \(path) contains no Waymark key: 64 hexadecimal digits are needed\n")
        #expect(try folder.text("key") == "not a key")
    }

    @Test("init names the folder that is not there")
    func noFolder() async throws {
        let (code, screen) = await CommandLineRunner(target: "")("init", "--key-file", "/nowhere/at/all/key")
        #expect(code == .failure)
        #expect(screen.messages.contains("/nowhere/at/all/key: No such file or directory"))
    }
}
