import Arguments
import Contracts

// Flags for what is open, or closed, at a moment.

extension Flag {
    /// The condition that a place is open.
    static let open = [
        Flag("open", "only places that are open now, or at the moment of --at"),
        Flag("closed", "only places that are closed then"),
        Flag("or-unknown", "also those of which that is not known"),
        Flag("at", "TIME", "a day, or a time such as 2024-05-17T12:30:00Z, for --open and --closed"),
    ]
}

extension ParsedArguments {
    /// The condition of these flags; nil without any.
    func openAt() throws(UsageError) -> OpenAt? {
        guard has("open") || has("closed") else {
            guard !has("at"), !has("or-unknown") else {
                throw UsageError("--at and --or-unknown are for --open or --closed")
            }
            return nil
        }
        guard !has("open") || !has("closed") else { throw UsageError("--open and --closed exclude each other") }
        return OpenAt(
            time: try moment("at"), state: has("closed") ? .closed : .open, orUnknown: has("or-unknown"))
    }
}
