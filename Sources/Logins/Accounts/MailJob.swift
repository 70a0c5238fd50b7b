import Daemon
package import Mail
package import Storage

/// Sends what is queued, at least once. A code is made right before its message is sent, so that what waits holds no
/// secret; the code of an earlier try ends then.
package struct MailJob: Sendable {
    static let name = "mail"

    private let store: AccountStore
    private let sender: MailSender
    private let site: String

    /// - Parameter site: how browsers reach the map: "https://map.example.org".
    package init(_ store: AccountStore, _ sender: MailSender, site: String) {
        (self.store, self.sender, self.site) = (store, sender, site)
    }

    package var kind: JobKind {
        JobKind(
            Self.name, workers: MailSender.threads, timeout: MailSender.timeout + .seconds(30),
            backoff: .seconds(15) ... .seconds(1_800),
            judge: { error, _ in (error as? MailTrouble)?.isFinal == true ? .giveUp : .again },
            settle: { [store] transaction, lease, verdict, error throws(SQLError) in
                guard verdict == .giveUp, let mail = try transaction.mail(lease.key) else { return }
                try transaction.giveUp(mail, "\(error)", at: store.now)
            },
            body: { lease in try await run(lease) })
    }

    private func run(_ lease: JobLease) async throws {
        let (now, code) = (store.now, Secret.code())
        let begun = try await store.database.write { transaction throws(SQLError) in
            try transaction.begin(lease, code, store.lifetimes, at: now)
        }
        guard let (mail, recipient) = begun else { return }
        if now - mail.createdMilliseconds >= QueuedMail.life { throw MailTrouble.expired }
        guard let to = MailAddress(recipient) else { throw MailTrouble.unusable }
        let text = MailText(mail, code: code.text, site: site, time: MailTime.text(mail.createdMilliseconds))
        do throws(MailError) {
            try await sender.send(
                MailMessage(to: to, subject: text.subject, text: text.body, id: RandomID.make(), time: now))
        } catch {
            throw MailTrouble.notSent(error)
        }
        let end = store.now
        try await store.database.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: end) else { return try transaction.undo() }
            try transaction.dropMail(mail.id)
            try transaction.recordSent(mail, at: end)
        }
    }
}

/// Why a message is not sent, or not yet.
enum MailTrouble: Error, CustomStringConvertible {
    case notSent(MailError)
    /// It has waited for a day.
    case expired
    /// Mail can't be sent to the account's address.
    case unusable

    /// Whether it would be the same later.
    var isFinal: Bool {
        if case .notSent(.notNow) = self { false } else { true }
    }

    var description: String {
        switch self {
        case .notSent(let error): "\(error)"
        case .expired: "it could not be sent for a day"
        case .unusable: "mail can't be sent to this address"
        }
    }
}

extension Transaction {
    /// What is sent, and to whom, its code being stored; nil when there is nothing to send, which ends the job. What an
    /// address without an account asked for ends here.
    fileprivate func begin(
        _ lease: JobLease, _ code: Secret, _ lifetimes: Lifetimes, at time: Int64
    ) throws(SQLError) -> (QueuedMail, to: String)? {
        guard try holds(lease) else { return nil }
        if let mail = try mail(lease.key) {
            if mail.kind == .invitation {
                // The name of the message is in the place of the account, so that an earlier try's code can be found.
                try endCodes(.invitation, of: mail.id)
                try insertCode(
                    .invitation, digest: code.digest, account: mail.id, until: time + lifetimes.invitation)
                return (mail, mail.email)
            }
            if let account = try account(of: mail), !account.isLocked {
                if mail.kind == .reset {
                    try dropOthers(like: mail)
                    try endCodes(.reset, of: account.id)
                    try insertCode(
                        .reset, digest: code.digest, account: account.id, until: time + lifetimes.mailedReset)
                }
                return (mail, account.email)
            }
        }
        try dropMail(lease.key)
        _ = try complete(lease, at: time)
        return nil
    }

    private func account(of mail: QueuedMail) throws(SQLError) -> Account? {
        mail.kind == .reset ? try account(ofKey: mail.email) : try account(mail.account)
    }

    /// Records a message for its account, and for administrators.
    fileprivate func recordSent(_ mail: QueuedMail, at time: Int64) throws(SQLError) {
        switch mail.kind {
        case .reset:
            guard let account = try account(of: mail) else { return }
            try record(
                SecurityEvent(
                    id: RandomID.make(), time: time, kind: .resetMailed, account: account.id, address: mail.address))
        case .invitation:
            try record(
                SecurityEvent(
                    id: RandomID.make(), time: time, kind: .invitationMailed, account: mail.account,
                    address: mail.address, device: mail.email))
        case .passwordChanged, .passwordReset: break
        }
    }

    /// Ends a message that can't be sent, and the code that was made for it.
    fileprivate func giveUp(_ mail: QueuedMail, _ reason: String, at time: Int64) throws(SQLError) {
        try dropMail(mail.id)
        let account = try account(of: mail)?.id ?? mail.account
        let about: String
        switch mail.kind {
        case .reset:
            try endCodes(.reset, of: account)
            about = "a new password"
        case .invitation:
            try endCodes(.invitation, of: mail.id)
            about = "the invitation for \(mail.email)"
        case .passwordChanged, .passwordReset: about = "a notice"
        }
        try record(
            SecurityEvent(
                id: RandomID.make(), time: time, kind: .mailFailed, account: account, address: mail.address,
                device: "\(about): \(reason)"))
    }
}
