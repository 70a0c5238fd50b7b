import Bytes
import FeatureFiles
import HTTPClient

/// A folder with diffs, as Osmosis and all that follow it write them: a numbered file for each span of time, and one
/// that says which is the last. https://wiki.openstreetmap.org/wiki/Planet.osm/diffs
struct DiffFolder: Sendable, Equatable {
    /// How far it goes.
    struct State: Sendable, Equatable {
        let sequence: Int64
        /// Up to when it has all changes, in milliseconds since 1970.
        let time: Int64

        init(sequence: Int64, time: Int64) { (self.sequence, self.time) = (sequence, time) }

        /// Nil for what is no such file.
        init?(_ text: [UInt8]) {
            var values: [String: String] = [:]
            for line in text.split(separator: UInt8(ascii: "\n"), maxSplits: 100) {
                guard let end = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
                // A file of Java's properties, in which colons are escaped.
                let value = line[(end + 1)...].filter { $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\r") }
                values[String(decoding: line[..<end], as: UTF8.self)] = String(decoding: value, as: UTF8.self)
            }
            guard let sequence = values["sequenceNumber"].flatMap({ Int64($0) }),
                let time = values["timestamp"].flatMap(FileTime.milliseconds), DiffFolder.numbers.contains(sequence)
            else { return nil }
            (self.sequence, self.time) = (sequence, time)
        }
    }

    /// What three folders of three digits can hold.
    static let numbers: ClosedRange<Int64> = 0...999_999_999

    /// Without a slash at the end.
    let address: String
    /// Whether it is in the public internet: no redirect leads elsewhere.
    let isPublic: Bool

    var state: HTTPClientRequest { request("state.txt") }

    /// The state after a diff.
    func state(after sequence: Int64) -> HTTPClientRequest { request("\(path(sequence)).state.txt") }

    func diff(_ sequence: Int64) -> HTTPClientRequest { request("\(path(sequence)).osc.gz") }

    /// "004/321" below "000".
    private func path(_ sequence: Int64) -> String {
        let digits = String(min(max(0, sequence), Self.numbers.upperBound))
        let padded = Array(String(repeating: "0", count: 9 - digits.utf8.count).utf8) + Array(digits.utf8)
        return [0, 3, 6].map { String(decoding: padded[$0..<$0 + 3], as: UTF8.self) }.joined(separator: "/")
    }

    private func request(_ file: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: "\(address)/\(file)")
        request.connectTimeout = .seconds(10)
        request.isPublicOnly = isPublic
        request.redirects = isPublic ? 3 : 0
        return request
    }
}
