import Synchronization

/// All metrics of a process. Whoever counts something adds a way to read it; nothing is done until somebody asks.
package final class MetricRegistry: Sendable {
    package typealias Reader = @Sendable () async -> [MetricFamily]

    private let readers = Mutex<[Reader]>([])

    package init() {}

    /// Adds metrics, for as long as the process runs. Readers may give samples of the same metric: of one client each,
    /// for one.
    package func add(_ reader: @escaping Reader) { readers.withLock { $0.append(reader) } }

    /// Everything, as Prometheus reads it.
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
