package import RPC

extension RPCError {
    /// What generated fakes answer with where a test has not written a method.
    package init(notFaked method: MethodDescriptor) {
        self.init(.unimplemented, "this fake has no \(method.path)")
    }
}
