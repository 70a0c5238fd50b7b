import Contracts
import Terminal

/// What the hours of a place say, for a table.
enum HoursText {
    /// "open until 2024-05-17 16:00:00 UTC", "closed “on call”"; empty for a place without hours.
    static func text(_ hours: PlaceHours?) -> String {
        guard let hours else { return "" }
        let until = hours.changeTime.map { " until \($0.text) UTC" } ?? ""
        let remark = hours.remark.isEmpty ? "" : " “\(hours.remark)”"
        return name(of: hours.state) + until + remark
    }

    /// "12 open, 3 closed, 40 unknown"
    static func counts(_ counts: OpenCounts) -> String {
        "\(Quantity.count(counts.open)) open, \(Quantity.count(counts.closed)) closed, "
            + "\(Quantity.count(counts.unknown)) unknown"
    }

    private static func name(of state: OpenState) -> String {
        switch state {
        case .open: "open"
        case .closed: "closed"
        default: "unknown"
        }
    }
}
