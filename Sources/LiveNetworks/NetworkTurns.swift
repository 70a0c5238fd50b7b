/// Whose request to a network is next. Accounts take turns, however much each of them wants; so do the searches of an
/// account, which have one request each at a time.
struct NetworkTurns {
    typealias Ticket = UInt64

    /// Those with waiting requests, in the order of their turns.
    private var accounts: [String] = []
    /// The waiting requests of each, in theirs.
    private var waiting: [String: [Ticket]] = [:]
    private var lastTicket: Ticket = 0

    /// Waits for a turn.
    mutating func join(_ account: String) -> Ticket {
        lastTicket += 1
        if waiting[account] == nil { accounts.append(account) }
        waiting[account, default: []].append(lastTicket)
        return lastTicket
    }

    /// Takes the turn, if it is this request's.
    mutating func take(_ ticket: Ticket) -> Bool {
        guard let account = accounts.first, waiting[account]?.first == ticket else { return false }
        leave(ticket, account)
        // The others have their turns before the account's next request.
        if let index = accounts.firstIndex(of: account) { accounts.append(accounts.remove(at: index)) }
        return true
    }

    /// Waits no longer.
    mutating func leave(_ ticket: Ticket, _ account: String) {
        waiting[account]?.removeAll { $0 == ticket }
        guard waiting[account]?.isEmpty == true else { return }
        waiting[account] = nil
        accounts.removeAll { $0 == account }
    }
}
