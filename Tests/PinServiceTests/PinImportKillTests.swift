import PinContracts
import Glibc
import RPC
import TestSupport
import TestTools
import Testing

@Suite("P52 An import of pins whose service is killed with -9", .timeLimit(.minutes(5)))
struct PinImportKillTests {
    private static let count = 20_000
    private static var options: CallOptions { ServiceProcess.options(of: "ann") }
    private static let file = Array(
        ("<gpx>" + (0..<count).map { "<wpt lat=\"\(Double($0) / 1000)\" lon=\"1\"><name>\($0)</name></wpt>" }.joined()
            + "</gpx>").utf8)

    @Test("goes on when it is asked for again, and doubles nothing; or is taken back as a whole")
    func killed() async throws {
        let nowhere = try ClosedPort()
        try await TemporaryFolder.with { folder in
            let place = try PostgresServer.place(of: "\(folder)/one/pins.db")
            func start() async throws -> ServiceProcess { try await Self.start(folder, "one", place, nowhere) }
            let first = try await Self.importedInPart(try await start())
            let second = try await start()
            try await TestClient.with(second.endpoint) { client in
                let files = PinFileServiceClient(client)
                let ended = try await Self.run(first, files)
                #expect(ended?.addedCount == UInt64(Self.count) && ended?.knownCount == 0)
                let count = try await Self.count(files)
                #expect(count == UInt64(Self.count))
                _ = try await files.undoPinImport(UndoPinImportRequest(id: first), Self.options)
            }
            #expect(try await second.end(by: SIGKILL).code == 128 + SIGKILL)
            let other = try await Self.importedInPart(try await start())
            let last = try await start()
            try await TestClient.with(last.endpoint) { client in
                let files = PinFileServiceClient(client)
                let undone = try await files.undoPinImport(UndoPinImportRequest(id: other), Self.options).import
                #expect(undone?.state == .undone)
                let count = try await Self.count(files)
                #expect(count == 0)
            }
            #expect(try await last.end(by: SIGTERM).code == 0)
        }
    }

    @Test("goes on at the other replica; where both run it at once nothing is doubled")
    func replicas() async throws {
        let nowhere = try ClosedPort()
        try await TemporaryFolder.with { folder in
            let place = try PostgresServer.sharedPlace(of: "\(folder)/pins.db")
            let one = try await Self.start(folder, "one", place, nowhere)
            let two = try await Self.start(folder, "two", place, nowhere)
            let killed = try await Self.importedInPart(one)
            let again = try await Self.start(folder, "one", place, nowhere)
            try await TestClient.with(two.endpoint) { second in
                try await TestClient.with(again.endpoint) { first in
                    let clients = [PinFileServiceClient(first), PinFileServiceClient(second)]
                    async let here = Self.runToEnd(killed, clients[0])
                    async let there = Self.runToEnd(killed, clients[1])
                    let ends = [try await here, try await there]
                    #expect(ends.allSatisfy { $0.addedCount == UInt64(Self.count) && $0.knownCount == 0 })
                    for files in clients {
                        let count = try await Self.count(files)
                        #expect(count == UInt64(Self.count))
                    }
                }
            }
            for service in [again, two] { #expect(try await service.end(by: SIGTERM).code == 0) }
        }
    }

    /// Asks again when the other replica has stored some in between.
    private static func runToEnd(_ id: String, _ files: PinFileServiceClient) async throws -> PinImport {
        while true {
            do {
                if let end = try await run(id, files) { return end }
            } catch let error as RPCError where error.code == .aborted {}
        }
    }

    private static func start(
        _ folder: String, _ name: String, _ place: (address: String, schema: String), _ nowhere: borrowing ClosedPort
    ) async throws -> ServiceProcess {
        try await ServiceProcess.start(
            "pin-service", folder: folder,
            [
                "--data", "\(folder)/\(name)", "--database", place.address, "--database-schema", place.schema,
                "--replica", name, "--loops", "1", "--log-level", "error", "--places", "\(nowhere.endpoint)",
                "--photos", "\(nowhere.endpoint)",
            ])
    }

    /// Begins an import, and kills the service when some of the pins are stored; gives the import's id.
    private static func importedInPart(_ service: ServiceProcess) async throws -> String {
        let id = try await TestClient.with(service.endpoint) { client in
            let files = PinFileServiceClient(client)
            let start = StartPinImportRequest(fileName: "a.gpx", byteCount: UInt64(file.count))
            let id = try #require(try await files.startPinImport(start, options).import?.id)
            for offset in stride(from: 0, to: file.count, by: 1 << 20) {
                let data = Array(file[offset..<min(file.count, offset + 1 << 20)])
                let part = AddPinImportPartRequest(id: id, offset: UInt64(offset), data: data)
                _ = try await files.addPinImportPart(part, options)
            }
            let running = Task { try await run(id, files) }
            var stored: UInt64 = 0
            while stored == 0 {
                let imports = try await files.listPinImports(ListPinImportsRequest(), options).imports
                stored = imports.first { $0.id == id }?.addedCount ?? 0
            }
            #expect(try await service.end(by: SIGKILL).code == 128 + SIGKILL)
            _ = try? await running.value
            return id
        }
        return id
    }

    private static func run(_ id: String, _ files: PinFileServiceClient) async throws -> PinImport? {
        var end: PinImport?
        for try await event in files.runPinImport(RunPinImportRequest(id: id), options) {
            if case .import(let ended) = event.event { end = ended }
        }
        return end
    }

    private static func count(_ files: PinFileServiceClient) async throws -> UInt64 {
        var count: UInt64 = 0
        for try await part in files.exportPins(ExportPinsRequest(), options) { count = part.pinCount }
        return count
    }
}
