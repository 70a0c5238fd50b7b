import CCurl
import EventLoops
import Glibc

/// One message on its way to the server, on one thread.
@safe
final class SMTPTransfer {
    private static let timeout = Int(MailSender.timeout.components.seconds) * 1_000
    private static let connectTimeout = 15_000
    private static let replySeconds = 30
    /// libcurl's own preparations, once in a process.
    private static let isReady = waymark_curl_start() == CURLE_OK

    private let easy: UnsafeMutableRawPointer
    private let recipients: UnsafeMutablePointer<curl_slist>
    private let reason: UnsafeMutablePointer<CChar>
    private let bytes: [UInt8]
    private let stop: TransferStop
    private let server: MailServer
    private let sender: MailAddress
    private var position = 0

    init?(_ server: MailServer, from sender: MailAddress, to: MailAddress, _ bytes: [UInt8], _ stop: TransferStop) {
        guard Self.isReady, let easy = unsafe curl_easy_init() else { return nil }
        guard let recipients = unsafe curl_slist_append(nil, to.description) else {
            unsafe curl_easy_cleanup(easy)
            return nil
        }
        unsafe self.easy = easy
        unsafe self.recipients = recipients
        unsafe reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        (self.server, self.sender, self.bytes, self.stop) = (server, sender, bytes, stop)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(recipients)
        unsafe reason.deallocate()
    }

    /// Sends it. Blocks until the server has taken or refused it.
    func run() -> Result<Void, MailError> {
        var code = prepare()
        if code == CURLE_OK { code = unsafe curl_easy_perform(easy) }
        // It says goodbye, but waits for no answer: one that is late must not hold up the next message.
        unsafe waymark_curl_hush(easy)
        return code == CURLE_OK ? .success(()) : .failure(error(code))
    }

    private func prepare() -> CURLcode {
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        // The path is what we call ourselves.
        let url = "\(server)/\(sender.domain)"
        let needsTLS = server.encryption == .none ? 0 : 1
        var codes = [
            unsafe waymark_curl_mail(
                easy, owner, url, sender.description, recipients, needsTLS, reason, Self.progress),
            unsafe waymark_curl_mail_within(easy, Self.timeout, Self.connectTimeout, Self.replySeconds),
            unsafe waymark_curl_upload(easy, owner, curl_off_t(bytes.count), Self.read, nil),
        ]
        if let file = server.authorities { unsafe codes.append(waymark_curl_authority(easy, file)) }
        if let logIn = server.logIn { unsafe codes.append(waymark_curl_log_in(easy, logIn.user, logIn.password)) }
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// A 5xx to what the message is, or to whom: later it would be the same. One to who we are is for the operator to
    /// change, and the message waits for that.
    private func error(_ code: CURLcode) -> MailError {
        let reply = unsafe waymark_curl_status(easy)
        let isAboutMessage = code == CURLE_SEND_ERROR || (code == CURLE_WEIRD_SERVER_REPLY && position > 0)
        if isAboutMessage, (500..<600).contains(reply), !(530..<540).contains(reply) { return .refused(reply: reply) }
        let said = unsafe String(cString: reason)
        let words = said.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : said
        return .notNow(reason: words)
    }

    // MARK: what libcurl calls

    private static let read: curl_read_callback = { room, size, count, owner in
        guard let owner = unsafe owner else { return Int(CURL_READFUNC_ABORT) }
        let transfer = unsafe Unmanaged<SMTPTransfer>.fromOpaque(owner).takeUnretainedValue()
        let (limit, overflow) = size.multipliedReportingOverflow(by: count)
        return overflow ? 0 : unsafe transfer.fill(UnsafeMutableRawBufferPointer(start: room, count: limit))
    }

    /// Anything but 0 ends the transfer.
    private static let progress: curl_xferinfo_callback = { owner, _, _, _, _ in
        guard let owner = unsafe owner else { return 1 }
        return unsafe Unmanaged<SMTPTransfer>.fromOpaque(owner).takeUnretainedValue().stop.isSet ? 1 : 0
    }

    private func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let part = bytes[position...].prefix(room.count)
        unsafe room.copyBytes(from: part)
        position += part.count
        return part.count
    }
}
