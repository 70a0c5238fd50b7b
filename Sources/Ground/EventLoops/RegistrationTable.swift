/// Identifies a watched descriptor. Its generation distinguishes an event for a closed descriptor from one for its
/// successor.
package struct Registration: Equatable, Sendable {
    fileprivate let index: UInt32
    fileprivate let generation: UInt32

    var tag: UInt64 { UInt64(generation) << 32 | UInt64(index) }
}

/// The handlers of a loop's descriptors, found by the tag that epoll gives back.
struct RegistrationTable {
    /// Tag of the loop's own wake-up descriptor; no registration has it.
    static let wakeUpTag = UInt64.max

    private struct Entry {
        var handler: (any IOHandler)?
        var generation: UInt32
    }

    private var entries: [Entry] = []
    private var free: [UInt32] = []

    mutating func insert(_ handler: any IOHandler) -> Registration {
        guard let index = free.popLast() else {
            entries.append(Entry(handler: handler, generation: 0))
            return Registration(index: UInt32(entries.count - 1), generation: 0)
        }
        entries[Int(index)].handler = handler
        return Registration(index: index, generation: entries[Int(index)].generation)
    }

    mutating func remove(_ registration: Registration) {
        let index = Int(registration.index)
        guard entries[index].generation == registration.generation, entries[index].handler != nil else { return }
        entries[index].handler = nil
        entries[index].generation = (entries[index].generation &+ 1) & 0x7fff_ffff
        free.append(registration.index)
    }

    /// The handler of a tag; nil when it is no longer registered.
    func handler(_ tag: UInt64) -> (any IOHandler)? {
        let index = Int(tag & 0xffff_ffff)
        guard index < entries.count, entries[index].generation == UInt32(tag >> 32) else { return nil }
        return entries[index].handler
    }
}
