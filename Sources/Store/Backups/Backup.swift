package import Storage

/// What is said of a backup: a small file for each, beside the packs that all of them share.
package struct Backup: Codable, Sendable {
    static let form = 1

    /// The form of the files.
    let waymarkBackup: Int
    /// Greater than that of all before it, whatever clocks say.
    package let number: Int
    /// Of the data folder: rules of what is kept count the backups of each by themselves.
    package let source: String
    /// Seconds since 1970.
    package let made: Int64
    /// The version of the program that made it.
    package let program: String
    package let fileCount: Int
    /// Bytes of all files.
    package let byteCount: Int
    /// Bytes that were stored for it, beyond what earlier ones had.
    package let sentByteCount: Int
    /// Whether it holds the deployment's key and tokens.
    package let hasSecrets: Bool
    /// What was in each database.
    package let databases: [String: SQLiteFacts]
    /// The bucket with the pictures and datasets, which are not in it then; nil where they are.
    package private(set) var picturesAt: String?
    /// Whether it says what can be: others may have written to its place.
    var isSound: Bool {
        func isCount(_ number: Int) -> Bool { (0...(1 << 50)).contains(number) }
        return picturesAt.map(NotedBlobs.isSound) ?? true && (1...(1 << 50)).contains(number) && isCount(fileCount)
            && isCount(byteCount) && isCount(sentByteCount)
            && (-(1 << 40)...(1 << 40)).contains(made) && databases.count <= 100
            && databases.allSatisfy { path, facts in
                DataFiles.isInside(path) && DataFiles.isDatabase(path) && facts.rows.count <= 10_000
                    && facts.rows.values.allSatisfy { (0...(1 << 45)).contains($0) }
            }
    }

    /// Rows of all databases.
    package var rowCount: Int { databases.values.reduce(0) { $0 + $1.rows.values.reduce(0, +) } }

    /// The name of its listing among the packs.
    let listing: String
}

/// A backup and the name of its file.
package struct StoredBackup: Sendable {
    package let name: BlobName
    package let backup: Backup

    /// How a person names it: the first digits.
    package var id: String { String(name.text.prefix(8)) }
}
