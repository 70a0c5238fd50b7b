import Synchronization

/// All metrics of a process. A part that counts something adds a reader for it; it runs only when metrics are
/// requested.
package final class MetricRegistry: Sendable {
    package typealias Reader = @Sendable () async -> [MetricFamily]

    private let readers = Mutex<[Reader]>([])
    private let warners = Mutex<[@Sendable () -> String?]>([])

    package init() {}

    /// Adds metrics, for as long as the process runs. Several readers may give samples of the same metric: one for each
    /// client, for example.
    package func add(_ reader: @escaping Reader) { readers.withLock { $0.append(reader) } }

    /// Adds what can be wrong while the process is ready still; nil when it is not.
    package func warn(_ reader: @escaping @Sendable () -> String?) { warners.withLock { $0.append(reader) } }

    /// What is wrong now, in sentences.
    package var warnings: [String] { warners.withLock { $0 }.compactMap { $0() } }

    /// All metrics in the format of Prometheus.
    package func text() async -> String {
        var families: [MetricFamily] = []
        var indices: [String: Int] = [:]
        for reader in readers.withLock({ $0 }) {
            for family in await reader() {
                if let index = indices[family.name] {
                    families[index].samples += family.samples
                } else {
                    indices[family.name] = families.count
                    families.append(family)
                }
            }
        }
        var text = MetricText()
        for family in families { text.append(family) }
        return text.text
    }
}
