/// What ends a run of the whole system.
package enum RunFailure: Error, CustomStringConvertible {
    case upHasEnded
    case notReady(String)
    case late(String)
    case lost(String)
    case file(String, String, Int32)

    package var description: String {
        switch self {
        case .upHasEnded: "waymark up has ended by itself"
        case .notReady(let said): "waymark up said \"\(said)\" instead of being ready"
        case .late(let what): "too late: \(what)"
        case .lost(let what): "\(what) is gone although nobody removed it"
        case .file(let call, let path, let code): "\(call) \(path): errno \(code)"
        }
    }
}
