import Daemon
import EventLoops
import Geo
import Storage
import TestSupport

@testable import PhotoService

extension RunningPhotoService {
    /// Records of the folder's photos, each at a latitude on the meridian of 25 degrees, as a scan would make them.
    func addFolderPhotos(_ photos: [(name: String, latitude: Double)]) async throws {
        let records = try photos.map { try StoredPhoto.ofFolder($0.name, $0.latitude) }
        try await store.write { transaction throws(SQLError) in
            for record in records { try transaction.putPhoto(record) }
        }
    }

    /// As many photos, eleven metres apart, to the north of 60 degrees: "001.jpg" is the nearest.
    func addFolderPhotos(_ count: Int) async throws {
        try await addFolderPhotos(
            (1...count).map { (name: "\($0 + 1_000).jpg".dropFirst().description, latitude: 60 + Double($0) / 10_000) })
    }

    /// Lets the jobs of these kinds run until none is left.
    func finish(_ kinds: [JobKind]) async throws {
        let runner = JobRunner(
            store.database, kinds, now: { store.clock.unixMilliseconds }, report: { _, _, _ in })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            group.addTask {
                for kind in kinds { try await store.waitForEnd(of: kind.name) }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Lets searches and collections end.
    func finishSearches() async throws {
        try await finish([SearchJob(store: store).kind, RelistJob(store: store).kind, CollectJob(store: store).kind])
    }

    /// Says of photos of the folder that their pictures are there, or can't be had.
    func settle(_ names: [String], _ state: PictureState) async throws {
        try await store.write { transaction throws(SQLError) in
            for name in names {
                let id = "folder/\(name)"
                try transaction.execute(
                    "UPDATE photos SET state = ?2, version = ?3 WHERE id = ?1", id, state.rawValue,
                    try transaction.nextVersion())
                try transaction.cancelJob("copy", id)
                for subject in try transaction.albums(with: id) { try transaction.recount(subject) }
            }
        }
    }
}

extension PhotoStore {
    func waitForEnd(of kind: String) async throws { try await wait(for: kind) { $0 == 0 } }

    /// Returns when the scan of the start is over, which may come behind one that a test asks for: the sweep is asked
    /// for after it.
    func waitForScans() async throws {
        try await wait(for: "sweep") { $0 > 0 }
        try await waitForEnd(of: "scan")
    }

    private func wait(for kind: String, _ isEnough: (Int) -> Bool) async throws {
        try await database.notices.watching(wholeStore) { bell in
            while true {
                let count = bell.count
                let left = try await read { transaction throws(SQLError) in try transaction.jobCount(kind) }
                if isEnough(left) { return }
                await bell.wait(after: count, timeout: .milliseconds(20))
            }
        }
    }
}

extension StoredPhoto {
    /// The record of a photo at a latitude on the meridian of 25 degrees.
    static func ofFolder(_ name: String, _ latitude: Double) throws -> StoredPhoto {
        try ofFolder(name, at: try Coordinate(latitude: latitude, longitude: 25))
    }

    /// The record of a photo taken somewhere.
    static func ofFolder(_ name: String, at position: Coordinate) throws -> StoredPhoto {
        guard let id = PhotoID("folder/\(name)") else { throw SQLError(.misuse, "\(name) is no name") }
        return StoredPhoto(
            id: id, title: "", position: position,
            credit: Credit(author: "A. Person", licence: "CC0", sourceURL: ""), originalURL: "", width: 4, height: 3,
            takenMilliseconds: nil)
    }
}

/// Names of photos of the folder, from "001.jpg" on.
func names(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "\($0 + 1_000).jpg".dropFirst().description } }

/// The same as ids.
func ids(_ numbers: some Sequence<Int>) -> [String] { names(numbers).map { "folder/\($0)" } }
