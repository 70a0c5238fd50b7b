import Terminal

extension SupervisorState.Outcome {
    /// The sentence for an end that nobody asked for; nil when it was asked for.
    func failure(of services: [ServiceProcess]) -> CommandFailure? {
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
