import EventLoops
import FeatureFiles
import Geo
import Glibc
import Refusals

extension PlacesError {
    /// A field of a request that is refused.
    static func invalid(_ refusal: Refusal) -> PlacesError {
        .invalid(field: refusal.field, problem: refusal.problem)
    }

    /// What a refused system call means; `what` says what was being done.
    init(_ error: SystemError, _ what: String) {
        self = Self.isFull(error.code) ? .diskFull(what: what) : .storage(what: what, reason: "\(error)")
    }

    /// What an error of a snapshot file means.
    init(_ error: GeoError, _ what: String) {
        switch error {
        case .system(_, let code, _) where Self.isFull(code): self = .diskFull(what: what)
        case .corrupt, .unsupportedVersion: self = .damaged(what: "\(error)")
        case .system, .outOfRange, .staleFilter: self = .storage(what: what, reason: "\(error)")
        }
    }

    private static func isFull(_ code: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    init(_ error: SourceError) {
        switch error {
        case .bad(let reason): self = .badFile(reason: reason)
        case .system(let error): self = PlacesError(error, "reading the file")
        case .paused, .stopped: self = .cancelled
        }
    }

    /// Runs steps that read a file.
    static func reading<R: ~Copyable>(_ body: () throws(SourceError) -> R) throws(PlacesError) -> R {
        do throws(SourceError) { return try body() } catch { throw PlacesError(error) }
    }

    /// Runs steps on files and says what they were for when they fail.
    static func converting<R: ~Copyable>(
        _ what: String, _ body: () throws(SystemError) -> R
    ) throws(PlacesError) -> R {
        do throws(SystemError) {
            return try body()
        } catch {
            throw PlacesError(error, what)
        }
    }
}
