import EventLoops
package import Storage
import Synchronization

/// Blobs of which each is stored elsewhere too, before the row that names it is.
package final class ShippedBlobs: Blobs {
    private let blobs: any Blobs
    private let waiting = Mutex<[BlobName]>([])

    package init(_ blobs: any Blobs) { self.blobs = blobs }

    package func put(_ blob: any ReadableBlob) async throws(BlobError) {
        try await blobs.put(blob)
        waiting.withLock { $0.append(blob.name) }
    }

    package func open(
        _ name: BlobName, count: Int?, behind head: [UInt8], limit: Int
    ) async throws(BlobError) -> OpenedBlob {
        try await blobs.open(name, count: count, behind: head, limit: limit)
    }

    package func contains(_ name: BlobName) async throws(BlobError) -> Bool { try await blobs.contains(name) }

    package func remove(_ name: BlobName, ifStoredBefore limit: Int64) async throws(BlobError) -> Bool {
        try await blobs.remove(name, ifStoredBefore: limit)
    }

    package func list(_ page: String?) async throws(BlobError) -> BlobPage { try await blobs.list(page) }

    package func removeUnfinished(before limit: Int64) async throws(BlobError) -> Int {
        try await blobs.removeUnfinished(before: limit)
    }

    /// Names of those that are not stored elsewhere.
    func takeWaiting() -> [BlobName] {
        waiting.withLock { names in
            defer { names = [] }
            return names
        }
    }

    func giveBack(_ names: [BlobName]) { waiting.withLock { $0 = names + $0 } }
}

/// Stores pictures in the place of a log.
struct ShippingPictures: Sendable {
    /// Of one picture.
    static let longest = 1 << 30
    private static let maximumInFlight = 4

    let blobs: ShippedBlobs
    let vault: BackupVault

    /// Stores those that wait.
    func ship() async throws {
        let names = blobs.takeWaiting()
        do {
            try await store(names)
        } catch {
            blobs.giveBack(names)
            throw error
        }
    }

    /// Stores all that are not there: what came before there was a log, and what waited when the process ended.
    func catchUp() async throws {
        let there = Set(try await vault.store.pictures.list("pictures").map(\.name))
        var page: String?
        repeat {
            let list = try await blobs.list(page)
            try await store(list.blobs.map(\.name).filter { !there.contains(vault.objectName(of: $0)) })
            page = list.next
        } while page != nil
    }

    /// Removes those that have not been here for so long that no moment which is kept has them.
    /// - Parameters:
    ///   - absent: since when each of them is not here, as far as it was seen; in milliseconds since 1970.
    ///   - time: the earliest moment that is kept.
    func sweep(_ absent: inout [String: Int64], before time: Int64, now: Int64) async throws {
        var here: Set<String> = []
        var page: String?
        repeat {
            let list = try await blobs.list(page)
            for blob in list.blobs { here.insert(vault.objectName(of: blob.name)) }
            page = list.next
        } while page != nil
        let gone = Set(try await vault.store.pictures.list("pictures").map(\.name)).subtracting(here)
        absent = absent.filter { gone.contains($0.key) }
        for name in gone {
            guard absent[name, default: now] < time else {
                absent[name] = absent[name] ?? now
                continue
            }
            try await vault.store.pictures.remove(name)
            absent[name] = nil
        }
    }

    private func store(_ names: [BlobName]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, name) in names.enumerated() {
                if index >= Self.maximumInFlight { try await group.next() }
                group.addTask { try await store(name) }
            }
            try await group.waitForAll()
        }
    }

    private func store(_ name: BlobName) async throws {
        let bytes: [UInt8]
        do {
            bytes = try await BackupVault.read(blobs, name, limit: Self.longest)
        } catch let error as BlobError where error.isLoss {
            // It was removed meanwhile, or is damaged here: a backup says so.
            return
        }
        let object = vault.objectName(of: name)
        try await vault.store.pictures.put(
            object, try await vault.blocking.run { vault.wrap(name.bytes + bytes, as: object) })
    }
}
