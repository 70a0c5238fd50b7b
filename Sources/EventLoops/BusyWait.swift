/// How long a loop looks again and again before it falls asleep.
///
/// To fall asleep and to be woken takes longer than many an answer. So while waits are short, a loop stays awake for
/// them, and sleeps when nothing has come after all. Where that happens more often than not, it soon leaves it for a
/// while: what shares its core with what it waits for only holds that up by looking.
struct BusyWait {
    /// How long it looks, in nanoseconds.
    static let longest: UInt64 = 50_000
    /// A wait with sleep is short up to here: what came sooner might have been seen without.
    static let shortSleep: UInt64 = 200_000
    /// So many times more often in vain than not, and it rests.
    static let patience = 4
    /// Waits without looking until it is tried again.
    static let rest = 4_000
    /// The same when others need the core.
    static let longRest = 20_000
    /// A time between two looks, in nanoseconds, in which others must have had the core.
    static let gap: UInt64 = 500_000

    private var wasShort = false
    private var inVain = 0
    private var resting = 0

    /// How many nanoseconds to look in this wait.
    var nanoseconds: UInt64 { wasShort && resting == 0 ? Self.longest : 0 }

    /// Between two looks the core was somebody else's: who looks is taken for one who computes, and has to wait for
    /// its turn, while who sleeps is let in when it is woken.
    mutating func lostCore() { (inVain, resting) = (0, Self.longRest) }

    /// A wait is over.
    mutating func ended(after nanoseconds: UInt64, hasSlept: Bool) {
        if resting > 0 {
            resting -= 1
        } else if wasShort {
            inVain = hasSlept ? inVain + 1 : max(0, inVain - 1)
            if inVain == Self.patience { (inVain, resting) = (0, Self.rest) }
        }
        wasShort = !hasSlept || nanoseconds <= Self.shortSleep
    }
}
