import EventLoops
import Files
import Glibc

/// What the kernel reports of folders that are watched (man 7 inotify): a bell rings when a picture, a sidecar or a
/// folder has come, changed or gone.
///
/// `@unchecked Sendable`: `registration` is used on the loop alone.
final class FolderEvents: IOHandler, @unchecked Sendable {
    /// The kernel watches no more folders for this user.
    struct Full: Error {}

    let bell = Bell()
    private let descriptor: Descriptor
    private let loop: EventLoop
    private let leftOut: LeftOutNames
    private var registration: Registration?

    private static let kinds = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
            | IN_ONLYDIR)
    /// The head of an event: descriptor, kind, cookie, and how long the name behind it is, of four bytes each.
    private static let headBytes = 16

    /// Nil when the kernel has none to give.
    static func open(on loop: EventLoop, leftOut: LeftOutNames) -> FolderEvents? {
        let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else { return nil }
        let events = FolderEvents(Descriptor(owning: number), loop, leftOut)
        loop.execute { events.registration = try? loop.register(number, events) }
        return events
    }

    private init(_ descriptor: Descriptor, _ loop: EventLoop, _ leftOut: LeftOutNames) {
        (self.descriptor, self.loop, self.leftOut) = (descriptor, loop, leftOut)
    }

    /// Watches one more folder; one that is watched already is not watched twice.
    func watch(_ path: String) throws {
        if unsafe inotify_add_watch(descriptor.number, path, Self.kinds) == -1, errno == ENOSPC { throw Full() }
    }

    /// Ends the watch.
    func close() async {
        await Waiter.suspend { (waiter: Waiter<Void>) in
            loop.execute {
                if let registration = self.registration {
                    self.loop.deregister(self.descriptor.number, registration)
                }
                self.registration = nil
                waiter.resume()
            }
        }
    }

    func ready(read: Bool, write: Bool) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        var isNews = false
        while case let count = unsafe Glibc.read(descriptor.number, &buffer, buffer.count), count > 0 {
            if isChange(buffer[..<count]) { isNews = true }
        }
        if isNews { bell.ring() }
    }

    /// Whether one of the events is of something that a scan would look at. A lost one counts as such.
    private func isChange(_ events: ArraySlice<UInt8>) -> Bool {
        var rest = events
        while rest.count >= Self.headBytes {
            let (kind, length) = (Self.number(rest.dropFirst(4)), Int(Self.number(rest.dropFirst(12))))
            let name = rest.dropFirst(Self.headBytes).prefix(length).prefix { $0 != 0 }
            rest = rest.dropFirst(Self.headBytes + length)
            if isChange(kind, String(decoding: name, as: UTF8.self)) { return true }
        }
        return false
    }

    private func isChange(_ kind: UInt32, _ name: String) -> Bool {
        if name.isEmpty { return kind & UInt32(IN_IGNORED) == 0 }
        if leftOut.leaveOut(last: name) { return false }
        let entry = FolderEntry(name: Array(name.utf8), kind: .file)
        return kind & UInt32(IN_ISDIR) != 0 || entry.isPictureName || entry.isSidecarName || entry.otherKind != nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
    }
}
