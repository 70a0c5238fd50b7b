import Contracts
import FoundationEssentials
import Synchronization
import TestTools
import Testing
import Wire

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

    @Test("dataset show tells what a dataset has, and knows none that is not there")
    func dataset() async throws {
        try await TestGateway().run { run in
            let (_, mine) = await run("dataset", "show", "mine")
            #expect(
                mine.lines == [
                    "mine  Title", "", "  places     1,750, imported", "  addresses  12", "  index      2.5 MB",
                    "  map        340 tiles, zoom levels 5 to 14, 400 kB",
                ])
            let (_, bundled) = await run("dataset", "show", "helsinki")
            #expect(bundled.lines.last == "  map        none; the import of an .osm.pbf makes one")
            let (code, _) = await run("dataset", "show", "other")
            #expect(code.rawValue == 15)
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
            #expect(screen.lines.last == "Home  new     500 m  60.5, -25  \(Sample.pinID)")
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

    @Test("P28 photo info shows what is known, photo near passes its filters on, and a day that is none is refused")
    func photoFacts() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            // A tag that no client can give, from a network that gives it.
            let photo = Photo(
                id: "mine/1", title: "Snow", position: Coordinate(latitude: 60, longitude: -25), author: "A",
                licence: "CC0", tags: ["old harbour", "\u{1b}[1msnow"])
            gateway.photos.state.withLock { $0.photos = [photo] }
            let (_, screen) = await run("photo", "info", "mine/1")
            #expect(
                screen.lines == [
                    "Snow  ", "  by        A", "  licence   CC0",
                    "  tags      old harbour,  [1msnow", "  at        60, -25", "  id        mine/1",
                ])
            _ = await run("photo", "near", "60", "25", "--network", "mine", "--licence", "CC0", "--from", "2024-05-17")
            let asked = gateway.photos.state.withLock { $0.near }
            #expect(asked.first?.networks == ["mine"] && asked.first?.licences == ["CC0"])
            #expect(asked.first?.takenFrom?.seconds == 1_715_904_000)
            let (code, no) = await run("photo", "near", "60", "25", "--before", "May")
            #expect(code == .usage && no.messages.contains("--before is May, allowed is a day such as 2024-05-17"))
        }
    }

    @Test("a favourite is added, listed with where it was, toggled and removed")
    func favourites() async throws {
        try await TestGateway().run { run in
            let (_, none) = await run("favourite", "list")
            #expect(none.lines == ["There are no favourites; waymark favourite add PHOTO adds one."])
            for id in ["mine/1", "mine/2"] {
                _ = await run("photo", "put", id, "60", "25", "--title", "Snow \(id)", "--author", "A")
            }
            let (_, added) = await run("favourite", "add", "mine/1", "--place", "Kaivopuisto")
            #expect(added.lines == ["mine/1 is a favourite now."])
            _ = await run("favourite", "toggle", "mine/2")
            let (_, list) = await run("favourite", "list")
            #expect(
                list.lines == [
                    "TITLE        PLACE        AUTHOR  ID", "Snow mine/2               A       mine/2",
                    "Snow mine/1  Kaivopuisto  A       mine/1",
                ])
            let (_, removed) = await run("favourite", "remove", "mine/1")
            #expect(removed.lines == ["mine/1 is no favourite now."])
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
