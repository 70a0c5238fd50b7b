import EventLoops
import Glibc

/// Processor time that processes have used, in seconds.
enum ProcessorTime {
    static var own: Double {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// What this process and the servers use between two times that are to come.
    static func used(
        from start: MonotonicTime, to end: MonotonicTime, servers: [Int32]
    ) async -> (client: Double, server: Double) {
        await sleep(until: start)
        let before = (own, of(servers))
        await sleep(until: end)
        return (own - before.0, of(servers) - before.1)
    }

    private static func sleep(until time: MonotonicTime) async {
        do {
            try await Task.sleep(for: time.since(.now))
        } catch {
            return  // The run was cancelled.
        }
    }

    /// The sum over some processes and their children, from /proc/PID/task/*/schedstat: nanoseconds, where stat has
    /// ticks of 10 ms.
    static func of(_ processes: [Int32]) -> Double {
        (processes + processes.flatMap(children)).map { process in
            Directory.names("/proc/\(process)/task").map { onProcessor("/proc/\(process)/task/\($0)/schedstat") }
                .reduce(0, +)
        }.reduce(0, +)
    }

    /// PostgreSQL has a process for each connection.
    private static func children(of process: Int32) -> [Int32] {
        let list = TextFile.read("/proc/\(process)/task/\(process)/children") ?? ""
        return list.split(separator: " ").compactMap { Int32($0) }
    }

    private static func onProcessor(_ path: String) -> Double {
        guard let nanoseconds = TextFile.read(path)?.split(separator: " ").first.flatMap({ Double($0) }) else {
            return 0
        }
        return nanoseconds / 1e9
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

enum Directory {
    /// What a directory holds; nothing when it can't be read.
    static func names(_ path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
