import Accounts
import AccountContracts
import PinContracts
import Daemon
import RPC
import Storage
import Stores

/// Answers gateways' questions about links.
struct ShareLinkHandler: ShareLinkServiceHandler {
    let shares: ShareHandler

    func openLink(_ request: OpenLinkRequest, _ context: CallContext) async throws -> OpenLinkResponse {
        guard shares.isOn, let id = ShareToken.id(in: request.token, shares.key) else { throw ShareError.nowhere }
        let now = shares.clock.unixMilliseconds
        guard let named = try await find(id, now, context) else { throw ShareError.nowhere }
        if !named.share.passwordHash.isEmpty { try await compare(request, named, context) }
        if !request.preview {
            try await write(context) { transaction throws(SQLError) in try transaction.countOpening(of: id, at: now) }
        }
        return OpenLinkResponse(account: named.share.account, share: PinContracts.Share(named, shares.key))
    }

    func checkShare(_ request: CheckShareRequest, _ context: CallContext) async throws -> CheckShareResponse {
        let id = request.id
        guard id.utf8.count <= CheckShareRequest.longestID else { return CheckShareResponse() }
        if shares.isOn, try await find(id, shares.clock.unixMilliseconds, context) != nil {
            return CheckShareResponse(valid: true)
        }
        let isGrant = try await shares.store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.liveGrant(id) != nil
        }
        return CheckShareResponse(valid: isGrant)
    }

    /// Nil when it has ended, and when its account is locked.
    private func find(_ id: String, _ now: Int64, _ context: CallContext) async throws -> NamedShare? {
        try await shares.store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            guard let named = try transaction.share(id), !named.share.hasEnded(at: now),
                try !transaction.isLocked(named.share.account)
            else { return nil }
            return named
        }
    }

    /// Compares the password that was typed, and counts wrong ones: those of an address, and those of the share.
    private func compare(_ request: OpenLinkRequest, _ named: NamedShare, _ context: CallContext) async throws {
        guard !request.password.isEmpty else { throw ShareError.needsPassword }
        let typed = Password(request.password)
        guard typed.count <= CreateShareRequest.passwordLength.upperBound else {
            throw ShareError.wrongPassword
        }
        let (share, now) = (named.share, shares.clock.unixMilliseconds)
        let counts: [AttemptCount] = [.ofShare(share.id, at: request.address), .ofShare(share.id)]
        let tooMany = try await write(context) { transaction throws(SQLError) in
            try transaction.attempt(counts, at: now).map { TooManyAttempts(wait: $0) }
        }
        if let tooMany { throw tooMany }
        let (match, renewed) = try await shares.store.database.counted(counts) {
            let match = try await shares.passwords.compare(typed, with: share.passwordHash, context)
            return (match, match == .outdated ? try await shares.passwords.hash(typed, context) : nil)
        }
        let event = SecurityEvent(
            .shareRefused, of: share.account, from: request.address, about: named.name, at: now)
        try await write(context) { transaction throws(SQLError) in
            if match == .wrong { return try transaction.record(event) }
            try transaction.succeeded(counts)
            if let renewed { try transaction.renewPassword(renewed, of: share) }
        }
        if match == .wrong { throw ShareError.wrongPassword }
    }

    private func write<Value: Sendable>(
        _ context: CallContext, _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("links") { () async throws(SQLError) in
            try await shares.store.database.write(deadline: context.storageDeadline, body)
        }
    }
}

extension CheckShareRequest {
    /// Characters of the longest id that can be one.
    static let longestID = 64
}
