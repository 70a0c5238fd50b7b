/// Why a backup can't be made, proven or brought back, and what to do about it.
package struct BackupError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    static func noData(in folder: String) -> BackupError {
        BackupError(
            "\(folder) has no data of Waymark; --data names the folder that has. Records in PostgreSQL are backed up by its"
                + " own tools, such as pgBackRest")
    }
}
