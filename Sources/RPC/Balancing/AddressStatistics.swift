package import EventLoops

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
