import Arguments
import Contracts
import EventLoops
import RPC

/// A pin that is watched while it fills up.
struct PinWatch: Sendable {
    let options: ClientOptions
    /// Whether to go on when the pin is ready.
    let follows: Bool

    /// Shows how the pin gets on. Success when it is ready in the end.
    func run(_ link: Link, _ session: Session, from start: PinProgress) async throws -> ExitCode {
        let call = options.longCall
        var screen = WatchScreen(session)
        var progress = start
        if progress.hasBegun {
            let view = PinProgressView(progress: progress)
            screen.draw(lines: view.lines, line: view.line)
        }
        try await Watch(follows: follows, deadline: call.deadline).run(&progress) { progress in
            PinServiceClient(link.client).watchPin(
                WatchPinRequest(id: progress.pin.id, fromVersion: progress.version), call)
        } show: { event, progress in
            let view = PinProgressView(progress: progress)
            switch event {
            case .message(let message): try screen.show(message, lines: view.lines, line: view.line)
            case .broken: screen.broken(lines: view.lines)
            }
        }
        return progress.isReady ? .success : .failure
    }
}

extension Flag {
    /// What a watch takes.
    static let follow = Flag("follow", "go on watching when there is nothing more to wait for, until Ctrl-C")
}
