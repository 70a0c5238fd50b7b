package import AccountContracts
import Crypto
import Mail
package import RPC
import Refusals
import Storage

/// Answers calls that have a message sent. They only queue it: who has an account can't be found out by the time that
/// they take.
package struct AccountMailHandler: AccountMailServiceHandler {
    let store: AccountStore

    package init(_ store: AccountStore) { self.store = store }

    package func requestPasswordReset(
        _ request: RequestPasswordResetRequest, _ context: CallContext
    ) async throws -> RequestPasswordResetResponse {
        let email = try EmailAddress(request.email)
        let visitor = Visitor(context, device: "")
        try checkMail()
        try store.checkPasswordsAreTaken()
        let mail = QueuedMail(
            id: RandomID.make(), kind: .reset, email: email.key, address: visitor.address,
            createdMilliseconds: store.now)
        let counts = [AttemptCount.ofMails(to: SHA256.text(email.key))]
        let refusal = try await store.write(context) { transaction throws(SQLError) -> NotQueued? in
            if let wait = try transaction.attempt([.ofMails(from: visitor.address)], at: mail.createdMilliseconds) {
                return .tooMany(wait: wait)
            }
            // Whether it has an account or not: to say so would say that someone asked before.
            if try transaction.attempt(counts, at: mail.createdMilliseconds) != nil { return nil }
            return try transaction.queue(mail) ? nil : .full
        }
        if let refusal { throw refusal }
        return RequestPasswordResetResponse()
    }

    package func sendInvitation(
        _ request: SendInvitationRequest, _ context: CallContext
    ) async throws -> SendInvitationResponse {
        let account = try context.ownAccount
        let email = try EmailAddress(request.email)
        try checkMail()
        guard MailAddress(email.text) != nil else {
            throw Refusal("email", text: email.text, allowed: "an address in ASCII such as ann@example.org is")
        }
        guard store.signUp == .invitation else {
            throw RPCError(.failedPrecondition, "accounts are not made by invitation here")
        }
        let mail = QueuedMail(
            id: RandomID.make(), kind: .invitation, account: account, email: email.text, address: "",
            createdMilliseconds: store.now)
        let counts = [AttemptCount.ofMails(to: SHA256.text(email.key))]
        let refusal = try await store.write(context) { transaction throws(SQLError) -> NotQueued? in
            if let wait = try transaction.attempt(counts, at: mail.createdMilliseconds) { return .tooMany(wait: wait) }
            return try transaction.queue(mail) ? nil : .full
        }
        if let refusal { throw refusal }
        return SendInvitationResponse()
    }

    private func checkMail() throws(RPCError) {
        guard store.sendsMail else {
            throw RPCError(.failedPrecondition, "this Waymark sends no mail; ask an administrator for a code")
        }
    }
}

/// Why a message was not queued.
private enum NotQueued: Error, RPCErrorConvertible {
    case tooMany(wait: Int64)
    case full

    var rpcError: RPCError {
        switch self {
        case .tooMany(let wait): TooManyAttempts(wait: wait).rpcError
        case .full: RPCError(.resourceExhausted, "too many messages wait to be sent; try again later")
        }
    }
}

extension Transaction {
    /// Queues a notice that the password is another one, where mail is sent. One too many, or one that finds the queue
    /// full, is left out: the change counts.
    func notify(
        _ kind: QueuedMail.Kind, _ account: String, _ address: String, _ store: AccountStore
    ) throws(SQLError) {
        let now = store.now
        guard store.sendsMail, try attempt([.ofNotices(to: account)], at: now) == nil else { return }
        try queue(
            QueuedMail(
                id: RandomID.make(), kind: kind, account: account, address: address, createdMilliseconds: now))
    }
}
