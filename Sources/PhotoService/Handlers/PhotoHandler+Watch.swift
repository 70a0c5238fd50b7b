import Contracts
import EventLoops
import RPC
import Storage

extension PhotoHandler {
    /// The shortest time between two answers of a watch.
    private static let pace = Duration.milliseconds(250)

    func watchAlbum(
        _ request: WatchAlbumRequest, _ responses: ResponseWriter<WatchAlbumResponse>, _ context: CallContext
    ) async throws {
        var watch = try AlbumWatch(request, account: try context.account)
        while true {
            let count = store.changes.count
            if let news = try await store.news(for: watch) {
                watch.told(news)
                try await responses.write(WatchAlbumResponse(news, watch, links))
                if news == .gone { return }
            }
            try await store.waitForChange(after: count, pace: Self.pace)
        }
    }
}
