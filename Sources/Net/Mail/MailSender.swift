import EventLoops
import Glibc
import Synchronization

/// Sends messages by one server, two at once. libcurl speaks SMTP, on threads of its own: a server may take half a
/// minute for each reply.
///
/// Why not through `HTTPClient`: that drives hundreds of transfers on the loops and gives their answers as they come,
/// all of it in terms of HTTP. Two messages at once need one blocking call each. CCurl has what both set of a transfer.
///
/// Its owner has to close it.
package final class MailSender: Sendable {
    /// How long a message takes at most.
    package static let timeout: Duration = .seconds(60)
    /// How many are sent at once.
    package static let threads = 2

    private let server: MailServer
    private let sender: MailAddress
    private let pool = BlockingPool(threadCount: threads, queueLimit: 8, name: "mail")

    /// - Parameter sender: what the messages are from.
    package init(_ server: MailServer, from sender: MailAddress) {
        self.server = server
        self.sender = sender
        // TLS writes to sockets whose peers may be gone.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Returns once the server has taken the message. Cancelling the task ends it within about a second; the server may
    /// have taken it then.
    package func send(_ message: MailMessage) async throws(MailError) {
        let stop = TransferStop()
        let bytes = message.bytes(from: sender)
        let result = await withTaskCancellationHandler {
            await Waiter<Result<Void, MailError>>.suspend { waiter in
                do throws(BlockingPool.Refusal) {
                    try pool.submit { [server, sender] in
                        guard let transfer = SMTPTransfer(server, from: sender, to: message.to, bytes, stop) else {
                            return waiter.resume(.failure(.notNow(reason: "there is no memory")))
                        }
                        waiter.resume(transfer.run())
                    }
                } catch {
                    waiter.resume(.failure(.notNow(reason: "too many messages are being sent")))
                }
            }
        } onCancel: {
            stop.set()
        }
        try result.get()
    }

    /// Lets messages that are being sent end. Blocks.
    package func close() { pool.close() }
}

/// Ends a transfer from another thread.
final class TransferStop: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}
