import Arguments
import Glibc

/// One query of the places bench.
struct Query: Sendable {
    let latitude: Double
    let longitude: Double
    let radiusMetres: Double
    let limit: UInt32
}

/// Reads the tab-separated files that Benchmarks/peers/data makes; both have a header line.
enum BenchFile {
    /// Columns id, lat, lon, radius_m, limit.
    static func queries(_ path: String) throws(UsageError) -> [Query] {
        try rows(path).map { (columns) throws(UsageError) in
            guard columns.count >= 5, let latitude = Double(columns[1]), let longitude = Double(columns[2]),
                let radius = Double(columns[3]), let limit = UInt32(columns[4])
            else { throw UsageError("\(path) holds a line that is no query") }
            return Query(latitude: latitude, longitude: longitude, radiusMetres: radius, limit: limit)
        }
    }

    /// The columns of each line behind the header.
    static func rows(_ path: String) throws(UsageError) -> [[Substring]] {
        guard let text = TextFile.read(path) else { throw UsageError("\(path) can't be read") }
        let lines = text.split(separator: "\n").dropFirst()
        return lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    }
}

enum TextFile {
    /// The content of a file; nil when it can't be read.
    static func read(_ path: String) -> String? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}
