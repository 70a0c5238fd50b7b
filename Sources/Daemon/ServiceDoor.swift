package import EventLoops

/// Another way into a service, beside its RPC.
package protocol ServiceDoor: Sendable {
    /// What the ready line calls it: "http", "admin".
    var name: String { get }
    /// Where it is, with the port that was chosen.
    var address: SocketAddress { get }
    /// Lets nobody in any more, and waits for whom it let in, at most for `grace`.
    func close(grace: Duration) async
}
