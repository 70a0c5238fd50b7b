internal import Bytes
internal import COpenSSL

/// One side of a TLS connection, as a machine for bytes: it is given what the peer has sent, and returns what is to be
/// sent to it. It does no I/O, so it never waits.
@safe
package final class TLSSession {
    let handle: OpaquePointer
    private let pipe: BytePipe
    private let application: TLSContext.Application
    /// Bytes that a handshake needs besides what a session keeps: a client's hello may be of 131,396 bytes
    /// (`CLIENT_HELLO_MAX_LENGTH`), which OpenSSL holds until all of them have come. 174 KiB were measured in all.
    package static let handshakeBytes = 112 << 10

    /// Whether the peer has sent anything in TLS.
    package private(set) var hasBegun = false
    /// Whether the peer has announced that it sends nothing more.
    package private(set) var hasEnded = false
    private var hasSaidEnd = false
    /// Whether the last `write` took nothing, because the peer is in the middle of a TLS message itself.
    package private(set) var waitsForPeer = false

    init(_ files: LoadedFiles, _ side: TLSContext.Side) {
        let pipe = BytePipe()
        guard let bio = unsafe pipe.makeBIO(), let handle = unsafe SSL_new(files.handle) else {
            preconditionFailure("no memory for a TLS session")
        }
        // The session owns it from now on.
        unsafe SSL_set_bio(handle, bio, bio)
        unsafe side == .server ? SSL_set_accept_state(handle) : SSL_set_connect_state(handle)
        self.pipe = pipe
        application = files.application
        unsafe self.handle = handle
    }

    deinit { unsafe SSL_free(handle) }

    /// The certificate has to be for this name or numeric address, by an alternative name of its subject.
    func expect(_ host: String) throws(TLSError) {
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(handle), host) == 1 { return }
        ErrorQueue.clear()
        unsafe SSL_set_hostflags(
            handle, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        guard unsafe SSL_set1_host(handle, host) == 1, unsafe waymark_name_server(handle, host) == 1 else {
            ErrorQueue.clear()
            throw .failed("\(host) is no name of a host")
        }
    }

    /// Takes bytes that the peer has sent.
    package func receive(_ bytes: UnsafeRawBufferPointer) { unsafe pipe.receive(bytes) }

    /// Whether bytes from the peer were received and not processed yet.
    package var hasUnread: Bool { pipe.unreadCount > 0 }

    /// Whether there is output to be sent to the peer.
    package var hasOutput: Bool { pipe.hasOutput }

    /// Bytes of memory that the output uses; what an idle session keeps of it counts with the session.
    package var heldOutput: Int { pipe.hasOutput ? pipe.outputCapacity : 0 }

    /// Lends the output to `body`, which returns how much of it was sent.
    package func send<E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> Int) throws(E) {
        try unsafe pipe.send(body)
    }
}

// MARK: handshake

extension TLSSession {
    /// The kinds of records, 20 to 23: what a peer that speaks TLS begins with.
    private static let recordKinds: ClosedRange<UInt8> = 20...23

    /// Continues as far as the received bytes allow; true when the handshake is done. After an error there may be
    /// output that reports the reason to the peer.
    package func shakeHands() throws(TLSError) -> Bool {
        if let first = pipe.firstUnread, !hasBegun {
            guard Self.recordKinds.contains(first) else { throw .plainText }
            hasBegun = true
        }
        ErrorQueue.clear()
        let result = unsafe SSL_do_handshake(handle)
        guard result == 1 else {
            if unsafe SSL_get_error(handle, result) == SSL_ERROR_WANT_READ { return false }
            throw failure()
        }
        guard hasAgreed else { throw .otherProtocol }
        return true
    }

    private var hasAgreed: Bool {
        if application == .web { return true }
        var (name, count): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
        unsafe SSL_get0_alpn_selected(handle, &name, &count)
        return unsafe UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual(TLSContext.protocolName.utf8)
    }

    /// The peer's identity; nil when it presented no certificate, or when none was requested.
    package var peer: PeerIdentity? {
        guard unsafe SSL_get_verify_mode(handle) & SSL_VERIFY_PEER != 0,
            let certificate = unsafe SSL_get0_peer_certificate(handle)
        else { return nil }
        defer { ErrorQueue.clear() }
        return unsafe PeerIdentity(certificate: certificate)
    }
}

// MARK: data

extension TLSSession {
    /// Writes the peer's decrypted bytes into `room`; returns how many. With room for more than was received nothing is
    /// left over.
    package func read(into room: UnsafeMutableRawBufferPointer) throws(TLSError) -> Int {
        var count = 0
        ErrorQueue.clear()
        while count < room.count {
            var got = 0
            let result = unsafe SSL_read_ex(handle, room.baseAddress?.advanced(by: count), room.count - count, &got)
            guard result == 1 else {
                try explainStop(result)
                return count
            }
            count += got
            // Nothing is decrypted or half received: another read would only cost time.
            if pipe.unreadCount == 0, unsafe SSL_pending(handle) == 0 { return count }
        }
        return count
    }

    /// Takes bytes for the peer; returns how many. Fewer than all, that is 0, only when `waitsForPeer`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(TLSError) -> Int {
        var written = 0
        ErrorQueue.clear()
        let result = unsafe SSL_write_ex(handle, bytes.baseAddress, bytes.count, &written)
        waitsForPeer = result != 1
        if waitsForPeer { try explainStop(result) }
        return written
    }

    /// Announces that we send nothing more. A second call does nothing.
    package func end() {
        // OpenSSL would begin to wait for the peer's end.
        guard !hasSaidEnd else { return }
        hasSaidEnd = true
        _ = unsafe SSL_shutdown(handle)
        ErrorQueue.clear()
    }

    private func explainStop(_ result: Int32) throws(TLSError) {
        switch unsafe SSL_get_error(handle, result) {
        case SSL_ERROR_WANT_READ: return
        case SSL_ERROR_ZERO_RETURN: hasEnded = true
        default: throw failure()
        }
    }

    /// "certificate required" of "tlsv13 alert certificate required". OpenSSL's own names lack those that are new in
    /// 1.3.
    private static func alertName(_ text: String) -> String {
        let name = text.split(at: " ").drop { $0 != "alert" }.dropFirst()
        return name.isEmpty ? text : name.joined(separator: " ")
    }

    /// What went wrong, in words. An alert's reason code is its number plus 1000.
    private func failure() -> TLSError {
        guard let cause = ErrorQueue.drain() else { return .failed("no reason is known") }
        guard cause.library == ERR_LIB_SSL else { return .failed(cause.text) }
        switch cause.reason {
        case SSL_AD_REASON_OFFSET...SSL_AD_REASON_OFFSET + 255:
            return .alert(Self.alertName(cause.text))
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: return .noCertificate
        case SSL_R_CERTIFICATE_VERIFY_FAILED:
            return .certificate(unsafe String(cString: X509_verify_cert_error_string(SSL_get_verify_result(handle))))
        default: return .failed(cause.text)
        }
    }
}
