internal import Bytes
package import EventLoops
internal import Files
internal import Glibc
internal import HTTPClient
internal import ObjectStore
internal import Storage

/// The place of backups: a folder, or what is below a prefix of a bucket. What backups have in it is named by its
/// hash.
///
///     keys/      the key that they are sealed with, sealed by the passphrase
///     backups/   a file for each backup
///     packs/     the bytes of files, and the listings of backups
///     proofs/    what was seen when a backup was proven
///     log/       what was written to databases since, in the order of time; pictures/ what belongs to it
///     writers/   who stores the log of each database now
package struct BackupStore: Sendable {
    /// For messages.
    package let place: String
    let keys: any Blobs
    let backups: any Blobs
    let packs: any Blobs
    let proofs: any Blobs
    let objects: any NamedObjects
    /// The same place, for what is large.
    let pictures: any NamedObjects
    let blocking: BlockingPool
    private let folder: String?
    private let client: HTTPClient?

    /// A place as messages name it: without what follows the bucket and its prefix.
    package static func shown(_ place: String) -> String {
        isBucket(place) ? String(place.until("?")) : place
    }

    /// Whether a text names a bucket.
    package static func isBucket(_ place: String) -> Bool { place.begins(with: "s3://") }

    /// - Parameters:
    ///   - place: a folder, which is made unless `isThere`, or `s3://…`.
    ///   - credentials: the file with the bucket's key.
    ///   - isThere: whether there has to be one already.
    package static func open(
        _ place: String, credentials: String?, agent: String, environment: [String: String], isThere: Bool,
        _ blocking: BlockingPool
    ) async throws -> BackupStore {
        guard isBucket(place) else { return try await inFolder(place, isThere: isThere, blocking) }
        let address = try S3Address(place)
        let credentials = try await blocking.run { try S3Credentials(file: credentials, environment: environment) }
        let loop = try EventLoop(name: "backups")
        let client = HTTPClient(loop: loop, agent: agent)
        func blobs(_ name: String) -> S3Blobs {
            S3Blobs(address.below(name), credentials, client: client, blocking: blocking)
        }
        return BackupStore(
            place: shown(place), keys: blobs("keys"), backups: blobs("backups"),
            packs: blobs("packs"), proofs: blobs("proofs"), objects: S3Objects(address, credentials, client: client),
            pictures: S3Objects(address, credentials, client: client, settings: .large),
            blocking: blocking, folder: nil, client: client)
    }

    private static func inFolder(
        _ folder: String, isThere: Bool, _ blocking: BlockingPool
    ) async throws -> BackupStore {
        try await blocking.run {
            // A copy that was made of it may lack folders that are empty.
            let folders = ["backups", ShippedName.folder]
            if isThere, !folders.contains(where: { DiskFile.isFolder("\(folder)/\($0)") }) {
                throw BackupError("\(folder) has no backups of Waymark")
            }
            func blobs(_ name: String) throws(BlobError) -> DirectoryBlobs {
                try DirectoryBlobs(folder: "\(folder)/\(name)", blocking: blocking)
            }
            return BackupStore(
                place: folder, keys: try blobs("keys"), backups: try blobs("backups"), packs: try blobs("packs"),
                proofs: try blobs("proofs"), objects: FolderObjects(folder: folder, blocking: blocking),
                pictures: FolderObjects(folder: folder, blocking: blocking),
                blocking: blocking, folder: folder, client: nil)
        }
    }

    /// Keeps others from writing to a folder meanwhile: its files are named and removed by one process at a time.
    /// Nil for a bucket, which several may write to. Blocks.
    func lock() throws -> FileLock? {
        guard let folder else { return nil }
        guard let lock = try FileLock("\(folder)/lock") else {
            throw BackupError("another waymark backup writes to \(folder); try again when it has ended")
        }
        return lock
    }

    /// The same place with other objects.
    func with(objects: any NamedObjects, pictures: any NamedObjects) -> BackupStore {
        BackupStore(
            place: place, keys: keys, backups: backups, packs: packs, proofs: proofs, objects: objects,
            pictures: pictures, blocking: blocking, folder: folder, client: client)
    }

    /// Ends its connections.
    package func close() async {
        guard let client else { return }
        await client.close()
        let loop = client.loop
        try? await blocking.run { loop.shutDown() }
    }
}

/// A lock that ends with its process.
final class FileLock: Sendable {
    private let descriptor: Descriptor

    /// Nil when another process has it. Blocks no longer than opening a file does.
    init?(_ path: String) throws(SystemError) {
        descriptor = try Descriptor.appending(to: path)
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw SystemError(call: "flock", code: errno, subject: path) }
            return nil
        }
    }

    deinit { flock(descriptor.number, LOCK_UN) }
}
