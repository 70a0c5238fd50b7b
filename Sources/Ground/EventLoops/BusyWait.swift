/// How long a loop polls before it goes to sleep.
///
/// Going to sleep and being woken takes longer than many an answer. So while waits are short, a loop polls first, and
/// sleeps when nothing has come by then. When polling is in vain more often than not, the loop soon stops it for a
/// while.
struct BusyWait {
    /// How long it polls, in nanoseconds.
    static let longest: UInt64 = 50_000
    /// A wait with sleep counts as short up to here: polling might have seen the event without sleep.
    static let shortSleep: UInt64 = 200_000
    /// So many more polls in vain than successful ones, and polling pauses.
    static let patience = 4
    /// The number of waits without polling before it is tried again.
    static let rest = 1_000
    /// The same when others need the core.
    static let longRest = 20_000
    /// The time between two polls, in nanoseconds, above which others must have had the core, and the one above which
    /// they had it for long.
    static let gap: UInt64 = 20_000
    static let longGap: UInt64 = 500_000

    private var wasShort = false
    private var inVain = 0
    private var resting = 0
    private var hasLostCore = false

    /// How many nanoseconds to poll in this wait.
    var nanoseconds: UInt64 { wasShort && resting == 0 ? Self.longest : 0 }

    /// So many nanoseconds passed between two polls. Returns whether to sleep now, because others need the core.
    mutating func looked(after nanoseconds: UInt64) -> Bool {
        if nanoseconds > Self.longGap { (inVain, resting) = (0, Self.longRest) }
        hasLostCore = hasLostCore || nanoseconds > Self.gap
        return hasLostCore
    }

    /// A wait is over.
    mutating func ended(after nanoseconds: UInt64, hasSlept: Bool) {
        if resting > 0 {
            resting -= 1
        } else if wasShort {
            inVain = hasSlept || hasLostCore ? inVain + 1 : max(0, inVain - 1)
            if inVain == Self.patience { (inVain, resting) = (0, Self.rest) }
        }
        wasShort = !hasSlept || nanoseconds <= Self.shortSleep
        hasLostCore = false
    }
}
