import PlaceContracts
import EventLoops
import Files
import RPC
import Synchronization
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P13 Uploads")
struct UploadTests {
    private static let table = "id,name,lat,lon\n1,a,1,2\n"

    private func begin(_ service: TestService, _ bytes: Int, _ change: (inout BeginImportRequest) -> Void = { _ in })
        async throws
        -> String
    {
        var request = BeginImportRequest(dataset: "test", fileName: "a.csv", byteCount: UInt64(bytes))
        change(&request)
        return try await service.client.beginImport(request, TestService.soon).uploadId
    }

    private func write(_ service: TestService, _ id: String, _ offset: Int, _ text: String) async throws -> UInt64 {
        let request = WriteImportRequest(uploadId: id, offset: UInt64(offset), data: Array(text.utf8))
        return try await service.client.writeImport(request, TestService.soon).storedByteCount
    }

    @Test("take a chunk again, in any size, and give the file as it was sent")
    func resend() async throws {
        let bytes = Array(Self.table.utf8)
        try await TestService.run { service in
            let id = try await begin(service, bytes.count)
            #expect(try await write(service, id, 0, "id,name,") == 8)
            #expect(try await write(service, id, 0, "id,name,") == 8)
            #expect(try await write(service, id, 3, "name,lat,lon\n") == 16)
            #expect(try await write(service, id, 0, "id") == 16)
            #expect(try await write(service, id, 16, "1,a,1,2\n") == UInt64(bytes.count))
            #expect(try await service.runImport(id).summary?.dataset?.placeCount == 1)
        }
    }

    @Test("refuse what does not fit, and an import before the end")
    func refusals() async throws {
        try await TestService.run { service in
            let id = try await begin(service, 10)
            let early = try await service.refusal { _ in try await service.runImport(id) }
            #expect(early.code == .failedPrecondition)
            #expect(early.message == "only 0 of 10 bytes are stored; send the rest before the import is run")
            let gap = try await service.refusal { _ in try await write(service, id, 1, "x") }
            #expect(gap.code == .invalidArgument && gap.message.hasPrefix("offset: 1 is not allowed; 0 to 0"))
            let long = try await service.refusal { _ in try await write(service, id, 0, "12345678901") }
            #expect(long.code == .invalidArgument && long.message.hasPrefix("data: the chunk ends behind the 10 bytes"))
            let far = try await service.refusal { client in
                try await client.writeImport(
                    WriteImportRequest(uploadId: id, offset: .max, data: [1]), TestService.soon)
            }
            #expect(far.code == .invalidArgument && far.message.hasPrefix("offset:"))
            for (count, words) in [(0, "it is missing"), ((1 << 20) + 1, "1048577 bytes are not allowed")] {
                let data = [UInt8](repeating: 0, count: count)
                let error = try await service.refusal { client in
                    try await client.writeImport(WriteImportRequest(uploadId: id, data: data), TestService.soon)
                }
                #expect(error.code == .invalidArgument && error.message.hasPrefix("data: \(words)"))
            }
            for id in ["", "../../etc/passwd", String(repeating: "f", count: 100_000)] {
                let error = try await service.refusal { _ in try await write(service, id, 0, "x") }
                #expect(error.code == .notFound && error.message.utf8.count < 300)
                let run = try await service.refusal { _ in try await service.runImport(id) }
                #expect(run.code == .notFound)
            }
        }
    }

    /// What is wrong with a beginning, and the field that the answer must name.
    private static let wrongs: [(field: String, change: @Sendable (inout BeginImportRequest) -> Void)] = [
        ("dataset", { $0.dataset = "" }), ("dataset", { $0.dataset = "A b" }), ("dataset", { $0.dataset = ".." }),
        ("dataset", { $0.dataset = String(repeating: "a", count: 64) }), ("file_name", { $0.fileName = "a.osm" }),
        ("file_name", { $0.fileName = String(repeating: "a", count: 256) + ".csv" }),
        ("byte_count", { $0.byteCount = 0 }), ("byte_count", { $0.byteCount = (64 << 20) + 1 }),
        ("byte_count", { $0.byteCount = .max }),
        ("format", { $0.format = ImportFormat(rawValue: 10) }),
        ("title", { $0.title = String(repeating: "t", count: 1001) }),
        ("attribution", { $0.attribution = String(repeating: "t", count: 1001) }),
        ("licence", { $0.licence = String(repeating: "t", count: 1001) }),
        ("columns.name", { $0.columns = ColumnMap(name: String(repeating: "n", count: 256)) }),
        (
            "columns.latitude",
            {
                $0.format = .geojson
                $0.columns = ColumnMap(latitude: "y")
            }
        ),
    ]

    @Test("are not begun with anything out of range", arguments: wrongs.indices)
    func beginnings(index: Int) async throws {
        let wrong = Self.wrongs[index]
        try await TestService.run { service in
            let error = try await service.refusal { _ in try await begin(service, 5, wrong.change) }
            #expect(error.code == .invalidArgument)
            #expect(error.message.hasPrefix(wrong.field + ":"), "\(error)")
            #expect(try DiskFile.names(in: service.folder.path + "/data/uploads").isEmpty)
        }
    }

    @Test("have a limit of their number")
    func number() async throws {
        try await TestService.run { service in
            for _ in 0..<Uploads.maximumOpen { _ = try await begin(service, 5) }
            let error = try await service.refusal { _ in try await begin(service, 5) }
            #expect(error.code == .resourceExhausted)
            #expect(try await service.uploadCount() == Uploads.maximumOpen)
        }
    }

    @Test("E10 that nobody goes on with make room for others when all are taken")
    func eviction() throws {
        let folder = TemporaryFolder()
        let seconds = Atomic<UInt64>(1000)
        let uploads = Uploads(folder: folder.path, maximumBytes: 100) {
            MonotonicTime(nanoseconds: seconds.load(ordering: .relaxed) * 1_000_000_000)
        }
        let dataset = try #require(DatasetName("a"))
        let plan = ImportPlan(
            dataset: dataset, byteCount: 5, format: .csv, columns: ColumnNames(),
            facts: DatasetFacts(title: "", attribution: "", licence: ""))
        let first = try uploads.begin(plan)
        for _ in 1..<Uploads.maximumOpen { _ = try uploads.begin(plan) }
        #expect(throws: PlacesError.self) { try uploads.begin(plan) }
        seconds.add(31, ordering: .relaxed)
        _ = try uploads.write([1, 2], to: first, at: 0)
        _ = try uploads.begin(plan)
        #expect(try uploads.upload(first).storedBytes == 2, "the one that goes on stays")
        #expect(TemporaryFolder.names(in: folder.path).count == Uploads.maximumOpen)
    }

    @Test("that nobody goes on with are gone after an hour, and not before")
    func idle() throws {
        let folder = TemporaryFolder()
        let seconds = Atomic<UInt64>(1000)
        let uploads = Uploads(folder: folder.path, maximumBytes: 100) {
            MonotonicTime(nanoseconds: seconds.load(ordering: .relaxed) * 1_000_000_000)
        }
        let dataset = try #require(DatasetName("a"))
        let plan = ImportPlan(
            dataset: dataset, byteCount: 2, format: .csv, columns: ColumnNames(),
            facts: DatasetFacts(title: "", attribution: "", licence: ""))
        let first = try uploads.begin(plan)
        let second = try uploads.begin(plan)
        seconds.store(1000 + 3599, ordering: .relaxed)
        #expect(uploads.endIdle() == 0)
        #expect(try uploads.write([1], to: second, at: 0) == 1)
        seconds.store(1000 + 3600, ordering: .relaxed)
        #expect(uploads.endIdle() == 1)
        #expect(throws: PlacesError.noUpload(first)) { try uploads.upload(first) }
        #expect(try DiskFile.names(in: folder.path) == [second])
    }
}
