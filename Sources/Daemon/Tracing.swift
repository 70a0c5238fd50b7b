package import RPC
import Synchronization

/// Goes on with the trace that a call came with, or begins one. A `traceparent` that is malformed is as good as none,
/// as the specification wants it.
package final class Tracing: ServerInterceptor {
    package init() {}

    package func admit(_ context: inout CallContext) {
        let parent = context.traceparent.isEmpty ? nil : TraceContext(context.traceparent)
        context.trace = parent?.next ?? .new()
    }
}

/// Names a call in every log that it leaves its traces in.
package enum RequestID {
    /// Tells the ids of this process from those of others.
    private static let process = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// Digits of five bits: no letter that is taken for a digit or for another (https://www.crockford.com/base32.html).
    private static let digits: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
    private static let length = 13

    /// Thirteen digits that no other call of this process has. Random ones would cost a system call, and from sixteen
    /// on a string takes memory of its own, in each process that it goes through.
    package static func make() -> String {
        let turn = count.wrappingAdd(1, ordering: .relaxed).newValue
        // An odd factor visits every number once, so that neighbours do not look alike.
        var rest = process &+ turn &* 0x9e37_79b9_7f4a_7c15
        return unsafe String(unsafeUninitializedCapacity: length) { room in
            for index in 0..<length {
                unsafe room[index] = unsafe digits.utf8Start[Int(rest & 31)]
                rest >>= 5
            }
            return length
        }
    }
}
