import Backups
import Terminal
import Wire

/// A backup as programs and people read of it.
struct BackupView: Encodable {
    let id: String
    let number: Int
    let made: Int64
    let program: String
    let files: Int
    let bytes: Int
    let sentBytes: Int
    let rows: Int
    let hasKey: Bool
    let picturesAt: String?
    let source: String
    let removed: Int?
    let proven: Int64?
    let faults: [String]?
    let log: LogView?

    init(_ stored: StoredBackup, removed: Int? = nil, proof: BackupProof? = nil, log: LogView? = nil) {
        let backup = stored.backup
        id = stored.id
        number = backup.number
        made = backup.made
        program = backup.program
        files = backup.fileCount
        bytes = backup.byteCount
        sentBytes = backup.sentByteCount
        rows = backup.rowCount
        hasKey = backup.hasSecrets
        picturesAt = backup.picturesAt
        source = backup.source
        self.removed = removed
        proven = proof.flatMap { $0.isGood ? $0.at : nil }
        faults = proof?.faults
        self.log = log
    }

    static func line(_ progress: BackupRun.Progress) -> String {
        switch progress {
        case .copying(let done, let all): return "copying the databases  \(bar(done, all))"
        case .storing(let done, let all): return "storing  \(bar(done, all))"
        case .removing: return "removing what is not kept"
        }
    }

    static func line(_ progress: RestoreRun.Progress) -> String {
        switch progress {
        case .backup(let done, let all): return "bringing it back  \(bar(done, all))"
        case .log(let done, let all):
            return "reading what was written since  \(ProgressLine.bar(Double(done) / Double(max(1, all))))  \(done) of"
                + " \(all)"
        }
    }

    static func bar(_ done: Int, _ all: Int) -> String {
        let bar = ProgressLine.bar(Double(done) / Double(max(1, all)))
        return "\(bar)  \(Quantity.bytes(UInt64(done))) of \(Quantity.bytes(UInt64(all)))"
    }

    static func lines(_ turn: BackupJob.Turn, at place: String) -> [String] {
        let backup = turn.made.backup.backup
        var lines = [
            "Backup \(backup.number) is at \(BackupStore.shown(place)): \(Quantity.count(backup.fileCount, "file")) with"
                + " \(Quantity.bytes(UInt64(backup.byteCount))), of which \(Quantity.bytes(UInt64(backup.sentByteCount)))"
                + " were new."
        ]
        if turn.made.removed > 0 { lines.append("Removed: \(Quantity.count(turn.made.removed, "older backup")).") }
        if let problem = turn.made.problem { lines.append("Older backups could not be removed: \(problem)") }
        for path in turn.made.damaged.prefix(5) {
            lines.append("\(path) is damaged in the data folder: it has other bytes than its name says.")
        }
        if !backup.hasSecrets {
            lines.append(
                "It holds no key and no tokens, because it is not sealed: after a restore links that were shared open no"
                    + " more, and keys of networks have to be entered again. --passphrase-file seals it.")
        }
        if let place = backup.picturesAt { lines.append(Self.pictures(at: place)) }
        if let proof = turn.proof { lines += Self.lines(proof) }
        if let problem = turn.problem { lines.append("It could not be proven: \(problem)") }
        return lines
    }

    /// What a person has to know of one whose pictures are in a bucket.
    static func pictures(at place: String) -> String {
        "It holds no pictures and datasets: these are at \(place), which has to be kept by its own means."
    }

    static func lines(_ proof: BackupProof) -> [String] {
        guard !proof.isGood else {
            return [
                "Backup \(proof.backup) is whole: brought back, it had all \(Quantity.count(proof.fileCount, "file")) with"
                    + " \(Quantity.bytes(UInt64(proof.byteCount))) and \(Quantity.count(proof.rowCount, "row")), "
                    + (proof.isOpened
                        ? "and its services opened it." : "but its services are not here to open it (--bin-dir).")
            ]
        }
        return ["Backup \(proof.backup) is NOT whole:"] + proof.faults.map { "  \($0)" }
    }

    /// "2026-11-29 22:40:00"
    static func time(_ seconds: Int64) -> String { TimestampMessage(unixSeconds: seconds).text }
}
