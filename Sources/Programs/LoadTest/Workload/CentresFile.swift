import Bytes
package import GatewayContracts
import EventLoops
import Files
import Terminal

/// A file with centres: a line each with degrees north and east, separated by a comma, a tab or spaces. Empty lines
/// and those that begin with # are passed over, and so is a first line without numbers.
package enum CentresFile {
    private static let maximumBytes: UInt64 = 64 << 20

    /// All of them, at least one. Blocks.
    package static func read(_ path: String) throws -> [Coordinate] {
        let file = try OpenFile(reading: path)
        guard let size = try file.size(), size <= maximumBytes else {
            throw CommandFailure("\(path) is no ordinary file of at most \(Quantity.bytes(maximumBytes))")
        }
        let text = String(decoding: try file.read(at: 0, limit: Int(size)), as: UTF8.self)
        return try centres(text, path)
    }

    static func centres(_ text: String, _ path: String) throws -> [Coordinate] {
        var centres: [Coordinate] = []
        for (index, line) in text.split(at: "\n", omittingEmptySubsequences: false).enumerated() {
            let fields = line.split(atScalars: { $0 == "," || $0.isWhitespace })
            if fields.isEmpty || line.begins(with: "#") { continue }
            if let centre = centre(fields) {
                centres.append(centre)
            } else if index > 0 {
                throw CommandFailure(
                    "\(path), line \(index + 1) is no centre: degrees north and east are needed, as in 60.17, 24.94")
            }
        }
        guard !centres.isEmpty else { throw CommandFailure("\(path) contains no centre") }
        return centres
    }

    private static func centre(_ fields: [Substring]) -> Coordinate? {
        guard fields.count >= 2, let latitude = Double(fields[0]), let longitude = Double(fields[1]) else { return nil }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
