import Arguments
import Budgets

/// How much memory clients may make a service hold.
enum MemorySetting {
    private static let automatic = "auto"

    static func budget(_ options: Options) throws(OptionError) -> MemoryBudget {
        guard options["--memory"] != automatic else { return MemoryBudget(bytes: MemoryLimit.ofProcess().budget) }
        guard let text = options["--memory"], let number = Int(text), (8...1_000_000).contains(number) else {
            throw OptionError("--memory is \(options["--memory"] ?? ""), auto or MiB from 8 to 1000000 are needed")
        }
        return MemoryBudget(bytes: number << 20)
    }
}

extension MemoryBudget {
    /// For `/metrics`.
    var families: [MetricFamily] {
        let usage = usage
        return [
            MetricFamily(
                "waymark_memory_limit_bytes", .gauge, "Memory that the process may use on behalf of clients.",
                .number(Double(usage.limit))),
            MetricFamily(
                "waymark_memory_held_bytes", .gauge, "Memory that the process uses on behalf of clients, by purpose.",
                usage.kinds.map { MetricSample(["kind": "\($0.kind)"], .number(Double($0.bytes))) }),
            MetricFamily(
                "waymark_memory_held_most_bytes", .gauge, "The same in all, at the most since the start.",
                .number(Double(usage.most))),
            MetricFamily(
                "waymark_memory_refused_total", .counter, "How often clients were refused memory.",
                .count(UInt64(usage.refused))),
            MetricFamily(
                "waymark_memory_clients", .gauge, "Clients on whose behalf the process uses memory.",
                .number(Double(usage.clients))),
        ]
    }
}
