package import EventLoops
package import RPC

/// Counts the calls of each method: how many, how they ended, how long they took.
///
/// Each loop has its own row of counters, to which only its thread adds: counting costs a few additions, and no loop
/// waits for another. All other threads share one more row.
package final class CallMetrics: ServerInterceptor {
    /// The counts of one method.
    package struct Method: Sendable, Equatable {
        /// Ended calls, by status code.
        package var byCode = [UInt64](repeating: 0, count: RPCCode.allCases.count)
        /// Their durations.
        package var times = DurationCounts()

        /// How many calls have ended.
        package var count: UInt64 { byCode.reduce(0, &+) }
        /// Whether it is a stream.
        package var isStream = false

        /// How many of them have failed. A stream that its caller cancelled has not failed.
        package var errors: UInt64 {
            let cancelled = isStream ? byCode[Int(RPCCode.cancelled.rawValue)] : 0
            return count &- byCode[Int(RPCCode.ok.rawValue)] &- cancelled
        }

        /// The calls after `earlier`.
        package static func - (later: Method, earlier: Method) -> Method {
            var method = later
            for index in method.byCode.indices { method.byCode[index] &-= earlier.byCode[index] }
            method.times = later.times - earlier.times
            return method
        }
    }

    /// Counters of one method: one for each code, and those of its durations.
    private static let codes = RPCCode.allCases.count
    private static let counters = codes + CounterRow.durationCounters

    /// Paths of the methods, by index.
    private let paths: [String]
    private let isStream: [Bool]
    /// For calls whose method has no index.
    private let indices: [String: Int]
    private let loops: EventLoopGroup
    private let rows: [CounterRow]

    /// `methods` are all those of one router.
    package init(_ methods: [MethodDescriptor], _ loops: EventLoopGroup) {
        let sorted = methods.sorted { $0.index ?? 0 < $1.index ?? 0 }
        precondition(sorted.map(\.index) == Array(0..<sorted.count), "these are not all the methods of a router")
        paths = sorted.map(\.path)
        isStream = sorted.map { $0.kind != .unary }
        indices = Dictionary(uniqueKeysWithValues: zip(paths, paths.indices))
        self.loops = loops
        let count = paths.count * Self.counters
        rows = (0...loops.loops.count).map { _ in CounterRow(count: count) }
    }

    package func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64) {
        guard let index = context.method.index ?? indices[context.method.path], index < paths.count else { return }
        let first = index * Self.counters
        let code = first + Int((error?.code ?? .ok).rawValue)
        if let loop = loops.currentIndex {
            rows[loop].addAlone(1, at: code)
            rows[loop].countDurationAlone(nanoseconds, from: first + Self.codes)
        } else {
            let row = rows[rows.count - 1]
            row.add(1, at: code)
            row.countDuration(nanoseconds, from: first + Self.codes)
        }
    }

    /// What was counted so far, by path, in alphabetical order.
    package var snapshot: [(path: String, method: Method)] {
        paths.indices.map { (paths[$0], method($0)) }.sorted { $0.0 < $1.0 }
    }

    private func method(_ index: Int) -> Method {
        let first = index * Self.counters
        var method = Method(isStream: isStream[index])
        for row in rows {
            for code in method.byCode.indices { method.byCode[code] &+= row[first + code] }
            method.times += row.durations(from: first + Self.codes)
        }
        return method
    }

    /// One line for each method that was called. Written when a service stops.
    func write(to log: Log) {
        for (path, method) in snapshot where method.count > 0 {
            let mean = Double(method.times.nanoseconds / method.count) / 1e6
            log.info(
                "calls were answered",
                [
                    "method": path, "count": "\(method.count)", "failed": "\(method.errors)", "mean_ms": "\(mean)",
                    "p99_ms": "\(method.times.quantile(0.99) / 1e6)",
                ])
        }
    }
}

extension CallMetrics {
    /// The call metrics for `/metrics`. Methods that were not called have no durations.
    var families: [MetricFamily] {
        let snapshot = snapshot
        return [
            MetricFamily(
                "waymark_rpc_server_calls_total", .counter, "Calls that ended, by method and status code.",
                snapshot.flatMap { Self.byCode($0.path, $0.method) }),
            MetricFamily(
                "waymark_rpc_server_call_duration_seconds", .histogram, "How long calls took, by method.",
                snapshot.filter { $0.method.count > 0 }.map {
                    MetricSample(["method": $0.path], .durations($0.method.times))
                }),
        ]
    }

    /// The count of successful calls is always included, so that a rate exists from the first call.
    private static func byCode(_ path: String, _ method: Method) -> [MetricSample] {
        RPCCode.allCases.compactMap { code in
            let count = method.byCode[Int(code.rawValue)]
            guard count > 0 || code == .ok else { return nil }
            return MetricSample(["method": path, "code": code.description], .count(count))
        }
    }
}
