package import EventLoops

/// Why a file can't be read any further.
package enum SourceError: Error, Equatable, CustomStringConvertible {
    /// Its content is not what it should be.
    case bad(String)
    /// The system refused it, as it does with a broken disk.
    case system(SystemError)
    /// The reader's turn is over (`ReadingTurn`): the next call goes on.
    case paused
    /// Its caller has stopped waiting.
    case stopped

    package var description: String {
        switch self {
        case .bad(let reason): reason
        case .system(let error): error.description
        case .paused: "its reader has to wait for its turn"
        case .stopped: "its reader was stopped"
        }
    }

    static func converting<R>(_ body: () throws(SystemError) -> R) throws(SourceError) -> R {
        do throws(SystemError) { return try body() } catch { throw .system(error) }
    }
}

/// Why a row of a file can't be used.
package struct RowProblem: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
