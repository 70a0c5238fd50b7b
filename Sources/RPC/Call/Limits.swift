/// What one connection may cost.
package struct Limits: Sendable {
    /// Payload of one frame, in bytes.
    package var frameBytes = 4 << 20
    /// Calls that are open at once on a connection.
    package var callsPerConnection = 1024
    /// Calls that a server works on at once, over all connections.
    package var callsInFlight = 8192
    /// Bytes that wait for a slow reader before its connection is not read any more.
    package var queuedBytes = 8 << 20
    /// Connections of a server.
    package var connections = 20_000
    /// Bytes of a stream that may be on their way before the receiver asks for more.
    package var streamCredit = 256 << 10
    /// A connection over which nothing came for so long is asked for a sign of life (client) or closed (server).
    package var idleTime: Duration = .seconds(300)
    /// A client with open calls to which nothing came for so long asks for a sign of life.
    package var keepaliveInterval: Duration = .seconds(20)
    /// How long an answer to a ping may take.
    package var pingTimeout: Duration = .seconds(10)
    /// The longest deadline that a server grants a unary call.
    package var maximumTimeout: Duration = .seconds(600)

    package init() {}
}
