import Contracts
import EventLoops
import RPC

/// An album that is watched while its pictures come.
struct AlbumWatch: Sendable {
    let subject: String
    let options: ClientOptions
    /// Whether to go on when all pictures are there.
    let follows: Bool

    /// Shows how the album gets on. Success when there are pictures, or are none to be had.
    func run(_ link: Link, _ session: Session) async throws -> ExitCode {
        let call = options.longCall
        var screen = WatchScreen(session)
        var progress = AlbumProgress(subject: subject)
        try await Watch(follows: follows, deadline: call.deadline).run(&progress) { progress in
            PhotoServiceClient(link.client).watchAlbum(
                WatchAlbumRequest(subject: subject, fromVersion: progress.version), call)
        } show: { event, progress in
            let view = AlbumProgressView(progress: progress)
            switch event {
            case .message(let message): try screen.show(message, lines: view.lines, line: view.line)
            case .broken: screen.broken(lines: view.lines)
            }
        }
        return progress.isWell ? .success : .failure
    }
}
