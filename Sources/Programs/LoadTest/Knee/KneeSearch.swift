/// Finds the highest rate that meets a goal: doubles until a rate misses it, bisects between rates that meet and miss
/// it until they are 2 % apart, and confirms the result with a longer run. A rate that does not hold for longer is
/// lowered by 2 %, 4 %, 8 % and so on until one does.
///
/// A rate that misses is tried once more before it is accepted: a hiccup of the machine is not the target's limit.
package struct KneeSearch: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        /// Load the target at this rate; a confirmation takes longer.
        case probe(rate: Double, isConfirmation: Bool)
        /// This is the highest rate that keeps the goal, nil when not even the lowest does.
        case found(rate: Double?)
    }

    private let first: Double
    private var kept: Double?
    private var missed: Double?
    /// What is to be confirmed, once there is something.
    private var candidate: Double?
    private var step = 0.02
    private var isConfirmed = false
    private var isSecondTry = false

    /// How far apart, as a factor, what is kept and what is missed may stay.
    static let precision = 1.02
    package static let rates: ClosedRange<Double> = 0.1...1_000_000

    /// - Parameter first: the rate that is tried first, in `rates`.
    init(first: Double) { self.first = min(Self.rates.upperBound, max(Self.rates.lowerBound, first)) }

    /// What is to be done next.
    var next: Step {
        if let candidate {
            guard candidate >= Self.rates.lowerBound else { return .found(rate: nil) }
            return isConfirmed ? .found(rate: candidate) : .probe(rate: candidate, isConfirmation: true)
        }
        switch (kept, missed) {
        case (nil, nil): return .probe(rate: first, isConfirmation: false)
        case (nil, .some(let missed)):
            guard missed / 2 >= Self.rates.lowerBound else { return .found(rate: nil) }
            return .probe(rate: missed / 2, isConfirmation: false)
        case (.some(let kept), nil):
            return .probe(rate: min(kept * 2, Self.rates.upperBound), isConfirmation: false)
        case (.some(let kept), .some(let missed)):
            return .probe(rate: (kept + missed) / 2, isConfirmation: false)
        }
    }

    /// Records the result of the last step.
    mutating func record(keepsGoal: Bool) {
        guard case .probe(let rate, let isConfirmation) = next else { return }
        guard keepsGoal || isSecondTry else { return isSecondTry = true }
        isSecondTry = false
        switch (isConfirmation, keepsGoal) {
        case (true, true): isConfirmed = true
        case (true, false):
            candidate = rate * (1 - step)
            step = min(0.5, step * 2)
        case (false, true): kept = rate
        case (false, false): missed = rate
        }
        if candidate == nil, let kept, isNarrow(kept) { candidate = kept }
    }

    private func isNarrow(_ kept: Double) -> Bool {
        guard let missed else { return kept >= Self.rates.upperBound }
        return missed / kept <= Self.precision
    }
}
