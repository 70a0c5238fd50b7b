import PlaceContracts
import EventLoops
import Files
import Geo
import Glibc
import RPC
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P13 The catalog")
struct CatalogTests {
    private static let table = "id,name,lat,lon\n1,a,1,2\n"
    private static let near = NearbyRequest(centre: BaseContracts.Coordinate(latitude: 1, longitude: 2), limit: 200)

    private func names(_ service: TestService) async throws -> [String] {
        try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon).datasets.map(\.name)
    }

    @Test(
        "does not start as an empty one when its folder can't be read, and says which",
        .enabled(if: geteuid() == 0, "needs root, for a folder of another user's"))
    func unreadable() throws {
        let folder = TemporaryFolder()
        let root = folder.file("data")
        _ = try Catalog(root: root)
        chmod(folder.path, 0o755)
        let names = ["datasets", "uploads"]
        for path in [root] + (try DiskFile.names(in: root)).map({ "\(root)/\($0)" }) {
            if !names.contains(where: path.hasSuffix) { Unprivileged.own(path) }
            chmod(path, 0o777)
        }
        for name in names {
            // To be entered and written to, but not to be read.
            chmod("\(root)/\(name)", 0o733)
            defer { chmod("\(root)/\(name)", 0o777) }
            let error = #expect(throws: PlacesError.self) { try Unprivileged.run { _ = try Catalog(root: root) } }
            #expect(error.map { "\($0)" }?.contains("\(root)/\(name)") == true, "\(String(describing: error))")
        }
        _ = try Unprivileged.run { try Catalog(root: root) }
    }

    @Test("lists its datasets by name, page by page, with what is known of them")
    func list() async throws {
        try await TestService.run { service in
            for name in ["c", "a", "b-2", "b_1"] { try await service.load(Self.table, into: name, name: "x.csv") }
            var found: [String] = []
            var request = ListDatasetsRequest(pageSize: 3)
            repeat {
                let page = try await service.client.listDatasets(request, TestService.soon)
                found.append(contentsOf: page.datasets.map(\.name))
                request.pageToken = page.nextPageToken
            } while !request.pageToken.isEmpty
            #expect(found == ["a", "b-2", "b_1", "c"])
            let begin = BeginImportRequest(
                dataset: "a", fileName: "x.csv", byteCount: UInt64(Self.table.utf8.count), title: "A title",
                attribution: "somebody", licence: "CC0")
            let id = try await service.client.beginImport(begin, TestService.soon).uploadId
            _ = try await service.client.writeImport(
                WriteImportRequest(uploadId: id, data: Array(Self.table.utf8)), TestService.soon)
            let dataset = try #require(try await service.runImport(id).summary?.dataset)
            #expect(dataset.title == "A title" && dataset.attribution == "somebody" && dataset.licence == "CC0")
            #expect(!dataset.bundled && dataset.byteCount > 0 && (dataset.importTime?.seconds ?? 0) > 1_700_000_000)
            let list = try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon).datasets
            #expect(list.first == dataset && list.last?.title == "c")
        }
    }

    @Test("is the same after a restart")
    func restart() async throws {
        let folder = TemporaryFolder()
        let before = try await TestService.run(in: folder) { service async throws in
            try await service.load(Self.table, into: "a", name: "x.csv")
            try await service.load(Self.table, into: "b", name: "x.csv")
            try await service.load(Self.table + "2,b,1,2\n", into: "b", name: "x.csv")
            return try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon)
        }
        try await TestService.run(in: folder) { service async throws in
            #expect(try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon) == before)
            #expect(
                try await service.nearby(Self.near).places.map(\.id) == ["catalog/a/1", "catalog/b/1", "catalog/b/2"])
        }
    }

    @Test("belongs to one process")
    func lock() throws {
        let folder = TemporaryFolder()
        let first = try Catalog(root: folder.path)
        #expect(throws: PlacesError.self) { try Catalog(root: folder.path) }
        withExtendedLifetime(first) {}
    }

    @Test("forgets a deleted dataset for good, and takes a new one of its name")
    func delete() async throws {
        let folder = TemporaryFolder()
        try await TestService.run(in: folder) { service async throws in
            for name in ["a", "b"] { try await service.load(Self.table, into: name, name: "x.csv") }
            let answer = try await service.client.deleteDataset(DeleteDatasetRequest(name: "a"), TestService.soon)
            #expect(answer.placeCount == 1)
            #expect(try await service.nearby(Self.near).places.map(\.id) == ["catalog/b/1"])
            #expect(DatasetFiles.names(in: folder.path + "/data/datasets/a").isEmpty)
        }
        try await TestService.run(in: folder) { service async throws in
            #expect(try await names(service) == ["b"])
            #expect(try DiskFile.names(in: folder.path + "/data/datasets") == ["b"])
            try await service.load(Self.table, into: "a", name: "x.csv")
            #expect(try await names(service) == ["a", "b"])
        }
    }

    @Test(
        "leaves out a damaged dataset, says so, and serves the others", .enabled(if: PostgresServer.isOfFiles),
        arguments: ["head", "empty", "missing", "manifest", "format"])
    func damage(kind: String) async throws {
        let folder = TemporaryFolder()
        try await TestService.run(in: folder) { service async throws in
            for name in ["bad", "good"] { try await service.load(Self.table, into: name, name: "x.csv") }
        }
        let snapshot = folder.path + "/data/datasets/bad/1.snapshot"
        let manifest = folder.path + "/data/datasets/bad/dataset.json"
        switch kind {
        case "head":
            var content = try WholeFile.bytes(snapshot)
            content[content.count / 8] ^= 0xff
            content[9] ^= 0xff
            try WholeFile.write(content, to: snapshot)
        case "empty": try WholeFile.write([], to: snapshot)
        case "missing": unlink(snapshot)
        case "manifest": try WholeFile.write(Array("{".utf8), to: manifest)
        default:
            let text = try WholeFile.text(manifest)
            try WholeFile.write(Array(text.replacing("\"format\" : 1", with: "\"format\" : 2").utf8), to: manifest)
        }
        try await TestService.run(in: folder) { service async throws in
            #expect(service.handler.catalog.damaged.map(\.name.description) == ["bad"])
            #expect(try await names(service) == ["good"])
            #expect(try await service.nearby(Self.near).places.map(\.id) == ["catalog/good/1"])
            if kind == "missing" {
                _ = try await service.client.deleteDataset(DeleteDatasetRequest(name: "bad"), TestService.soon)
            } else {
                try await service.load(Self.table, into: "bad", name: "x.csv")
            }
        }
        try await TestService.run(in: folder) { service async throws in
            #expect(service.handler.catalog.damaged.isEmpty)
            #expect(try await names(service) == (kind == "missing" ? ["good"] : ["bad", "good"]))
        }
    }

    @Test("finds damage anywhere in a snapshot, and no damage ends the service")
    func damagedBytes() async throws {
        let folder = TemporaryFolder()
        let rows = (0..<500).map { "\($0),place \($0),1.00\($0),2\n" }.joined()
        try await TestService.run(in: folder) { service async throws in
            try await service.load("id,name,lat,lon\n" + rows, into: "bad", name: "x.csv")
            try await service.load(Self.table, into: "good", name: "x.csv")
        }
        let path = folder.path + "/data/datasets/bad/1.snapshot"
        let whole = try WholeFile.bytes(path)
        var numbers = SeededGenerator(seed: 3)
        for _ in 0..<40 {
            var content = whole
            for _ in 0..<20 {
                content[Int.random(in: 64..<content.count, using: &numbers)] ^= UInt8.random(
                    in: 1...255, using: &numbers)
            }
            try WholeFile.write(content, to: path)
            try await TestService.run(in: folder) { service async throws in
                let wide = NearbyRequest(
                    centre: Self.near.centre, radiusM: 100_000, limit: 200, nameText: "place", includeCount: true)
                do {
                    _ = try await service.nearby(wide)
                } catch {
                    #expect([.dataLoss, .internalError].contains((error as? RPCError)?.code), "\(error)")
                }
                _ = service.handler.catalog.verify()
                #expect(try await names(service).contains("good"))
                let good = NearbyRequest(centre: Self.near.centre, limit: 1, datasets: ["good"])
                #expect(try await service.nearby(good).places.count == 1)
            }
        }
    }

    @Test("drops at start what a killed import left behind")
    func leftovers() async throws {
        let folder = TemporaryFolder()
        try await TestService.run(in: folder) { service async throws in
            try await service.load(Self.table, into: "a", name: "x.csv")
        }
        let data = folder.path + "/data"
        mkdir(data + "/datasets/new", 0o700)
        mkdir(data + "/datasets/Not A Dataset", 0o700)
        for path in [
            "datasets/a/2.snapshot", "datasets/a/3.snapshot.partial", "datasets/new/1.snapshot.partial", "uploads/0123",
        ] {
            try WholeFile.write([1, 2, 3], to: "\(data)/\(path)")
        }
        try await TestService.run(in: folder) { service async throws in
            #expect(try await names(service) == ["a"])
            // The words of its names come when there is time for them.
            let kept = DatasetFiles.names(in: data + "/datasets/a")
            #expect(kept == ["1.snapshot", "dataset.json"])
            #expect(try DiskFile.names(in: data + "/datasets") == ["Not A Dataset", "a"])
            #expect(try DiskFile.names(in: data + "/uploads").isEmpty)
        }
    }

    @Test("answers searches from the old or from the new places during a swap, never from both")
    func swap() async throws {
        func table(_ edition: Int) -> String {
            "id,name,lat,lon\n" + (0..<150).map { "\($0),e\(edition),1,2\n" }.joined()
        }
        try await TestService.run { service in
            try await service.load(table(0), name: "x.csv")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var newest = ""
                        while newest != "e12" {
                            let places = try await service.nearby(Self.near).places
                            #expect(places.count == 150)
                            #expect(Set(places.map(\.name)).count == 1)
                            newest = places.first?.name ?? ""
                        }
                    }
                }
                for edition in 1...12 { try await service.load(table(edition), name: "x.csv") }
                try await group.waitForAll()
            }
        }
    }

    @Test("takes one import of a dataset at a time")
    func oneAtATime() async throws {
        try await TestService.run { service in
            // Long enough to be running still when two small calls have been refused.
            #if DEBUG
                let count = 80_000
            #else
                let count = 800_000
            #endif
            let long = "id,name,lat,lon\n" + (0..<count).map { "\($0),a,1,2\n" }.joined()
            let first = try await service.upload(Array(long.utf8), name: "x.csv")
            let second = try await service.upload(Array(Self.table.utf8), name: "x.csv")
            let stream = service.client.runImport(RunImportRequest(uploadId: first), TestService.soon)
                .makeAsyncIterator()
            _ = try await stream.next()
            let error = try await service.refusal { _ in try await service.runImport(second) }
            let twice = try await service.refusal { _ in try await service.runImport(first) }
            #expect(
                error.code == .failedPrecondition
                    && error.message == "an import of dataset test is running; wait for its end")
            #expect(twice.code == .failedPrecondition)
            var last: RunImportResponse?
            while let message = try await stream.next() { last = message }
            guard case .summary(let summary) = last?.event else { throw NotRefused() }
            #expect(summary.dataset?.placeCount == UInt64(count))
            // The refused import has kept its file.
            #expect(try await service.runImport(second).summary?.dataset?.placeCount == 1)
        }
    }

    @Test("keeps what it has when an import is cancelled")
    func cancelled() async throws {
        try await TestService.run { service in
            try await service.load(Self.table, name: "x.csv")
            let long = "id,name,lat,lon\n" + (0..<1_500_000).map { "\($0),a,1,2\n" }.joined()
            let id = try await service.upload(Array(long.utf8), name: "x.csv")
            let reader = Task {
                for try await _ in service.client.runImport(RunImportRequest(uploadId: id), TestService.soon) {}
            }
            while (try? DiskFile.names(in: service.folder.path + "/data/uploads"))?.count == 1,
                !service.handler.imports.isRunning
            {
                await Task.yield()
            }
            reader.cancel()
            _ = await reader.result
            while service.handler.imports.isRunning { await Task.yield() }
            #expect(try await service.nearby(Self.near).places.count == 1)
            #expect(
                DatasetFiles.names(in: service.folder.path + "/data/datasets/test") == ["1.snapshot", "dataset.json"])
        }
    }
}
