import Contracts
import RPC
import ServiceRuntime
import Storage

extension PhotoHandler {
    /// The shortest time between two rounds of answers of a watch.
    private static let pace = Duration.milliseconds(250)

    func watchAlbums(
        _ request: WatchAlbumsRequest, _ responses: ResponseWriter<WatchAlbumsResponse>, _ context: CallContext
    ) async throws {
        var watch = try AlbumWatch(request, account: try context.account)
        while true {
            let count = store.changes.count
            for news in try await store.news(for: watch.cursors) {
                try await responses.write(WatchAlbumsResponse(news))
                watch.told(news)
            }
            if watch.isOver { return }
            try await store.waitForChange(after: count, pace: Self.pace)
        }
    }
}
