/// Seeks the highest rate that keeps a goal: doubles until a rate misses it, bisects between what is kept and what is
/// missed until they are 2 % apart, and confirms what it found with a longer run.
///
/// A rate that misses is tried once more before it is believed: a hiccup of the machine is not the target's limit.
struct KneeSearch: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        /// Load the target at this rate; a confirmation takes longer.
        case probe(rate: Double, isConfirmation: Bool)
        /// This is the highest rate that keeps the goal, nil when not even the lowest does.
        case found(rate: Double?)
    }

    private let first: Double
    private var kept: [Double] = []
    private var missed: Double?
    private var isConfirmed = false
    private var isSecondTry = false
    private var probes = 0

    /// How far apart, as a factor, what is kept and what is missed may stay.
    static let precision = 1.02
    static let rates: ClosedRange<Double> = 0.1...1_000_000
    /// However the target behaves, it ends.
    static let mostProbes = 60

    /// - Parameter first: the rate that is tried first, in `rates`.
    init(first: Double) { self.first = min(Self.rates.upperBound, max(Self.rates.lowerBound, first)) }

    /// What is to be done next.
    var next: Step {
        let best = kept.last
        guard probes < Self.mostProbes else { return .found(rate: isConfirmed ? best : kept.dropLast().last) }
        switch (best, missed) {
        case (nil, nil): return .probe(rate: first, isConfirmation: false)
        case (nil, .some(let missed)):
            guard missed / 2 >= Self.rates.lowerBound else { return .found(rate: nil) }
            return .probe(rate: missed / 2, isConfirmation: false)
        case (.some(let best), nil):
            guard best * 2 <= Self.rates.upperBound else { return settled(best) }
            return .probe(rate: best * 2, isConfirmation: false)
        case (.some(let best), .some(let missed)):
            guard missed / best > Self.precision else { return settled(best) }
            return .probe(rate: (best + missed) / 2, isConfirmation: false)
        }
    }

    private func settled(_ rate: Double) -> Step {
        isConfirmed ? .found(rate: rate) : .probe(rate: rate, isConfirmation: true)
    }

    /// What became of the step before.
    mutating func record(keepsGoal: Bool) {
        guard case .probe(let rate, let isConfirmation) = next else { return }
        probes += 1
        guard !keepsGoal else {
            isSecondTry = false
            isConfirmed = isConfirmation
            if !isConfirmation { kept.append(rate) }
            return
        }
        guard isSecondTry else { return isSecondTry = true }
        isSecondTry = false
        missed = rate
        kept.removeAll { $0 >= rate }
        // What was kept long ago, far below, would be found again: go down by a little first.
        if isConfirmation, kept.isEmpty || rate / (kept.last ?? rate) > 1.1 { kept.append(rate * 0.95) }
    }
}
