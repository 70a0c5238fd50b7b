package import EventLoops
import Glibc

/// What a client knows of one address that it calls.
package struct AddressStatistics: Sendable {
    package let address: SocketAddress
    /// Calls and streams that were sent there, retries included, except those that were certainly not started.
    package var calls: UInt64 = 0
    /// Calls that ended as UNAVAILABLE, RESOURCE_EXHAUSTED or DEADLINE_EXCEEDED.
    package var failures: UInt64 = 0
    /// Calls that were sent there as retries, after a failure.
    package var retries: UInt64 = 0
    /// How often it was ejected for its failures.
    package var ejections: UInt64 = 0
    /// Calls that are waiting for their answer.
    package var outstanding = 0
    package var streams = 0
    package var connections = 0
    /// How many loops have it ejected now.
    package var ejected = 0
    /// How long it takes to answer a call, in nanoseconds: the mean of the loops that know; nil when none does.
    package var latencyNanoseconds: Double? { latencies > 0 ? latencySum / Double(latencies) : nil }
    private var latencySum = 0.0
    private var latencies = 0

    init(_ address: SocketAddress) { self.address = address }

    mutating func addLatency(_ nanoseconds: Double) {
        latencySum += nanoseconds
        latencies += 1
    }

    /// Adds what another loop or client knows of the same address.
    package mutating func add(_ other: AddressStatistics) {
        calls += other.calls
        failures += other.failures
        retries += other.retries
        ejections += other.ejections
        outstanding += other.outstanding
        streams += other.streams
        connections += other.connections
        ejected += other.ejected
        latencySum += other.latencySum
        latencies += other.latencies
    }
}

/// How long an address takes to answer: a moving average that decays with time, not with the number of calls.
///
/// After a time Δt without a sample the old average weighs e^(-Δt/τ) and the new sample the rest; the value read decays
/// in the same way, so that an address that is not called because it was slow is tried again. This is the average of
/// Finagle's Peak EWMA (https://github.com/twitter/finagle, finagle-core, loadbalancer/PeakEwma.scala) without its
/// jump to each peak: the methods of a service differ a thousandfold in how long they take, so that a peak says more
/// about the method than about the address. Until one τ of samples has come it is their plain mean, so that it does
/// not depend on the first sample alone.
package struct LatencyAverage: Sendable {
    private var nanoseconds = 0.0
    private var lastSample: MonotonicTime?
    private var samples = 0.0

    /// τ, in nanoseconds.
    private static let timeConstant = 1e9

    /// In nanoseconds: more frequent samples would cost more than they are worth.
    private static let shortestInterval: UInt64 = 500_000

    package init() {}

    /// One call took so many nanoseconds. Only the first sample of each half millisecond counts.
    package mutating func add(_ sample: UInt64, at now: MonotonicTime) {
        if let lastSample, now.nanoseconds(since: lastSample) < Self.shortestInterval { return }
        let kept = lastSample.map { Self.fading(now.nanoseconds(since: $0)) } ?? 0
        samples += 1
        nanoseconds += (Double(sample) - nanoseconds) * max(1 - kept, 1 / samples)
        lastSample = now
    }

    /// Nanoseconds; nil before the first sample.
    package func estimate(at now: MonotonicTime) -> Double? {
        guard let lastSample else { return nil }
        guard now > lastSample else { return nanoseconds }
        return nanoseconds * Self.fading(now.nanoseconds(since: lastSample))
    }

    private static func fading(_ nanoseconds: UInt64) -> Double { exp(-Double(nanoseconds) / timeConstant) }
}
