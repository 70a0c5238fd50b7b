package import RPC
import Synchronization

/// Counts the calls of each method: how many, how they ended, how long they took.
package final class CallMetrics: ServerInterceptor {
    /// What was counted for one method.
    package struct Method: Sendable {
        /// Ended calls, by status code.
        package var byCode = [UInt64](repeating: 0, count: RPCCode.allCases.count)
        /// Ended calls by time: bucket n holds those below 2^n microseconds that are not in the one before.
        package var byTime = [UInt64](repeating: 0, count: CallMetrics.bucketCount)
        /// Sum of all times in nanoseconds.
        package var nanoseconds: UInt64 = 0

        package var count: UInt64 { byCode.reduce(0, +) }
    }

    /// The last bucket holds everything from 2^25 microseconds, 33 seconds, on.
    package static let bucketCount = 27
    private let methods: [String: Counter]

    private final class Counter: Sendable {
        let value = Mutex(Method())
    }

    package init(_ methods: [MethodDescriptor]) {
        self.methods = Dictionary(methods.map { ($0.path, Counter()) }) { first, _ in first }
    }

    package func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64) {
        let code = Int((error?.code ?? .ok).rawValue)
        let bucket = Self.bucket(nanoseconds)
        methods[context.method.path]?.value.withLock { method in
            method.byCode[code] += 1
            method.byTime[bucket] += 1
            method.nanoseconds &+= nanoseconds
        }
    }

    /// What was counted so far, by method path.
    package var snapshot: [String: Method] { methods.mapValues { counter in counter.value.withLock { $0 } } }

    /// One line for each method that was called. Written when a service stops.
    func write(to log: Log) {
        for (path, method) in snapshot.sorted(by: { $0.key < $1.key }) where method.count > 0 {
            let failed = method.count - method.byCode[Int(RPCCode.ok.rawValue)]
            let mean = Double(method.nanoseconds / method.count) / 1e6
            log.info(
                "calls were answered",
                ["method": path, "count": "\(method.count)", "failed": "\(failed)", "mean_ms": "\(mean)"])
        }
    }

    static func bucket(_ nanoseconds: UInt64) -> Int {
        let microseconds = nanoseconds / 1000
        return min(bucketCount - 1, UInt64.bitWidth - microseconds.leadingZeroBitCount)
    }
}
