package import EventLoops

/// Sees every call of a server. Both steps are synchronous: whatever has to wait belongs in a handler.
package protocol ServerInterceptor: AnyObject, Sendable {
    /// Before the handler starts; may complete the context, or refuse the call.
    func admit(_ context: inout CallContext) throws(RPCError)
    /// After the call has ended, whatever the outcome. `error` is nil when it succeeded. The time is plain nanoseconds:
    /// this runs for every call.
    func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64)
    /// A client was not let in: it did not prove in TLS who it is. The address is nil when the client has gone.
    func refused(_ address: SocketAddress?, _ reason: String)
}

extension ServerInterceptor {
    package func admit(_ context: inout CallContext) throws(RPCError) {}
    package func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64) {}
    package func refused(_ address: SocketAddress?, _ reason: String) {}
}
