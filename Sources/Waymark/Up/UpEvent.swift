/// What a supervisor tells of.
enum UpEvent: Equatable, Sendable {
    /// All services answer.
    case ready([ServiceSummary])
    /// A service ended and will be started again after `delay`; `attempt` counts restarts in a row.
    case ended(ServiceSummary, ProcessEnd, delay: Duration, attempt: Int)
    /// A service that had ended answers again.
    case restarted(ServiceSummary, attempt: Int)
    /// All services are told to stop.
    case stopping
}

/// What there is to know of a running service.
struct ServiceSummary: Equatable, Sendable {
    /// "places-service"
    let name: String
    /// "127.0.0.1:41234"
    let address: String
    /// Where it speaks HTTP; nil when it does not.
    var web: String?
    /// Where it tells those who run it how it fares; nil when it does not.
    var admin: String?
    let processID: Int32

    /// As the gateway's flags and the data folder call it: "places".
    var shortName: String { UpPlan.shortNames[name] ?? name }

    /// What a browser on this machine is given.
    var webURL: String? { web.map { "http://\(UpAccess.reachedHere($0))" } }
}
