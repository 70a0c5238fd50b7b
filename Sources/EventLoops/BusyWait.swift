/// How long a loop looks again and again before it falls asleep.
///
/// To fall asleep and to be woken takes longer than many an answer. So while waits are short, a loop stays awake for
/// them, and sleeps when nothing has come after all. Where that happens more often than not, it soon leaves it for a
/// while.
struct BusyWait {
    /// How long it looks, in nanoseconds.
    static let longest: UInt64 = 50_000
    /// A wait with sleep is short up to here: what came sooner might have been seen without.
    static let shortSleep: UInt64 = 200_000
    /// So many times more often in vain than not, and it rests.
    static let patience = 4
    /// Waits without looking until it is tried again.
    static let rest = 1_000
    /// The same when others need the core.
    static let longRest = 20_000
    /// A time between two looks, in nanoseconds, in which others must have had the core, and one in which they had it
    /// for long.
    static let gap: UInt64 = 20_000
    static let longGap: UInt64 = 500_000

    private var wasShort = false
    private var inVain = 0
    private var resting = 0
    private var hasLostCore = false

    /// How many nanoseconds to look in this wait.
    var nanoseconds: UInt64 { wasShort && resting == 0 ? Self.longest : 0 }

    /// So many nanoseconds lie between two looks. Whether it is better to sleep now: others need the core.
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
