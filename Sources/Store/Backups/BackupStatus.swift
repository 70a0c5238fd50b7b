internal import EventLoops
internal import Files
internal import FoundationEssentials

/// How the backups of a data folder stand: a file in it, for those who look after it.
package struct BackupStatus: Codable, Equatable, Sendable {
    /// Where they are.
    package var place: String
    /// Seconds since 1970: when the last one was made, and when one was last proven to be whole; nil for never.
    package var made: Int64?
    package var proven: Int64?
    /// How many were made since then.
    package var unproven = 0
    /// Why the last try failed, and when; nil when it did not.
    package var failure: String?
    package var failed: Int64?

    package init(place: String) { self.place = place }

    /// Notes that one was made. What was proven is known from its place, whichever machine proved it.
    package mutating func note(_ backup: StoredBackup, in all: [StoredBackup], proofs: [BackupProof]) {
        (made, failure, failed) = (backup.backup.made, nil, nil)
        unproven += 1
        let own = all.filter { $0.backup.source.utf8.elementsEqual(backup.backup.source.utf8) }
        for proof in proofs where own.contains(where: { proof.isOf($0) }) {
            if proof.isGood { proven = max(proven ?? .min, proof.at) }
        }
    }

    package mutating func fail(_ reason: String, at time: Int64) { (failure, failed) = (reason, time) }

    /// What is to be said of it: the first that holds.
    package enum Finding: Sendable {
        case none, failed, old, unproven, proofOld, good
    }

    /// Older ones miss more than a person wants to lose; in seconds.
    package static let oldAge: Int64 = 8 * 86_400
    /// The same of proofs.
    package static let oldProofAge: Int64 = 60 * 86_400

    /// - Parameter now: seconds since 1970.
    package func finding(now: Int64) -> Finding {
        // A first try that failed leaves none.
        guard let made else { return failure == nil ? .none : .failed }
        if failure != nil { return .failed }
        if now - Self.oldAge > made { return .old }
        guard let proven else { return .unproven }
        return now - Self.oldProofAge > proven ? .proofOld : .good
    }

    private static func path(in folder: String) -> String { "\(folder)/backup/status.json" }
    private static let gatewayFile = "backup.json"
    private static let longest = 64 << 10

    /// Nil when no backup of the folder was tried yet. Blocks.
    package static func read(of folder: String) throws -> BackupStatus? { try read(file: path(in: folder)) }

    /// The same, by the gateway, which sees only the folder of its own. Blocks.
    package static func read(forGateway folder: String) throws -> BackupStatus? {
        try read(file: "\(folder)/\(gatewayFile)")
    }

    private static func read(file: String) throws -> BackupStatus? {
        guard try DiskFile.exists(file) else { return nil }
        return try JSONDecoder().decode(BackupStatus.self, from: Data(try SmallFile.read(file, limit: longest)))
    }

    /// Blocks.
    package func write(to folder: String) throws {
        try DiskFile.makeFolder("\(folder)/backup")
        let bytes = Array(try JSONEncoder().encode(self))
        try DiskFile.replace(Self.path(in: folder), with: bytes)
        let gateway = "\(folder)/gateway"
        if DiskFile.isFolder(gateway) { try DiskFile.replace("\(gateway)/\(Self.gatewayFile)", with: bytes) }
        let owner = FolderOwner(of: folder)
        owner?.give("\(folder)/backup")
        owner?.give("\(gateway)/\(Self.gatewayFile)")
    }
}
