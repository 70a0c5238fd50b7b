import PlaceContracts
import Daemon
import Files
import RPC
import Stores
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P36 A named change is made once, and whoever asks again is told the same")
struct RepeatedChangeTests {
    private static let table = "id,name,lat,lon\n1,a,1,2\n2,b,1,2\n"

    private static func context(_ method: MethodDescriptor, _ account: String = "anna") -> CallContext {
        CallContext(method: method, identity: ProvenIdentity(account: account, roles: .ofAccounts, expiresUnixMs: .max))
    }

    private static func begin(
        _ handler: PlacesHandler, _ id: String, dataset: String = "test", account: String = "anna"
    ) async throws -> String {
        let request = BeginImportRequest(
            dataset: dataset, fileName: "a.csv", byteCount: UInt64(table.utf8.count), requestId: id)
        return try await handler.beginImport(request, context(PlacesServiceMethods.beginImport, account)).uploadId
    }

    private static func delete(
        _ handler: PlacesHandler, _ id: String, dataset: String = "test"
    ) async throws -> UInt64 {
        let request = DeleteDatasetRequest(name: dataset, requestId: id)
        return try await handler.deleteDataset(request, context(PlacesServiceMethods.deleteDataset)).placeCount
    }

    @Test("opening an upload")
    func uploads() async throws {
        try await TestService.run { service in
            let first = try await Self.begin(service.handler, "one")
            #expect(try await Self.begin(service.handler, "one") == first)
            #expect(try await Self.begin(service.handler, "two") != first)
            #expect(try await Self.begin(service.handler, "one", account: "ben") != first)
            #expect(try await Self.begin(service.handler, "") != first)
            let error = try await errorOf { try await Self.begin(service.handler, "one", dataset: "other") }
            #expect(error?.code == .alreadyExists && error?.message == RPCError.usedRequestID.message)
            #expect(try await service.uploadCount() == 4)
        }
    }

    @Test("importing an uploaded file, also after a restart")
    func imports() async throws {
        let folder = TemporaryFolder()
        let (id, first) = try await TestService.run(in: folder) { service async throws in
            let id = try await service.upload(Array((Self.table + "3,bad,91,2\n").utf8), name: "a.csv")
            return (id, try await service.runImport(id).summary)
        }
        #expect(first?.badRowCount == 1 && first?.dataset?.placeCount == 2)
        try await TestService.run(in: folder) { service async throws in
            #expect(try await service.runImport(id).summary == first)
        }
    }

    @Test("deleting a dataset; another one of the same name stays")
    func deletions() async throws {
        let folder = TemporaryFolder()
        try await TestService.run(in: folder) { service async throws in
            try await service.load(Self.table, name: "a.csv")
            #expect(try await Self.delete(service.handler, "one") == 2)
        }
        try await TestService.run(in: folder) { service async throws in
            #expect(try await Self.delete(service.handler, "one") == 2)
            try await service.load(Self.table, name: "a.csv")
            #expect(try await Self.delete(service.handler, "one") == 2)
            #expect(service.handler.catalog.view.datasets.count == 1)
        }
    }

    @Test("deleting a dataset when the service died after writing it down")
    func died() async throws {
        let folder = TemporaryFolder()
        try await TestService.run(in: folder) { service async throws in
            try await service.load(Self.table, name: "a.csv")
            let request = DeleteDatasetRequest(name: "test", requestId: "one")
            let change = try Change(
                "one", request, Self.context(PlacesServiceMethods.deleteDataset), clock: .system)
            let dataset = try #require(service.handler.catalog.view.datasets.first)
            try CatalogFolder(folder.path + "/data").record(
                RecordedDeletion(dataset: dataset.name, facts: dataset.facts, placeCount: 2, change))
        }
        try await TestService.run(in: folder) { service async throws in
            #expect(try await Self.delete(service.handler, "one") == 2)
            #expect(service.handler.catalog.view.datasets.isEmpty)
        }
    }

    /// In a database its age decides by itself.
    @Test("what was written down is forgotten after a day", .enabled(if: PostgresServer.isOfFiles))
    func forgetting() async throws {
        let clock = ManualClock()
        try await TestService.run { service in
            var handler = service.handler
            handler.clock = clock.clock
            try await service.load(Self.table, name: "a.csv")
            _ = try await Self.delete(handler, "one")
            clock.move(by: Change.lifeMilliseconds)
            handler.catalog.removeDeletions(before: clock.now - Change.lifeMilliseconds)
            #expect(try await Self.delete(handler, "one") == 2)
            handler.catalog.removeDeletions(before: clock.now - Change.lifeMilliseconds + 1)
            await #expect(throws: PlacesError.noDataset(try #require(DatasetName("test")))) {
                try await Self.delete(handler, "one")
            }
        }
    }
}
