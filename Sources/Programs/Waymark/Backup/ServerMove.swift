import Arguments
import Backups
import EventLoops
import Files
import Settings
import Supervisor
import Synchronization
import Terminal

/// A move between a data folder and servers, with the services' own programs and a line that shows how far it is.
struct ServerMove: Sendable {
    private let source: MoveHome
    private let target: MoveHome
    private let servers: ServerFlags
    private let trial: DataTrial

    init(from source: MoveHome, to target: MoveHome, servers: ServerFlags, _ trial: DataTrial) {
        (self.source, self.target, self.servers, self.trial) = (source, target, servers, trial)
    }

    func run(_ session: Session) async throws -> DataMove.Moved {
        let blocking = BlockingPool(threadCount: max(4, Processors.count), name: "migrate")
        defer { blocking.close() }
        let move = try DataMove(
            from: source, to: target, passwordFile: servers.passwordFile, blobs: servers.blobs,
            credentials: servers.credentials, environment: servers.environment, agent: "waymark/\(Release.version)",
            blocking)
        let line = Mutex(ProgressLine(session.console.messages))
        defer { line.withLock { $0.clear() } }
        return try await move.run { service, data, database, blobs in
            try await trial.move(service.rawValue, data, servers.arguments(database, blobs))
        } _: { progress in
            line.withLock { $0.show(Self.text(progress)) }
        }
    }

    private static func text(_ progress: DataMove.Progress) -> String {
        switch progress {
        case .rows(let done, let all):
            let bar = ProgressLine.bar(Double(done) / Double(max(1, all)))
            return "copying and comparing rows  \(bar)  \(Quantity.count(done)) of \(Quantity.count(all))"
        case .blobs(let done, let bytes):
            return "copying and comparing pictures  \(Quantity.count(done)), \(Quantity.bytes(UInt64(bytes)))"
        }
    }
}

/// What was moved, as `--json` has it.
struct MovedView: Encodable {
    let rows: [String: Int]
    let rowCount: Int
    let blobs: Int?
    let blobBytes: Int
    let picturesStayAt: String?

    init(_ moved: DataMove.Moved) {
        rows = moved.rows
        rowCount = moved.rows.values.reduce(0, +)
        blobs = moved.blobCount
        blobBytes = moved.blobBytes
        picturesStayAt = moved.staysAt
    }

    func lines(to target: MoveHome) -> [String] {
        let pictures = blobs.map {
            " and \(Quantity.count($0, "picture file")) with \(Quantity.bytes(UInt64(blobBytes)))"
        }
        let next =
            target.isFolder
            ? "Put the deployment's key there as key, and start waymark up on it."
            : "Start the services with --database\(blobs == nil && picturesStayAt == nil ? "" : ", --blobs") and the same"
                + " key as before."
        let stay = picturesStayAt.map { "Pictures and datasets stay at \($0)." }
        return [
            "Moved and compared: \(Quantity.count(rowCount, "row")) of \(Quantity.count(rows.count, "table"))"
                + "\(pictures ?? "")."
        ] + (stay.map { [$0] } ?? []) + [next]
    }
}
