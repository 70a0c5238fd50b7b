import Daemon
import EventLoops
import PictureCalls

/// Has the folder of pictures scanned after something in it has changed: soon where the kernel reports it, and now and
/// then anyway, for disks in the network and for those that are mounted later.
struct FolderWatch: Sendable {
    /// A scan waits for so long a silence, as many files are copied at once.
    private static let silence = Duration.seconds(2)
    /// But no longer than that.
    private static let patience = Duration.seconds(30)
    /// After a full disk, or another failure of the database.
    private static let backoff = Duration.seconds(5)

    let folder: PictureFolder
    let every: Duration
    let store: PhotoStore
    let pictures: PictureStore
    let loop: EventLoop
    let log: Log?

    init(
        of folder: PictureFolder, every: Duration, store: PhotoStore, pictures: PictureStore, loop: EventLoop, log: Log?
    ) {
        (self.folder, self.every, self.store, self.pictures) = (folder, every, store, pictures)
        (self.loop, self.log) = (loop, log)
    }

    /// Watches until the task is cancelled. Folders are watched before they are scanned, so that nothing that comes
    /// meanwhile is missed.
    func run() async {
        let events = FolderEvents.open(on: loop, leftOut: folder.leftOut)
        if events == nil { log?.warning("the folder of pictures is not watched", ["reason": "no inotify"]) }
        let bell = events?.bell ?? Bell()
        var isAllWatched = true
        while !Task.isCancelled {
            let heard = bell.count
            if let events {
                let isAll = await watchFolders(events)
                if isAllWatched, !isAll {
                    log?.warning(
                        "parts of the folder are not watched",
                        ["reason": "the kernel's fs.inotify.max_user_watches is reached"])
                }
                isAllWatched = isAll
            }
            await startScan()
            await bell.wait(after: heard, timeout: every)
            await waitForSilence(bell)
        }
        await events?.close()
    }

    /// Whether there was room for all. A folder that can't be read is the scan's to report.
    private func watchFolders(_ events: FolderEvents) async -> Bool {
        let tree = FolderTree(folder)
        do {
            while try await pictures.run({ try tree.next { try events.watch($0) } }) {}
        } catch {
            return !(error is FolderEvents.Full)
        }
        return true
    }

    private func startScan() async {
        while !Task.isCancelled {
            do { return try await store.startScan() } catch { try? await Task.sleep(for: Self.backoff) }
        }
    }

    private func waitForSilence(_ bell: Bell) async {
        let end = ContinuousClock.now + Self.patience
        while !Task.isCancelled, ContinuousClock.now < end {
            let heard = bell.count
            await bell.wait(after: heard, timeout: Self.silence)
            if bell.count == heard { return }
        }
    }
}
