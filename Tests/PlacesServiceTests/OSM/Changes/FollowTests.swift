import Bytes
import Compression
import EventLoops
import FeatureFiles
import HTTP
import HTTPClient
import PlaceContracts
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

/// Plays a folder of diffs, as Geofabrik and planet.openstreetmap.org have them.
private final class DiffServer: Sendable {
    struct State {
        /// The last diff.
        var last: Int64 = 40
        var fault: HTTPResponse?
        /// Answered instead of one diff.
        var broken: (number: Int64, answer: HTTPResponse)?
    }

    let state = Mutex(State())

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Diff `number` makes a bar, and removes the one of the diff before.
    static func diff(_ number: Int64) -> String {
        var changes = ChangeFile()
        changes.create(.node(1_000 + number, 10, 20, [("amenity", "bar"), ("name", "Bar \(number)")]))
        changes.delete(.node, 999 + number)
        return changes.text
    }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        let state = self.state.withLock { $0 }
        if let fault = state.fault { return fault }
        if request.path == "/town/state.txt" { return Self.text(Self.stateText(state.last)) }
        let digits = request.path.utf8.filter { (0x30...0x39).contains($0) }
        guard let number = Int64(String(decoding: digits, as: UTF8.self)), (1...state.last).contains(number) else {
            return HTTPResponse(404, text: "no")
        }
        if let broken = state.broken, broken.number == number { return broken.answer }
        if request.path.ends(with: ".state.txt") { return Self.text(Self.stateText(number)) }
        return HTTPResponse(200, body: .bytes(Compression.Gzip.pack(Array(Self.diff(number).utf8))))
    }

    /// Diff 40 was made on 2026-05-01, and one comes each day.
    private static func stateText(_ number: Int64) -> String {
        let seconds = 1_777_593_600 + (number - 40) * 86_400
        let time = FileTime.text(seconds * 1000).replacing(":", with: "\\:")
        return "#Fri May 01 00:00:03 UTC 2026\nsequenceNumber=\(number)\ntimestamp=\(time)\n"
    }

    private static func text(_ text: String) -> HTTPResponse { HTTPResponse(200, body: .bytes(Array(text.utf8))) }
}

@Suite("P65 A dataset that is followed")
struct FollowTests {
    private static func file(
        _ address: String, sequence: Int64? = 40, timestamp: Int64 = 1_777_593_600
    ) -> [UInt8] {
        let header = PbfHeader(
            replicationTimestamp: timestamp, replicationSequenceNumber: sequence, replicationBaseUrl: address)
        return PBFFile([.node(1, 10, 20, [("amenity", "cafe"), ("name", "First")])], header: header).bytes
    }

    /// Runs `body` with a service that has imported a file to be followed from a server.
    private static func follow(
        _ server: DiffServer, _ body: (TestService, HTTPFixture) async throws -> Void
    ) async throws {
        try await HTTPFixture.with {
            server.answer($0)
        } _: { fixture, url in
            try await TestService.run(diffs: DiffServers([url])) { service in
                try await load(file("\(url)/town/"), into: service)
                try await body(service, fixture)
            }
        }
    }

    /// Imports a file that is to be followed.
    private static func load(_ bytes: [UInt8], from address: String = "", into service: TestService) async throws {
        let begun = try await service.client.beginImport(
            BeginImportRequest(
                dataset: "test", fileName: "a.osm.pbf", byteCount: UInt64(bytes.count), follow: true,
                updatesUrl: address),
            TestService.soon)
        _ = try await service.client.writeImport(
            WriteImportRequest(uploadId: begun.uploadId, data: bytes), TestService.soon)
        _ = try await service.runImport(begun.uploadId)
    }

    private static func source(_ service: TestService) async throws -> DatasetSource? {
        try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon).datasets.first?.source
    }

    /// Waits until the dataset has a diff.
    private static func has(_ sequence: UInt64, _ service: TestService) async throws {
        let end = MonotonicTime.now + .seconds(120)
        while try await source(service)?.sequenceNumber != sequence {
            try #require(.now < end)
            await Task.yield()
        }
    }

    private static func names(_ service: TestService) async throws -> Set<String> {
        let near = NearbyRequest(centre: Coordinate(latitude: 10, longitude: 20), radiusM: 500, limit: 10)
        return Set(try await service.nearby(near).places.map(\.name))
    }

    @Test("has each diff once, also where very many have come since, and asks for nothing when there is none")
    func caughtUp() async throws {
        let server = DiffServer()
        server.set { $0.last = 120 }
        try await Self.follow(server) { service, fixture in
            try await Self.has(120, service)
            #expect(try await Self.names(service) == ["First", "Bar 120"])
            let diffs = fixture.requests.map(\.path).filter { $0.ends(with: ".osc.gz") }
            #expect(diffs == (41...120).map { "/town/000/000/\($0 < 100 ? "0" : "")\($0).osc.gz" })
            let source = try #require(try await Self.source(service))
            #expect(source.dataTime == TimestampMessage(unixSeconds: 1_777_593_600 + 80 * 86_400) && source.followed)
            // The next day nothing has come, and then one.
            let count = fixture.requests.count
            await service.handler.updates?.request()
            let end = MonotonicTime.now + .seconds(120)
            while fixture.requests.count == count, .now < end { await Task.yield() }
            #expect(fixture.requests.dropFirst(count).map(\.path) == ["/town/state.txt"])
            server.set { $0.last = 121 }
            await service.handler.updates?.request()
            try await Self.has(121, service)
            #expect(try await Self.names(service) == ["First", "Bar 121"])
        }
    }

    @Test(
        "stays as it is while a diff can't be had or read, says so, and goes on when it can",
        arguments: [
            HTTPResponse(404, text: "no"), HTTPResponse(500, text: "no"), HTTPResponse(200, text: "<html>Hello</html>"),
            HTTPResponse(200, body: .bytes([0x1f, 0x8b, 8, 0, 1, 2])), HTTPResponse(200, body: .bytes([])),
        ])
    func broken(answer: HTTPResponse) async throws {
        let server = DiffServer()
        server.set { state in
            state.last = 42
            state.broken = (42, answer)
        }
        try await Self.follow(server) { service, fixture in
            let updates = try #require(service.handler.updates)
            let end = MonotonicTime.now + .seconds(120)
            while updates.warning == nil, .now < end { await Task.yield() }
            #expect(updates.warning?.begins(with: "dataset test can't be brought up to date: ") == true)
            #expect(try await Self.names(service) == ["First"])
            #expect(try await Self.source(service)?.sequenceNumber == 40)
            server.set { $0.broken = nil }
            await updates.request()
            try await Self.has(42, service)
            #expect(try await Self.names(service) == ["First", "Bar 42"])
        }
    }

    @Test("is followed only where the operator allows it, and a file that does not say what it has says so")
    func allowed() async throws {
        try await TestService.run(diffs: DiffServers(["https://a.example"])) { service in
            func refusal(_ address: String) async throws -> RPCError {
                try await service.refusal {
                    try await $0.beginImport(
                        BeginImportRequest(
                            dataset: "test", fileName: "a.osm.pbf", byteCount: 1, follow: true, updatesUrl: address),
                        TestService.soon)
                }
            }
            for address in [
                "https://b.example/x", "https://a.example.b.example/", "https://a.example@b.example/",
                "ftp://a.example", "https://a.example/x?y", "https://a.example:81/",
            ] {
                let message = try await refusal(address).message
                #expect(message.contains("a folder at https://a.example is"))
            }
        }
        #expect(DiffServers(["https://a.example"]).folder("http://A.example/x/")?.address == "https://a.example/x")
        let error = try await TestService.run { service in
            try await service.refusal {
                try await $0.beginImport(
                    BeginImportRequest(dataset: "test", fileName: "a.osm.pbf", byteCount: 1, follow: true),
                    TestService.soon)
            }
        }
        #expect(error.message.contains("--diff-servers"))
    }

    @Test("changes by hand are refused, as they would come twice")
    func byHand() async throws {
        try await Self.follow(DiffServer()) { service, _ in
            let error = try await service.refusal { _ in
                try await service.load(DiffServer.diff(41), name: "41.osc")
            }
            #expect(
                error.code == .failedPrecondition && error.message.contains("import its file again without --follow"))
            #expect(try await Self.names(service) == ["First"])
        }
    }

    @Test("is not followed by the diffs of another folder that count otherwise")
    func otherFolder() async throws {
        let server = DiffServer()
        server.set { $0.last = 42 }
        try await HTTPFixture.with {
            server.answer($0)
        } _: { _, url in
            try await TestService.run(diffs: DiffServers([url])) { service in
                let other = Self.file("https://a.example/day", timestamp: 1_777_593_600 - 86_400)
                try await Self.load(other, from: "\(url)/town", into: service)
                let updates = try #require(service.handler.updates)
                let end = MonotonicTime.now + .seconds(120)
                while updates.warning == nil, .now < end { await Task.yield() }
                #expect(updates.warning?.contains("its diffs are others than those of") == true)
                #expect(try await Self.names(service) == ["First"])
                // The same day under the same number: they are the same diffs.
                try await Self.load(Self.file("https://a.example/day"), from: "\(url)/town", into: service)
                try await Self.has(42, service)
            }
        }
    }

    @Test(
        "is followed whichever replica has imported it, and is the same at each",
        .enabled(if: S3Server.isInstalled, "\(S3Server.hint)"))
    func replicas() async throws {
        let (server, name) = (DiffServer(), "places-\(UInt64.random(in: 0 ... .max))")
        server.set { $0.last = 43 }
        try await HTTPFixture.with {
            server.answer($0)
        } _: { fixture, url in
            let diffs = DiffServers([url])
            try await TestService.run(sharing: Sharing(name: name, replica: "one"), diffs: diffs) { first in
                try await TestService.run(sharing: Sharing(name: name, replica: "two"), diffs: diffs) { second in
                    try await Self.load(Self.file("\(url)/town"), into: first)
                    for service in [first, second] {
                        try await Self.has(43, service)
                        #expect(try await Self.names(service) == ["First", "Bar 43"])
                    }
                    let fetched = fixture.requests.map(\.path).filter { $0.ends(with: ".osc.gz") }
                    #expect(fetched.count == 3)
                }
            }
        }
    }

    @Test("state files are read as they are written, and nothing else is one")
    func states() {
        let text = "#x\r\ntxnMax=1\r\nsequenceNumber=7\r\ntimestamp=2026-05-01T00\\:00\\:00Z\r\n"
        #expect(DiffFolder.State(Array(text.utf8)) == DiffFolder.State(sequence: 7, time: 1_777_593_600_000))
        for text in ["", "sequenceNumber=7", "sequenceNumber=-7\ntimestamp=2026-05-01T00:00:00Z", "<html>", "=\n="] {
            #expect(DiffFolder.State(Array(text.utf8)) == nil)
        }
        let folder = DiffFolder(address: "https://a.example", isPublic: true)
        #expect(folder.diff(4_321).url == "https://a.example/000/004/321.osc.gz")
        #expect(folder.state(after: 999_999_999).url == "https://a.example/999/999/999.state.txt")
    }
}
