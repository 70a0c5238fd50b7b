/// Looks at every call of a server. Both steps are synchronous: whatever has to wait belongs into a handler.
package protocol ServerInterceptor: Sendable {
    /// Before the handler starts; may complete the context, or refuse the call.
    func admit(_ context: inout CallContext) throws(RPCError)
    /// After the call has ended, however it did. `error` is nil when it went well. The time is plain nanoseconds:
    /// this runs for every call.
    func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64)
}

extension ServerInterceptor {
    package func admit(_ context: inout CallContext) throws(RPCError) {}
    package func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64) {}
}
