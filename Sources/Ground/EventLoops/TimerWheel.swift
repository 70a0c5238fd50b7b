/// Notified when a timer is due.
package protocol TimerOwner: AnyObject {
    /// The timer with this tag is due. Called on the loop.
    func timerFired(_ tag: UInt32)
}

/// Identifies a timer, so that it can be cancelled. A token of a timer that has fired is harmless.
package struct TimerToken: Equatable, Sendable {
    fileprivate let index: Int32
    fileprivate let generation: UInt32
}

/// A hashed timing wheel: one slot per millisecond, each slot a linked list through one table.
///
/// Calls set and cancel a deadline a hundred thousand times a second and almost none ever comes due, so both are a few
/// writes. A timer further away than the wheel's length stays in its slot for another round.
package struct TimerWheel: ~Copyable {
    private struct Entry {
        var owner: (any TimerOwner)?
        var tag: UInt32
        var generation: UInt32
        var tick: UInt64
        var previous: Int32
        var next: Int32
    }

    private static let slotCount = 4096
    private static let nanosecondsPerTick: UInt64 = 1_000_000

    private var entries: [Entry] = []
    private var free: Int32 = -1
    private var heads = [Int32](repeating: -1, count: slotCount)
    /// One bit per slot: whether it holds a timer.
    private var occupied = [UInt64](repeating: 0, count: slotCount / 64)
    /// Every timer at or before this tick has fired.
    private var currentTick: UInt64
    /// How many timers are set.
    package private(set) var count = 0

    package init(now: MonotonicTime) { currentTick = now.nanoseconds / Self.nanosecondsPerTick }

    /// Sets a timer. It fires at `deadline` or up to a millisecond later, never earlier.
    package mutating func insert(_ deadline: MonotonicTime, owner: any TimerOwner, tag: UInt32) -> TimerToken {
        let due = deadline.nanoseconds / Self.nanosecondsPerTick
        let tick = max(due + 1, currentTick + 1)
        let index = takeEntry()
        entries[Int(index)].owner = owner
        entries[Int(index)].tag = tag
        entries[Int(index)].tick = tick
        link(index, slot: Int(tick % UInt64(Self.slotCount)))
        count += 1
        return TimerToken(index: index, generation: entries[Int(index)].generation)
    }

    /// Removes a timer; does nothing when it has fired or was cancelled.
    package mutating func cancel(_ token: TimerToken) {
        guard entries.indices.contains(Int(token.index)), entries[Int(token.index)].generation == token.generation,
            entries[Int(token.index)].owner != nil
        else { return }
        release(token.index)
    }

    /// Removes and returns one timer that is due at `now`, or nil.
    package mutating func nextDue(_ now: MonotonicTime) -> (owner: any TimerOwner, tag: UInt32)? {
        let nowTick = now.nanoseconds / Self.nanosecondsPerTick
        while currentTick < nowTick {
            guard count > 0, let slot = firstOccupiedSlot(upTo: nowTick) else {
                currentTick = nowTick
                return nil
            }
            if let found = dueEntry(inSlot: slot, nowTick) { return found }
            currentTick += 1
        }
        return nil
    }

    /// When a timer may next be due; nil when none is set.
    package func nextWakeUp() -> MonotonicTime? {
        guard count > 0, let distance = distanceToOccupiedSlot() else { return nil }
        return MonotonicTime(nanoseconds: (currentTick + distance) * Self.nanosecondsPerTick)
    }
}

extension TimerWheel {
    /// The distance from the current slot to the next that holds a timer, 1 to the wheel's length. It checks sixty-four
    /// at a time.
    private func distanceToOccupiedSlot() -> UInt64? {
        let start = Int((currentTick + 1) % UInt64(Self.slotCount))
        var word = start / 64
        var bits = occupied[word] & (UInt64.max << UInt64(start % 64))
        for _ in 0...occupied.count {
            if bits != 0 {
                let slot = word * 64 + bits.trailingZeroBitCount
                return UInt64((slot - start + Self.slotCount) % Self.slotCount) + 1
            }
            word = (word + 1) % occupied.count
            bits = occupied[word]
        }
        return nil
    }

    /// Advances to just before the first slot that holds a timer, at most to `nowTick`.
    private mutating func firstOccupiedSlot(upTo nowTick: UInt64) -> Int? {
        guard let distance = distanceToOccupiedSlot(), currentTick + distance <= nowTick else { return nil }
        currentTick += distance - 1
        return Int((currentTick + 1) % UInt64(Self.slotCount))
    }

    private mutating func dueEntry(inSlot slot: Int, _ nowTick: UInt64) -> (owner: any TimerOwner, tag: UInt32)? {
        var index = heads[slot]
        while index >= 0 {
            let entry = entries[Int(index)]
            if entry.tick <= nowTick, let owner = entry.owner {
                release(index)
                return (owner, entry.tag)
            }
            index = entry.next
        }
        return nil
    }

    private mutating func takeEntry() -> Int32 {
        if free >= 0 {
            let index = free
            free = entries[Int(index)].next
            return index
        }
        entries.append(Entry(owner: nil, tag: 0, generation: 0, tick: 0, previous: -1, next: -1))
        return Int32(entries.count - 1)
    }

    private mutating func link(_ index: Int32, slot: Int) {
        let head = heads[slot]
        entries[Int(index)].previous = -1
        entries[Int(index)].next = head
        if head >= 0 { entries[Int(head)].previous = index }
        heads[slot] = index
        occupied[slot / 64] |= 1 << UInt64(slot % 64)
    }

    private mutating func release(_ index: Int32) {
        let entry = entries[Int(index)]
        let slot = Int(entry.tick % UInt64(Self.slotCount))
        if entry.previous >= 0 { entries[Int(entry.previous)].next = entry.next } else { heads[slot] = entry.next }
        if entry.next >= 0 { entries[Int(entry.next)].previous = entry.previous }
        if heads[slot] < 0 { occupied[slot / 64] &= ~(1 << UInt64(slot % 64)) }
        entries[Int(index)].owner = nil
        entries[Int(index)].generation &+= 1
        entries[Int(index)].next = free
        free = index
        count -= 1
    }
}
