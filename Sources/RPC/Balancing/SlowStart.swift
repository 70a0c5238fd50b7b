package import EventLoops

/// How much of its share an address gets while it warms up.
///
/// The weight grows in proportion to time, from a tenth to the whole, as Envoy's does with aggression 1
/// (https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/load_balancing/slow_start).
package struct SlowStart: Sendable {
    private var start: MonotonicTime?
    private let window: Duration

    private static let least = 0.1

    /// Warm until `begin`.
    package init(window: Duration) { self.window = window }

    package mutating func begin(at now: MonotonicTime) { start = window > .zero ? now : nil }

    /// 0.1 to 1.
    package func weight(at now: MonotonicTime) -> Double {
        guard let start, now < end else { return 1 }
        return max(Self.least, now.since(start) / window)
    }

    /// When the weight reaches 1; a time long past when it has.
    package var end: MonotonicTime { start.map { $0 + window } ?? MonotonicTime(nanoseconds: 0) }
}
