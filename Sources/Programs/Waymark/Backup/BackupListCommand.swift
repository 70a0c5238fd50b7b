import Arguments
import Backups
import Terminal

/// `waymark backup list`: the backups in a place.
struct BackupListCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["backup", "list"], summary: "list the backups in a place, and when each was proven",
        flags: BackupAccess.flags("from", "where they are"), examples: ["backup list --from /mnt/disk/waymark"])

    private let access: BackupAccess

    init(_ arguments: ParsedArguments) throws(UsageError) { access = try BackupAccess(arguments, "from") }

    private struct Answer: Encodable {
        let backups: [BackupView]
    }

    func run(_ session: Session) async throws -> ExitCode {
        let (all, proofs, unreadable) = try await access.with { vault, _ in
            (try await vault.all(), try await BackupProof.all(in: vault), try await vault.unreadable())
        }
        for problem in unreadable { session.console.remark(problem.printable) }
        func proof(_ backup: StoredBackup) -> BackupProof? { proofs.first { $0.isOf(backup) } }
        guard !session.wantsJSON else {
            let views = all.map { BackupView($0, proof: proof($0)) }
            session.console.print(try OneLineJSON.of(Answer(backups: views)))
            return .success
        }
        guard !all.isEmpty else {
            session.console.print("There is no backup at \(BackupStore.shown(access.place)).".printable)
            return .success
        }
        let sources = Set(all.map(\.backup.source)).count
        let table = Table(
            columns: [
                .init(title: "BACKUP", isRight: true), .init(title: "MADE (UTC)"), .init(title: "VERSION", rank: 1),
                .init(title: "FILES", isRight: true, rank: 2), .init(title: "SIZE", isRight: true),
                .init(title: "NEW", isRight: true), .init(title: "PROVEN (UTC)"), .init(title: "SOURCE", rank: 3),
            ],
            rows: all.map { stored in
                let (backup, proof) = (stored.backup, proof(stored))
                return [
                    "\(backup.number)", "\(BackupView.time(backup.made))", "\(backup.program)",
                    "\(Quantity.count(backup.fileCount))", "\(Quantity.bytes(UInt64(backup.byteCount)))",
                    "\(Quantity.bytes(UInt64(backup.sentByteCount)))",
                    "\(proof.map { $0.isGood ? BackupView.time($0.at) : "NOT whole" } ?? "not yet")",
                    sources > 1 ? "\(backup.source)" : "",
                ]
            })
        table.lines(on: session.console.output).forEach(session.console.print)
        return .success
    }
}
