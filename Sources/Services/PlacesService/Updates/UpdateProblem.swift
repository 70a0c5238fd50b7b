/// Why a dataset that is followed can't be brought up to date now.
enum UpdateProblem: Error, CustomStringConvertible {
    /// What keeps it from being followed.
    case unfollowable(String)
    case status(Int, String)
    case noState(String)
    case behind(have: Int64, last: Int64)
    case older(have: Int64, last: Int64)

    var description: String {
        switch self {
        case .unfollowable(let reason): reason
        case .status(let status, let url): "\(url) answers HTTP \(status)"
        case .noState(let url): "\(url) does not say which diff is the last"
        case .behind(let have, let last):
            "it has the diffs up to \(have), and \(last) is the last one: too many to be fetched; import a newer file"
        case .older(let have, let last):
            "it has the diffs up to \(have), and \(last) is the last one there: is it another folder's?"
        }
    }
}
