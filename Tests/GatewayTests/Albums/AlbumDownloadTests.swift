import Budgets
import Contracts
import EventLoops
import Files
import FoundationEssentials
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing
import Wire
import ZipFiles

@testable import AlbumArchive
@testable import Gateway

@Suite("P25 a pin's album as a ZIP from the gateway", .timeLimit(.minutes(5)))
struct AlbumDownloadTests {
    private static let id = "0198a1b2-0000-7000-8000-000000000001"
    private static let foreign = "0198a1b2-0000-7000-8000-000000000002"
    private static let empty = "0198a1b2-0000-7000-8000-000000000003"
    private static let path = "/albums/\(id).zip"
    private static let square = Coordinate(latitude: 60.1712, longitude: 24.9414)
    private static let photos = [
        Photo(
            id: "commons/1", title: "Market", position: square, author: "Ann", licence: "CC BY 4.0",
            sourceUrl: "https://commons.example/1", largeUrl: "/pictures/1"),
        Photo(id: "commons/2", position: square),
        Photo(id: "upload/3", title: "Mine", position: square),
        Photo(id: "commons/4", position: square, largeUrl: "/pictures/4"),
    ]

    /// More than a gateway keeps while it waits for a picture's end.
    private static let large = 3 << 20

    private static func backends() -> FakeBackends {
        let backends = FakeBackends(
            kept: [
                "local": [
                    id: Pin(id: id, name: "Café \"Square\"", position: square, radiusM: 500),
                    empty: Pin(id: empty, name: "", position: square, radiusM: 500),
                ],
                "another": [foreign: Pin(id: foreign, name: "Elsewhere", position: square, radiusM: 500)],
            ],
            albums: ["local": ["pin/\(id)": photos], "another": ["pin/\(foreign)": photos]])
        backends.pictures.set("commons/1", .init(bytes: [0xff, 0xd8, 0xff] + ScriptedPictures.bytes(5_000)))
        backends.pictures.set("upload/3", .init(bytes: ScriptedPictures.bytes(large, seed: 3), partSize: 200_000))
        return backends
    }

    /// The files of an archive that libzip finds whole.
    private func files(_ bytes: [UInt8]) throws -> [(name: String, bytes: [UInt8])] {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try DiskFile.create(folder.file("album.zip"), with: bytes)
        let archive = try ZipArchive(reading: folder.file("album.zip"))
        var files: [(name: String, bytes: [UInt8])] = []
        for entry in try archive.entries(limit: 100) {
            var content: [UInt8] = []
            try archive.read(entry) { content += $0 }
            files.append((entry.name, content))
        }
        return files
    }

    @Test("has its pictures, a page and a manifest, and names what can't be had")
    func whole() async throws {
        let backends = Self.backends()
        try await RunningGateway.with(backends) { gateway in
            let reply = try await gateway.http.ask("GET", Self.path)
            #expect(reply.status == 200 && reply["content-type"] == "application/zip")
            #expect(
                reply["content-disposition"]
                    == "attachment; filename=\"Caf-Square.zip\"; filename*=UTF-8''Caf%C3%A9-Square.zip")
            #expect(reply["cache-control"] == "no-store")
            let files = try files(reply.body)
            let names = ["pictures/001-market.jpg", "pictures/002-mine.bin", "index.html", "manifest.json"]
            #expect(files.map(\.name) == names)
            #expect(files[0].bytes == [0xff, 0xd8, 0xff] + ScriptedPictures.bytes(5_000))
            #expect(files[1].bytes == ScriptedPictures.bytes(Self.large, seed: 3))
            let manifest = try JSONDecoder().decode(AlbumManifest.self, from: Data(files[3].bytes))
            #expect(manifest.subject == "pin/\(Self.id)" && manifest.pin?.name == "Café \"Square\"")
            #expect(manifest.photos.map(\.id) == ["commons/1", "upload/3"])
            #expect(manifest.photos.map(\.file.sha256) == files[0...1].map { ScriptedPictures.digest($0.bytes) })
            #expect(manifest.page == ArchivedFile("index.html", FileNotes(files[2].bytes)))
            #expect(
                manifest.leftOut == [
                    LeftOutPhoto(id: "commons/2", reason: "it may not be shown, or its picture is not there"),
                    LeftOutPhoto(id: "commons/4", reason: "no photo commons/4"),
                ])
            #expect(String(decoding: files[2].bytes, as: UTF8.self).contains("<li>commons/4: no photo commons/4</li>"))
            // The large one twice: it is not kept.
            #expect(backends.pictures.calls.count == 4)
            let again = try await gateway.http.ask("GET", Self.path)
            #expect(again.body == reply.body, "the same album gives other bytes")
            let callers = backends.pictures.callers.withLock { $0 }
            #expect(callers == ["local"])
        }
    }

    @Test("has an upload of the account as it came, and of a guest's the large picture")
    func guests() throws {
        let own = Photo(id: "upload/3", position: Self.square, largeUrl: "/pictures/3")
        #expect(try GetPictureRequest(archiving: own).size == .original)
        var guests = own
        guests.addedBy = "Ben"
        #expect(try GetPictureRequest(archiving: guests).size == .large)
        guests.largeUrl = ""
        #expect(throws: RPCError.self) { try GetPictureRequest(archiving: guests) }
    }

    @Test("is the caller's alone, and has to have a picture")
    func refusals() async throws {
        try await RunningGateway.with(Self.backends()) { gateway in
            for (path, status, words) in [
                ("/albums/\(Self.foreign).zip", 404, "no pin"), ("/albums/\(Self.empty).zip", 400, "has no photos"),
                ("/albums/\(Self.id)", 404, "nothing here"), ("/albums/", 404, "nothing here"),
            ] {
                let reply = try await gateway.http.ask("GET", path)
                #expect(reply.status == status && reply.text.contains(words), "\(path): \(reply.text)")
                let head = try await gateway.http.ask("HEAD", path)
                #expect(head.status == status && head.body.isEmpty)
            }
            let posted = try await gateway.http.ask("POST", Self.path)
            #expect(posted["allow"] == "GET, HEAD")
            let foreign = try await gateway.http.ask(
                "GET", Self.path, [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")])
            #expect(foreign.status == 403)
            let head = try await gateway.http.ask("HEAD", Self.path)
            #expect(head.status == 200 && head["content-type"] == "application/zip" && head.body.isEmpty)
        }
        try await RunningGateway.with(Self.backends(), isOpen: false) { gateway in
            let reply = try await gateway.http.ask("GET", Self.path)
            #expect(reply.status == 401)
            #expect(gateway.behind.contexts.isEmpty)
        }
    }

    @Test("breaks off, and is never taken for whole, when a picture is not what it was")
    func changed() async throws {
        let backends = Self.backends()
        let seconds = Tally()
        backends.pictures.set(
            "upload/3",
            .init(bytes: ScriptedPictures.bytes(Self.large), partSize: 200_000) { number in
                guard number == 0 else { return }
                seconds.add()
                let other = ScriptedPictures.Picture(
                    bytes: ScriptedPictures.bytes(Self.large, seed: 9), partSize: 200_000)
                backends.pictures.set("upload/3", other)
            })
        try await RunningGateway.with(backends) { gateway in
            await #expect(throws: (any Error).self) { try await gateway.http.ask("GET", Self.path) }
            #expect(seconds.count == 1)
        }
    }

    @Test("is given as often at once as a client has memory for, and again as soon as one has gone")
    func places() async throws {
        let backends = Self.backends()
        let gate = Gate()
        var large = ScriptedPictures.Picture(bytes: ScriptedPictures.bytes(Self.large), partSize: 200_000)
        large.before = { if $0 == 1 { await gate.pass() } }
        backends.pictures.set("upload/3", large)
        try await RunningGateway.with(backends, memory: MemoryBudget(bytes: 32 << 20)) { gateway in
            var waiting: [HTTPSocket] = []
            var isRefused = false
            // Half of 32 MiB is one client's; each holds six.
            while !isRefused, waiting.count < 3 {
                let socket = try await gateway.http.connect()
                try await socket.send("GET", Self.path)
                let head = try await socket.head()
                isRefused = head.status == 429
                #expect(isRefused || head.status == 200)
                if !isRefused { waiting.append(socket) }
            }
            #expect(isRefused && !waiting.isEmpty)
            waiting.removeFirst().socket.reset()
            while try await gateway.http.ask("HEAD", Self.path).status == 429 {}
            gate.open()
            for socket in waiting {
                var bytes: [UInt8] = []
                while case let chunk = try await socket.chunk(), !chunk.isEmpty { bytes += chunk }
                let names = try files(bytes).map(\.name)
                #expect(names.count == 4)
            }
        }
    }

    @Test("is named after its pin, whatever the name has in it")
    func names() {
        for (name, header) in [
            ("", "attachment; filename=\"album.zip\"; filename*=UTF-8''album.zip"),
            ("../a\r\nb\"", "attachment; filename=\"a-b.zip\"; filename*=UTF-8''a-b.zip"),
            ("港", "attachment; filename=\"album.zip\"; filename*=UTF-8''%E6%B8%AF.zip"),
        ] {
            #expect(AttachmentName.header(name, ".zip") == header)
        }
    }
}
