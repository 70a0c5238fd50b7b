import Files
import Settings
package import Terminal

/// The events that a supervisor reports.
package enum SupervisorEvent: Equatable, Sendable {
    /// All services answer.
    case ready([ServiceSummary])
    /// A service ended and will be started again after `delay`; `attempt` counts restarts in a row.
    case ended(ServiceSummary, ProcessEnd, delay: Duration, attempt: Int)
    /// A service that had ended answers again.
    case restarted(ServiceSummary, attempt: Int)
    /// All services are asked to stop.
    case stopping
}

/// The addresses of a running service.
package struct ServiceSummary: Equatable, Sendable {
    /// "places-service"
    package let name: String
    /// "127.0.0.1:41234"
    package let address: String
    /// Where it speaks HTTP; nil when it does not.
    package var web: String?
    /// Where it serves its metrics; nil when nowhere.
    package var admin: String?
    package let processID: Int32

    /// The name in the gateway's flags and the data folder: "places".
    package var shortName: String { ServiceSettings.all.first { $0.program == name }?.name ?? name }

    /// The URL for a browser on this machine; `scheme` is "http" or "https".
    package func webURL(_ scheme: String) -> String? { web.map { "\(scheme)://\(UpAccess.reachedHere($0))" } }
}

extension SupervisorState.Outcome {
    /// The error for an end that was not requested; nil when it was.
    package func failure(of services: [ServiceProcess]) -> CommandFailure? {
        switch self {
        case .stopped: return nil
        case .failed(let index, let end):
            let service = services[index]
            let words = service.logPath.flatMap(LogTail.lastLine).map { ": \($0)" } ?? ""
            return CommandFailure("\(service.name) ended at its start with \(end)\(words)")
        case .late(let index):
            let limit = Quantity.duration(SupervisorState.startLimit)
            return CommandFailure("\(services[index].name) was not ready within \(limit)")
        }
    }
}

/// The end of the log of a service that ended at its start.
enum LogTail {
    private static let readBytes: UInt64 = 4096

    /// The last line that is not empty. Nil when there is none, or no log.
    static func lastLine(of path: String) -> String? {
        do {
            let bytes = try end(of: path)
            let line = bytes.split(separator: UInt8(ascii: "\n")).last { !$0.allSatisfy { $0 == 0x20 } }
            return line.map { String(decoding: $0, as: UTF8.self).printable }
        } catch {
            return nil  // The log only adds to an error that is reported anyway.
        }
    }

    private static func end(of path: String) throws -> [UInt8] {
        let file = try OpenFile(reading: path)
        let size = try file.size() ?? 0
        return try file.read(at: size - min(size, readBytes), limit: Int(readBytes))
    }
}
