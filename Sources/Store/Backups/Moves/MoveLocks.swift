internal import EventLoops
internal import Files
import Glibc
internal import Storage
import Synchronization

/// Keeps services from starting on either side while data is moved, and other moves away.
final class MoveLocks: Sendable {
    private let locks: [FileLock]
    private let holds: Mutex<[PostgresHold]>

    /// Blocks.
    init(from source: MoveHome, to target: MoveHome, passwordFile: String?) throws {
        var locks: [FileLock] = []
        var holds: [PostgresHold] = []
        for (home, isSource) in [(source, true), (target, false)] {
            switch home {
            case .folder(let folder): locks += try Self.lock(folder, isSource: isSource)
            case .database(let address):
                holds.append(
                    try PostgresHold(
                        address, passwordFile: passwordFile, schemas: MovedService.allCases.map(\.rawValue),
                        isSource: isSource))
            }
        }
        self.locks = locks
        self.holds = Mutex(holds)
        try requireNoService()
    }

    /// That no service runs on the source. One that was killed says for some seconds still that it does. Blocks.
    func requireNoService() throws {
        let running = try holds.withLock { holds in try holds.flatMap { try $0.running() } }
        guard running.isEmpty else {
            throw BackupError(
                "services run on the database: \(running.joined(separator: ", ")); stop them, and wait 20 s if they were"
                    + " killed")
        }
    }

    private static func isReadOnly(_ folder: String) -> Bool { unsafe access(folder, W_OK) != 0 && errno == EROFS }

    private static func lock(_ folder: String, isSource: Bool) throws -> [FileLock] {
        if isSource, !DiskFile.isFolder(folder) { throw BackupError.noData(in: folder) }
        var locks: [FileLock] = []
        for path in [folder] + MovedService.allCases.map({ "\(folder)/\($0.rawValue)" }) {
            if isSource, !DiskFile.isFolder(path) {
                throw BackupError("\(path) is not there: it has no data of Waymark")
            }
            try DiskFile.makeFolder(path)
            // Where nothing can be written, no service has a lock either: the folders in it may be mounted.
            if isSource, isReadOnly(path) { continue }
            guard let lock = try FileLock("\(path)/lock") else {
                throw BackupError("\(path) is in use: stop waymark up, or the services, and what else moves its data")
            }
            locks.append(lock)
        }
        return locks
    }
}
