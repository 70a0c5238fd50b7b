import Backups
import Terminal

/// What was seen of a log, as programs and people read of it.
struct LogView: Encodable {
    let objects: Int
    let bytes: Int
    /// All databases can be brought back as they were at any second of this: seconds since 1970.
    let from: Double?
    let to: Double?
    let faults: [String]
    let remarks: [String]

    init(_ proof: LogProof) {
        (objects, bytes) = (proof.objectCount, proof.byteCount)
        from = proof.span.map { Double($0.from) / 1_000 }
        to = proof.span.map { Double($0.to) / 1_000 }
        (faults, remarks) = (proof.faults, proof.remarks)
    }

    static func lines(_ proof: LogProof) -> [String] {
        func time(_ milliseconds: Int64) -> String { BackupView.time(milliseconds / 1_000) }
        let read =
            "\(Quantity.count(proof.objectCount, "object")) with \(Quantity.bytes(UInt64(proof.byteCount)))"
        let range = proof.span.map { "any second from \(time($0.from)) to \(time($0.to)) UTC" }
        var lines: [String] = []
        if proof.isGood {
            lines.append(
                "The log is whole: \(read) were read, and it brings back \(range ?? "nothing yet")"
                    + (proof.isOpened ? "; its services opened the last one." : "."))
        } else {
            lines.append("The log is NOT whole: \(read) were read.")
            lines += proof.faults.map { "  \($0)" }
            lines.append(range.map { "It still brings back \($0)." } ?? "It brings nothing back.")
            for (database, spans) in proof.spans.sorted(by: { $0.key < $1.key }) where spans.count > 1 {
                let ranges = spans.map { "\(time($0.from)) to \(time($0.to))" }
                lines.append("  \(database): \(ranges.joined(separator: ", "))")
            }
        }
        return lines + proof.remarks
    }
}
