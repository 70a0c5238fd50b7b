import AlbumArchive
import Arguments
import EventLoops
import Terminal

/// What the commands that read an archive have in common.
enum ArchiveReading {
    /// Looks into an archive on a thread that may block.
    static func check(_ path: String) async throws -> ArchiveCheck {
        let pool = BlockingPool(threadCount: 1)
        defer { pool.close() }
        return try await pool.run { ArchiveCheck(path) }
    }

    /// Each file with what is wrong with it.
    static func lines(_ check: ArchiveCheck) -> [String] {
        check.problems.map { "\($0.file): \($0.problem)".printable }
    }

    static func json(_ check: ArchiveCheck) throws -> String {
        struct Answer: Encodable {
            let file: String
            let photos: Int?
            let problems: [ArchiveCheck.Problem]
        }
        return try OneLineJSON.of(
            Answer(file: check.path, photos: check.manifest?.photos.count, problems: check.problems))
    }
}

extension Positional {
    static let archive = Positional(name: "FILE", summary: "an archive that album export wrote")
}
