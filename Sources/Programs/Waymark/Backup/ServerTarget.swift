import Arguments
import Backups
import EventLoops
import Files
import FoundationEssentials
import Supervisor
import Terminal

/// The servers that a backup is brought back to: into a scratch folder, from which all is moved there.
struct ServerTarget: Sendable {
    /// The scratch folder, in which only the deployment's key and what is beside it is left in the end.
    let folder: String
    private let database: String
    private let servers: ServerFlags
    private let trial: DataTrial

    /// Nil where it is brought back into a data folder.
    init?(_ arguments: ParsedArguments) throws(UsageError) {
        servers = try ServerFlags(arguments)
        guard let database = arguments.text("database") else {
            guard servers.blobs == nil else { throw UsageError("--blobs needs --database: both or none are servers") }
            return nil
        }
        guard !MoveHome(database).isFolder else {
            throw UsageError("--database is not postgresql://USER@HOST:PORT/DATABASE; --data names a folder")
        }
        // Where pictures are not moved they stay in the data folder.
        if servers.blobs == nil {
            folder = try UpFolder(arguments).path
        } else {
            guard let scratch = arguments.text("scratch") else {
                throw UsageError("--scratch is missing: a folder with room for all of it on its way there")
            }
            folder = "\(scratch)/waymark-restored"
        }
        self.database = database
        trial = DataTrial(arguments)
    }

    /// Removes what one that was killed has left in the scratch folder.
    func clear() async throws {
        guard servers.blobs != nil else { return }
        try await blocking { [folder] in
            guard try DiskFile.exists(folder) else { return }
            try FileManager.default.removeItem(atPath: folder)
        }
    }

    /// Moves what was brought back, as this version has it: a backup may be of an older one.
    func take(_ session: Session) async throws -> MovedView {
        guard let faults = try await trial.open(folder, isWhole: false) else {
            throw CommandFailure("the services' programs are not here; --bin-dir DIR names the folder with them")
        }
        guard faults.isEmpty else { throw CommandFailure(faults.joined(separator: "; ")) }
        let move = ServerMove(from: MoveHome(folder), to: .database(database), servers: servers, trial)
        let moved = MovedView(try await move.run(session))
        guard servers.blobs != nil else { return moved }
        try await blocking { [folder] in
            for service in MovedService.allCases {
                try FileManager.default.removeItem(atPath: "\(folder)/\(service.rawValue)")
            }
        }
        return moved
    }

    /// Where the deployment's key is now, for who starts the services.
    var key: String { "\(folder)/key" }

    private func blocking(_ body: @escaping @Sendable () throws -> Void) async throws {
        let thread = BlockingPool(threadCount: 1, name: "scratch")
        defer { thread.close() }
        try await thread.run(body)
    }
}
