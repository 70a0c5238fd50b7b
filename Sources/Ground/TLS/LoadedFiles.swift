internal import COpenSSL

/// The content of a context's files, in OpenSSL's form.
///
/// `@unchecked Sendable`: OpenSSL counts references to an `SSL_CTX` atomically, and nothing changes it after `init`.
@safe
final class LoadedFiles: @unchecked Sendable {
    let handle: OpaquePointer
    let application: TLSContext.Application

    init(
        _ side: TLSContext.Side, _ files: TLSContext.Files, _ application: TLSContext.Application = .calls
    ) throws(TLSError) {
        self.application = application
        Self.prepareLibrary()
        guard let handle = unsafe SSL_CTX_new(side == .server ? TLS_server_method() : TLS_client_method()) else {
            throw .failed(ErrorQueue.drain()?.text ?? "no memory")
        }
        unsafe self.handle = handle
        let isSet = unsafe application == .web ? waymark_tls_for_browsers(handle) : waymark_tls13_only(handle)
        guard isSet == 1, unsafe SSL_CTX_set_num_tickets(handle, 0) == 1 else {
            throw .failed(ErrorQueue.drain()?.text ?? "no TLS of that version")
        }
        unsafe waymark_set_usual_modes(handle)
        // No one can type a passphrase here.
        unsafe SSL_CTX_set_default_passwd_cb(handle) { _, _, _, _ in -1 }
        if application == .calls || side == .server { try agreeOnProtocol(side) }
        try load(files)
        if files.authorities != nil {
            unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }
        ErrorQueue.clear()
    }

    deinit { unsafe SSL_CTX_free(handle) }

    /// A process ends while its loops may still run: OpenSSL must not take its tables away then.
    private static func prepareLibrary() { OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) }

    private func load(_ files: TLSContext.Files) throws(TLSError) {
        if let certificate = files.certificate {
            try check("certificate", certificate, unsafe SSL_CTX_use_certificate_chain_file(handle, certificate))
        }
        if let key = files.key {
            try check("key", key, unsafe SSL_CTX_use_PrivateKey_file(handle, key, SSL_FILETYPE_PEM))
        }
        if let authorities = files.authorities {
            try check("authorities", authorities, unsafe SSL_CTX_load_verify_file(handle, authorities))
        }
    }

    private func check(_ role: String, _ path: String, _ result: Int32) throws(TLSError) {
        guard result != 1 else { return }
        let cause = ErrorQueue.drain()
        let isSecret = cause?.library == ERR_LIB_PEM && cause?.reason == PEM_R_BAD_PASSWORD_READ
        let reason = isSecret ? "it has a passphrase" : cause?.text ?? "it can't be read"
        throw .file("\(path) can't be used for the TLS \(role): \(reason)")
    }

    private func agreeOnProtocol(_ side: TLSContext.Side) throws(TLSError) {
        guard side == .client else {
            if application == .calls {
                return unsafe SSL_CTX_set_alpn_select_cb(
                    handle,
                    { _, picked, length, offered, count, _ in
                        unsafe LoadedFiles.select(LoadedFiles.callNames, picked, length, offered, count)
                            ?? SSL_TLSEXT_ERR_ALERT_FATAL
                    }, nil)
            }
            // A client that offers neither is taken to speak HTTP/1.1.
            return unsafe SSL_CTX_set_alpn_select_cb(
                handle,
                { _, picked, length, offered, count, _ in
                    unsafe LoadedFiles.select(LoadedFiles.webNames, picked, length, offered, count)
                        ?? SSL_TLSEXT_ERR_NOACK
                }, nil)
        }
        let names = Self.named(TLSContext.protocolName)
        guard unsafe SSL_CTX_set_alpn_protos(handle, names, UInt32(names.count)) == 0 else {
            throw .failed("no memory")
        }
    }

    /// In the extension's format: a name after its length.
    private static func named(_ name: String) -> [UInt8] { [UInt8(name.utf8.count)] + name.utf8 }

    /// What a server speaks, the best first.
    private static let callNames = [named(TLSContext.protocolName)]
    private static let webNames = [named("h2"), named("http/1.1")]

    /// Picks the best of our protocols that is in the client's list; nil when none is.
    private static func select(
        _ names: [[UInt8]], _ picked: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ length: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ count: UInt32
    ) -> Int32? {
        guard let offered = unsafe offered else { return nil }
        let list = unsafe UnsafeBufferPointer(start: offered, count: Int(count))
        for name in names {
            var start = 0
            while start < list.count {
                let end = start + 1 + Int(unsafe list[start])
                guard end <= list.count else { break }
                if unsafe list[start..<end].elementsEqual(name) {
                    unsafe picked?.pointee = offered + start + 1
                    unsafe length?.pointee = list[start]
                    return SSL_TLSEXT_ERR_OK
                }
                start = end
            }
        }
        return nil
    }
}
