import FoundationEssentials

/// The one line that a service prints when it answers calls.
struct ReadyLine: Decodable, Equatable, Sendable {
    let event: String
    let address: String
    /// Where it speaks HTTP.
    let http: String?
    /// Where it has /livez, /readyz and /metrics.
    let admin: String?

    /// Nil when the line is something else.
    init?(_ line: some Sequence<UInt8>) {
        guard let decoded = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
        guard decoded.event == "ready" else { return nil }
        self = decoded
    }
}
