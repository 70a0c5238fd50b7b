import Files

/// What a person keeps to open sealed backups.
package enum Passphrase {
    private static let longest = 4_096
    private static let shortest = 8

    /// The first line of a file. Blocks.
    package static func read(_ file: String) throws -> [UInt8] {
        let bytes = try SmallFile.read(file, limit: longest)
        let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        guard line.count >= shortest else {
            throw BackupError(
                "the first line of \(file) has \(line.count) bytes; a passphrase needs \(shortest) at least")
        }
        return line
    }
}
