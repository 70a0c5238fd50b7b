package import RPC

/// Goes on with the trace that a call came with, or begins one. A `traceparent` that is malformed is as good as none,
/// as the specification wants it.
package final class Tracing: ServerInterceptor {
    package init() {}

    package func admit(_ context: inout CallContext) {
        let parent = context.traceparent.isEmpty ? nil : TraceContext(context.traceparent)
        context.trace = parent?.next ?? .new()
    }
}
