import AccountContracts
import RPC
import Wire

// What is stored, as it is sent.

extension AccountContracts.Account {
    init(_ account: Account) {
        self.init(
            id: account.id, email: account.email, firstName: account.firstName, lastName: account.lastName,
            roles: Roles(rawValue: account.roles).list,
            createTime: TimestampMessage(unixMilliseconds: account.createdMilliseconds), locked: account.isLocked)
    }
}

extension AccountContracts.Session {
    init(_ session: StoredSession, isCurrent: Bool) {
        self.init(
            id: session.id, device: session.device, address: session.address,
            createTime: TimestampMessage(unixMilliseconds: session.createdMilliseconds),
            useTime: TimestampMessage(unixMilliseconds: session.usedMilliseconds),
            expireTime: TimestampMessage(unixMilliseconds: session.expiresMilliseconds), current: isCurrent)
    }
}

extension NewSession {
    init(_ draft: SessionDraft, _ account: Account) {
        self.init(
            token: draft.secret.text, expireTime: TimestampMessage(unixMilliseconds: draft.session.expiresMilliseconds),
            account: AccountContracts.Account(account))
    }
}

extension AccountContracts.SecurityEvent {
    init(_ event: SecurityEvent) {
        self.init(
            time: TimestampMessage(unixMilliseconds: event.time),
            kind: SecurityEventKind(rawValue: Int32(truncatingIfNeeded: event.kind.rawValue)), account: event.account,
            address: event.address, device: event.device)
    }
}

extension SignUpPolicy {
    init(_ rule: SignUpRule) {
        switch rule {
        case .open: self = .open
        case .invitation: self = .invitation
        case .closed: self = .closed
        }
    }
}
