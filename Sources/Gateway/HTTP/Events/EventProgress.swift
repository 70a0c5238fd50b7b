import Synchronization

/// The version up to which each watch of a stream has been sent.
final class EventProgress: Sendable {
    private let versions: Mutex<[UInt64]>

    /// - Parameter lastEventID: the id of an event of an earlier stream with the same watches; otherwise it restarts.
    init(_ lastEventID: String, count: Int) {
        let parts =
            lastEventID.utf8.count > 1000 ? [] : lastEventID.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.map { UInt64($0) }
        let known = numbers.compactMap(\.self)
        versions = Mutex(known.count == count && numbers.count == count ? known : [UInt64](repeating: 0, count: count))
    }

    subscript(watch: Int) -> UInt64 { versions.withLock { $0[watch] } }

    /// The id of an event that brings one watch up to `version`. The others count as far as they have been written: an
    /// event that is still being written is sent again rather than lost.
    func id(_ watch: Int, at version: UInt64) -> String {
        versions.withLock { versions in
            versions.indices.map { "\($0 == watch ? version : versions[$0])" }.joined(separator: ".")
        }
    }

    /// The event was written.
    func told(_ watch: Int, _ version: UInt64) { versions.withLock { $0[watch] = version } }
}
