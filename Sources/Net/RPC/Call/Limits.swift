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
    /// Bytes queued for a slow reader before its connection is not read any more. From a quarter of that on, no call is
    /// started that would add to them, and no stream continues.
    package var queuedBytes = 8 << 20
    /// Connections of a server.
    package var connections = 32_768
    /// Bytes of a stream that may be in flight before the receiver grants more.
    package var streamCredit = 256 << 10
    /// Bytes of all streams of a connection together that may be in flight, apart from the 16 KiB that each has at
    /// least.
    package var connectionCredit = 16 << 20
    /// How long an answer of a stream may wait for a reader that takes none.
    package var streamPatience: Duration = .seconds(120)
    /// A server closes a connection without open calls on which nothing was received for this long.
    package var idleTime: Duration = .seconds(300)
    /// A side with open calls on a connection that has received nothing for this long sends a ping.
    package var keepaliveInterval: Duration = .seconds(20)
    /// How long an answer to a ping may take.
    package var pingTimeout: Duration = .seconds(10)
    /// A server asks the client of a connection this old, give or take a tenth, to reconnect, so that clients spread
    /// over the current servers again.
    package var maximumAge: Duration = .seconds(3600)
    /// How long the calls of a connection that is too old may continue; streams are ended then.
    package var ageGrace: Duration = .seconds(60)
    /// The longest deadline that a server grants a unary call.
    package var maximumTimeout: Duration = .seconds(600)

    /// Clients of a server that have connected and not yet proved in TLS who they are.
    package var handshakes = 1024
    /// How long a handshake of TLS may take, on either side.
    package var handshakeTime: Duration = .seconds(10)

    package init() {}
}
