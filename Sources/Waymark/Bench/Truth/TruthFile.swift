import Files
import FoundationEssentials
import Terminal

/// A file with one truth a line.
enum TruthFile {
    private static let limitBytes: UInt64 = 256 << 20

    /// All lines with their numbers from 1; empty ones are passed over. Blocks.
    static func read(_ path: String) throws -> [(number: Int, line: TruthLine)] {
        let bytes = try contents(path)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return try lines.enumerated().filter { !$0.element.isEmpty }.map { index, bytes in
            do {
                return (index + 1, try JSONDecoder().decode(TruthLine.self, from: Data(bytes)))
            } catch {
                throw CommandFailure(
                    "\(path), line \(index + 1) is no truth: lat, lon, radius_m, count and nearest are needed")
            }
        }
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        let file = try File(reading: path)
        guard let size = try file.size(), size <= limitBytes else {
            throw CommandFailure("\(path) is no ordinary file of at most \(Quantity.bytes(limitBytes))")
        }
        return try file.read(at: 0, limit: Int(size))
    }
}
