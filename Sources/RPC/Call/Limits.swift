/// What one connection may cost.
package struct Limits: Sendable {
    /// Payload of one frame, in bytes.
    package var frameBytes = 4 << 20
    /// All fields of a CALL but its request, in bytes.
    package var callHeaderBytes = 8 << 10
    /// Calls that are open at once on a connection.
    package var callsPerConnection = 1024
    /// Unary calls that a server works on at once, over all connections.
    package var callsInFlight = 8192
    /// Streams that are open at once, over all connections of a server.
    package var streams = 16_384
    /// Bytes that wait for a slow reader before its connection is not read any more. With a quarter of that no call is
    /// begun that would add to them, and no stream goes on.
    package var queuedBytes = 8 << 20
    /// Connections of a server.
    package var connections = 32_768
    /// Bytes of a stream that may be on their way before the receiver asks for more.
    package var streamCredit = 256 << 10
    /// Bytes of all streams of a connection together that may be on their way, apart from the 16 KiB each has at least.
    package var connectionCredit = 16 << 20
    /// A server closes a connection without open calls over which nothing came for so long.
    package var idleTime: Duration = .seconds(300)
    /// Who has open calls on a connection and got nothing for so long asks for a sign of life.
    package var keepaliveInterval: Duration = .seconds(20)
    /// How long an answer to a ping may take.
    package var pingTimeout: Duration = .seconds(10)
    /// A server asks the client of a connection that is so old to come back, give or take a tenth: clients spread anew
    /// over the servers there are.
    package var maximumAge: Duration = .seconds(3600)
    /// How long the calls of a connection that is too old may go on; streams are cut then.
    package var ageGrace: Duration = .seconds(60)
    /// The longest deadline that a server grants a unary call.
    package var maximumTimeout: Duration = .seconds(600)

    /// Clients of a server that have connected and not yet shown in TLS who they are.
    package var handshakes = 1024
    /// How long a handshake of TLS may take, on either side.
    package var handshakeTime: Duration = .seconds(10)

    package init() {}
}
