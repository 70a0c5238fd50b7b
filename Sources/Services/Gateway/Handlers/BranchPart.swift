import Contracts
import EventLoops
import RPC
import Wire

/// How a branch of an exploration went.
struct BranchPart: Sendable {
    /// What it found, nearest first.
    var rows = AnswerRows()
    /// Of places, when live networks are asked too: what the service gave, before what is the same was put together.
    var given: [[UInt8]] = []
    let report: Branch
    /// When its answer was there.
    let end: MonotonicTime
    /// Where it was asked; nil when the answer needs no plan.
    var note: CallNote?
    /// What its service did for it, if it says so.
    var explanation: SearchExplanation?
}

extension BranchPart {
    /// What a service returned, for a call from `start` to `end`.
    init(
        _ page: BranchPage, of branch: ExploreBranch, from start: MonotonicTime, to end: MonotonicTime,
        _ note: CallNote?
    ) {
        let report = Branch(
            name: branch.name, count: UInt32(clamping: page.rows.count), elapsed: DurationMessage(end.since(start)),
            truncated: page.isTruncated)
        self.init(
            rows: page.rows, given: page.given, report: report, end: end, note: note, explanation: page.explanation)
    }

    /// A branch that has failed now.
    init(_ failure: RPCError, of branch: ExploreBranch, since start: MonotonicTime, _ note: CallNote?) {
        let end = MonotonicTime.now
        self.init(report: Branch(failure, of: branch, from: start, to: end), end: end, note: note)
    }
}

extension Branch {
    /// The report of a branch that has failed.
    init(_ failure: RPCError, of branch: ExploreBranch, from start: MonotonicTime, to end: MonotonicTime) {
        self.init(
            name: branch.name, code: failure.code.rawValue, message: failure.sentence(of: branch.name),
            elapsed: DurationMessage(end.since(start)))
    }
}

extension RPCError {
    /// The text of a branch's failure for a client: the service by its name, not by its internal address.
    fileprivate func sentence(of name: String) -> String {
        switch code {
        case .deadlineExceeded: "\(name) did not answer in time"
        case .unavailable: "\(name) can't be reached for now"
        default: message
        }
    }
}
