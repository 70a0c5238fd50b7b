import PlaceContracts
import EventLoops
import Files
import Networks
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite(
    "P43 P55 Replicas of the places service", .enabled(if: S3Server.isInstalled, "\(S3Server.hint)"),
    .timeLimit(.minutes(5)))
struct PlacesReplicaTests {
    private static let table = "id,name,lat,lon\n1,a,1,2\n2,b,1.001,2\n"
    private static let near = NearbyRequest(centre: BaseContracts.Coordinate(latitude: 1, longitude: 2), limit: 1)

    /// Two replicas, each with a folder of its own.
    private func withTwo(_ body: (TestService, TestService) async throws -> Void) async throws {
        let name = "places-\(UInt64.random(in: 0 ... .max))"
        try await TestService.run(sharing: Sharing(name: name, replica: "one")) { first in
            try await TestService.run(sharing: Sharing(name: name, replica: "two")) { second in
                try await body(first, second)
            }
        }
    }

    /// Of a call by some account, as a named change needs it.
    private static func context(_ method: MethodDescriptor) -> CallContext {
        CallContext(method: method, identity: ProvenIdentity(account: "ann", roles: .ofAccounts, expiresUnixMs: .max))
    }

    private func datasets(_ service: TestService) async throws -> [PlaceContracts.Dataset] {
        try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon).datasets
    }

    /// Waits until a service has so many datasets.
    private func has(_ count: Int, _ service: TestService) async throws {
        let end = MonotonicTime.now + .seconds(120)
        while try await datasets(service).count != count {
            try #require(.now < end)
            await Task.yield()
        }
    }

    /// All pages around a point, as they come over the wire.
    private func pages(_ service: TestService, radius: Double = 1_000) async throws -> [[UInt8]] {
        var (pages, request): ([[UInt8]], NearbyRequest) = ([], Self.near)
        request.radiusM = radius
        repeat {
            let page = try await service.nearby(request)
            pages.append(page.packedBytes())
            request.pageToken = page.nextPageToken
        } while !request.pageToken.isEmpty
        return pages
    }

    @Test("find what another has imported, and give the same bytes, page by page")
    func imported() async throws {
        try await withTwo { first, second in
            try await first.load(Self.table, into: "a", name: "x.csv")
            try await second.load(Self.table, into: "b", name: "x.csv")
            try await first.load(Self.table + "3,c,1.002,2\n", into: "a", name: "x.csv")
            for service in [first, second] { try await has(2, service) }
            let end = MonotonicTime.now + .seconds(120)
            while try await pages(first) != pages(second), .now < end { await Task.yield() }
            let (here, there) = (try await pages(first), try await pages(second))
            #expect(here == there && here.count == 5)
            #expect(try await datasets(first) == datasets(second))
        }
    }

    @Test("take the chunks of one file, each another, and any imports the whole; its answer is the same at each")
    func chunks() async throws {
        try await withTwo { first, second in
            let rows = (0..<60_000).map { "\($0),place \($0),1.\($0 % 1_000),2\n" }.joined()
            let bytes = Array(("id,name,lat,lon\n" + rows).utf8)
            let begin = BeginImportRequest(
                dataset: "big", fileName: "x.csv", byteCount: UInt64(bytes.count), requestId: "once")
            let context = Self.context(PlacesServiceMethods.beginImport)
            let ids = [
                try await first.handler.beginImport(begin, context).uploadId,
                try await second.handler.beginImport(begin, context).uploadId,
            ]
            try #require(ids[0] == ids[1])
            let size = 300_000
            for (number, start) in stride(from: 0, to: bytes.count, by: size).enumerated() {
                let service = number % 2 == 0 ? first : second
                let chunk = Array(bytes[start..<min(start + size, bytes.count)])
                let request = WriteImportRequest(uploadId: ids[0], offset: UInt64(start), data: chunk)
                let answer = try await service.client.writeImport(request, TestService.soon)
                #expect(answer.storedByteCount == UInt64(start + chunk.count))
                // A repeated one changes nothing.
                _ = try await (number % 2 == 0 ? second : first).client.writeImport(request, TestService.soon)
            }
            let summary = try #require(try await second.runImport(ids[0]).summary)
            #expect(summary.rowCount == 60_000)
            let again = try await first.runImport(ids[0]).summary
            #expect(again == summary)
        }
    }

    @Test("delete a dataset once, with the same answer at each, and it stays away from both")
    func deleted() async throws {
        try await withTwo { first, second in
            try await first.load(Self.table, into: "a", name: "x.csv")
            try await has(1, second)
            let request = DeleteDatasetRequest(name: "a", requestId: "gone")
            let context = Self.context(PlacesServiceMethods.deleteDataset)
            let answers = [
                try await second.handler.deleteDataset(request, context),
                try await first.handler.deleteDataset(request, context),
            ]
            #expect(answers.map(\.placeCount) == [2, 2])
            for service in [first, second] { try await has(0, service) }
            let error = try await first.refusal {
                try await $0.deleteDataset(DeleteDatasetRequest(name: "a"), TestService.soon)
            }
            #expect(error.code == .notFound)
        }
    }

    @Test("start without their disk with all that there is, and fetch a copy that is damaged")
    func emptyDisk() async throws {
        let name = "places-\(UInt64.random(in: 0 ... .max))"
        let folder = TemporaryFolder()
        let before = try await TestService.run(in: folder, sharing: Sharing(name: name, replica: "one")) { service in
            try await service.load(Self.table, into: "a", name: "x.csv")
            return try await pages(service)
        }
        try await TestService.run(sharing: Sharing(name: name, replica: "one")) { service in
            let after = try await pages(service)
            #expect(after == before)
        }
        let snapshot = folder.path + "/data/datasets/a/1.snapshot"
        try WholeFile.write([1, 2, 3], to: snapshot)
        try await TestService.run(in: folder, sharing: Sharing(name: name, replica: "one")) { service in
            let after = try await pages(service)
            #expect(after == before)
        }
    }

    @Test("refuse a folder with datasets of its own, which would be lost, and say what to do")
    func ownDatasets() async throws {
        let folder = TemporaryFolder()
        try await TestService.run(in: folder) { try await $0.load(Self.table, into: "a", name: "x.csv") }
        guard PostgresServer.isOfFiles else { return }
        let sharing = Sharing(name: "places-\(UInt64.random(in: 0 ... .max))", replica: "one")
        let error = await #expect(throws: PlacesError.self) {
            try await TestService.run(in: folder, sharing: sharing) { _ in }
        }
        #expect(
            error?.description
                == "the data folder: it has datasets that were imported without --blobs; move them with waymark"
                + " migrate, or give an empty --data")
    }

    @Test("find what another has discovered")
    func discovered() async throws {
        try await withTwo { first, second in
            let place = try #require(FoundPlace(id: "node/1", name: "Kiosk", latitude: 1, longitude: 2))
            try await first.index.upsert([place], network: .openstreetmap, seen: 1)
            let end = MonotonicTime.now + .seconds(120)
            // An answer without places is not empty: it says why.
            while try await second.nearby(Self.near).places.isEmpty, .now < end { await Task.yield() }
            let (here, there) = (try await pages(first), try await pages(second))
            let late = here == there ? 0 : try await second.index.catchUp(.openstreetmap)
            #expect(here == there && here.count == 1, "reading again found \(late)")
            #expect(try await second.nearby(Self.near).places.map(\.name) == ["Kiosk"])
        }
    }

    @Test("search on while the store is away, and refuse an import with a time to try again")
    func storeAway() async throws {
        let server = try S3Server(.seaweedFS)
        let sharing = Sharing(name: "places-\(UInt64.random(in: 0 ... .max))", replica: "one", store: server)
        try await TestService.run(sharing: sharing) { service in
            try await service.load(Self.table, into: "a", name: "x.csv")
            let before = try await pages(service)
            try server.kill()
            let during = try await pages(service)
            #expect(during == before)
            let error = try await service.refusal { _ in try await service.load(Self.table, into: "b", name: "x.csv") }
            #expect(error.code == .unavailable)
            #expect(error.message == "the store with the datasets is away; try again in a few seconds")
            #expect(try await datasets(service).map(\.name) == ["a"])
            try server.start()
            var last: RPCError?
            repeat {
                last = try await errorOf { try await service.load(Self.table, into: "b", name: "x.csv") }
            } while last?.code == .unavailable
            #expect(last == nil)
            #expect(try await datasets(service).map(\.name) == ["a", "b"])
        }
    }
}
