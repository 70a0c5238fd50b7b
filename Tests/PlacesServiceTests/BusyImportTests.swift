import PlaceContracts
import EventLoops
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P13 Imports while much goes on")
struct BusyImportTests {
    private static let table = Array("id,name,lat,lon\n1,a,1,2\n".utf8)

    /// Does something on the import's thread when it has read the file and is about to write the dataset.
    private struct BeforeWriting: ImportObserver {
        let act: @Sendable () -> Void

        var isStopped: Bool { false }
        func progress(_ progress: ImportState) { if progress.phase == .writing { act() } }
        func badRow(_ line: UInt64, _ reason: String) {}
    }

    private func job(_ dataset: String, _ service: TestService) throws -> ImportJob {
        let path = service.folder.file("\(dataset).csv")
        try WholeFile.write(Self.table, to: path)
        return ImportJob(
            dataset: try #require(DatasetName(dataset)), path: path, format: .csv,
            facts: DatasetFacts(title: "", attribution: "", licence: ""))
    }

    @Test("succeed when the dataset that they replace is deleted meanwhile")
    func deletion() async throws {
        try await TestService.run { service in
            try await service.load(Self.table, name: "a.csv")
            let job = try job("test", service)
            let catalog = service.handler.catalog
            let deleted = Mutex(0)
            let observer = BeforeWriting { deleted.withLock { $0 = (try? catalog.delete(job.dataset)) ?? 0 } }
            _ = try await service.handler.imports.run(job, observer)
            #expect(deleted.withLock { $0 } == 1)
            let near = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2))
            #expect(try await service.nearby(near).places.map(\.name) == ["a"])
        }
    }

    @Test("are taken later, without the file being sent again, when too many wait")
    func tooMany() async throws {
        try await TestService.run { service in
            let uploads = try await concurrently(0..<17) { number in
                try await service.upload(Self.table, into: "d\(number)", name: "a.csv")
            }
            let (isHeld, mayEnd) = (Flag(), ConditionMutex(false))
            let job = try job("held", service)
            let observer = BeforeWriting {
                isHeld.set()
                mayEnd.wait(until: { $0 }) { _ in }
            }
            async let held = service.handler.imports.run(job, observer)
            func end() {
                mayEnd.withLock { isOpen, wake in
                    isOpen = true
                    wake.all()
                }
            }
            defer { end() }
            try #require(await eventually { isHeld.isSet })
            // Sixteen may wait behind it, eight of them one client's.
            let refused = try await withThrowingTaskGroup(of: (upload: String, error: RPCError?).self) { group in
                for upload in uploads {
                    group.addTask {
                        (upload, try? await service.refusal { _ in try await service.runImport(upload) })
                    }
                }
                var refused: [String] = []
                for _ in 0..<9 {
                    let first = try #require(try await group.next())
                    #expect(first.error?.code == .resourceExhausted, "\(String(describing: first.error))")
                    refused.append(first.upload)
                }
                end()
                for try await other in group { #expect(other.error == nil) }
                return refused
            }
            for upload in refused {
                #expect(try await service.runImport(upload).summary?.dataset?.placeCount == 1)
            }
            _ = try await held
        }
    }
}
