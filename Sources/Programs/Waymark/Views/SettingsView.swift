import Arguments
import Contracts
import Terminal

/// The settings of an account, as people read them.
enum SettingsView {
    static let units = Words<Units>([
        (.local, "local", "as is usual where you are"), (.metric, "metric", "metric"),
        (.imperial, "imperial", "imperial"),
    ])
    static let starts = Words<StartView>([
        (.last, "last", "where the map was left"), (.pins, "pins", "all your pins"), (.here, "here", "where you are"),
    ])

    static func lines(_ settings: Settings?) -> [String] {
        guard let settings else { return [] }
        return [
            "Networks    \(networks(settings))",
            "Units       \(units.text(of: settings.units))",
            "Language    \(settings.language.isEmpty ? "the reader's" : settings.language)",
            "Start       \(starts.text(of: settings.startView))",
        ].map(\.printable)
    }

    private static func networks(_ settings: Settings) -> String {
        if settings.allNetworks { return "all that this server can ask" }
        if settings.needsNetworks { return "none yet; `waymark settings set --enable all` enables all" }
        return settings.networks.joined(separator: ", ")
    }

    /// The words for the values of an enumeration.
    struct Words<Value: Equatable & Sendable>: Sendable {
        private let rows: [(value: Value, word: String, text: String)]

        init(_ rows: [(Value, String, String)]) { self.rows = rows }

        func text(of value: Value) -> String { rows.first { $0.value == value }?.text ?? "unknown" }

        /// The value that a word names; nil without one.
        func value(of word: String?, _ flag: String) throws(UsageError) -> Value? {
            guard let word else { return nil }
            if let row = rows.first(where: { $0.word == word }) { return row.value }
            throw UsageError("--\(flag) is \(word); it may be \(rows.map(\.word).joined(separator: ", "))")
        }
    }
}
