import Crypto
import TestKeys
import Testing

@testable import Passkeys

@Suite("Logins with passkeys")
struct LoginTests {
    private static let challenge = Array("0123456789abcdef".utf8)
    private static let site = RelyingParty(id: "example.org", origins: ["https://example.org"])

    private let passkey: SoftPasskey

    init() throws { passkey = SoftPasskey(try SigningKey.p256.get()) }

    /// A login with what `said` says, of the passkey that was registered by `known`, or like it.
    private static func logIn(
        _ said: SoftPasskey, known: KnownPasskey? = nil, data: [UInt8]? = nil, clientData: [UInt8]? = nil,
        signature: [UInt8]? = nil, needsVerification: Bool = true
    ) throws -> PasskeyLogin {
        let (data, json) = (data ?? said.loginData(), clientData ?? said.clientData("webauthn.get", challenge))
        let known = known ?? KnownPasskey(publicKey: said.coseKey, signCount: 0, isBackupEligible: false)
        return try site.logIn(
            clientData: json, authenticatorData: data, signature: signature ?? said.signature(of: data, json),
            challenge: challenge, passkey: known, needsVerification: needsVerification)
    }

    private func changed(_ change: (inout SoftPasskey) -> Void) -> SoftPasskey {
        var passkey = passkey
        change(&passkey)
        return passkey
    }

    @Test("a good one passes, and says what to store", arguments: ["RS256", "ES256", "EdDSA"])
    func good(algorithm: String) throws {
        var passkey = SoftPasskey(try SigningKey.shared(algorithm))
        passkey.signCount = 7
        let login = try Self.logIn(passkey)
        #expect(login == PasskeyLogin(signCount: 7, isBackedUp: false, isVerified: true))
    }

    @Test("nobody else's signature passes", arguments: ["RS256", "ES256", "EdDSA"])
    func stranger(algorithm: String) throws {
        let known = KnownPasskey(publicKey: passkey.coseKey, signCount: 0, isBackupEligible: false)
        let key = try SigningKey.shared(algorithm)
        let stranger = SoftPasskey(try SigningKey(key.kind))
        #expect(throws: PasskeyError.signature) { try Self.logIn(stranger, known: known) }
    }

    @Test("the bytes that the browser wrote are what is signed, blanks and all")
    func received() throws {
        let json = Array(
            #" { "origin" : "https:\/\/example.org", "challenge":"MDEyMzQ1Njc4OWFiY2RlZg",  "type" : "webauthn.get" } "#
                .utf8)
        _ = try Self.logIn(passkey, clientData: json)
        let data = passkey.loginData()
        let compact = passkey.clientData("webauthn.get", Self.challenge)
        let signature = try passkey.signature(of: data, compact)
        #expect(throws: PasskeyError.signature) { try Self.logIn(passkey, clientData: json, signature: signature) }
    }

    @Test("it is for this page, this challenge and this purpose")
    func clientData() {
        #expect(throws: PasskeyError.type("webauthn.create")) {
            try Self.logIn(changed { $0.type = "webauthn.create" })
        }
        #expect(throws: PasskeyError.type("payment.get")) { try Self.logIn(changed { $0.type = "payment.get" }) }
        #expect(throws: PasskeyError.origin("https://attacker.example")) {
            try Self.logIn(changed { $0.origin = "https://attacker.example" })
        }
        #expect(throws: PasskeyError.crossOrigin) { try Self.logIn(changed { $0.more = #","crossOrigin":true"# }) }
        let other = passkey.clientData("webauthn.get", Array("another challenge".utf8))
        #expect(throws: PasskeyError.challenge) { try Self.logIn(passkey, clientData: other) }
    }

    @Test("it is for this site, with a user who was there, and verified where that is demanded")
    func flags() throws {
        #expect(throws: PasskeyError.relyingParty) { try Self.logIn(changed { $0.site = "attacker.example" }) }
        #expect(throws: PasskeyError.userPresence) { try Self.logIn(changed { $0.flags = 0x04 }) }
        #expect(throws: PasskeyError.userVerification) { try Self.logIn(changed { $0.flags = 0x01 }) }
        let unverified = try Self.logIn(changed { $0.flags = 0x01 }, needsVerification: false)
        #expect(!unverified.isVerified)
    }

    @Test("whether it may be backed up never changes")
    func backup() throws {
        func known(_ isEligible: Bool) -> KnownPasskey {
            KnownPasskey(publicKey: passkey.coseKey, signCount: 0, isBackupEligible: isEligible)
        }
        let backedUp = try Self.logIn(changed { $0.flags = 0x1d }, known: known(true))
        #expect(backedUp.isBackedUp)
        let notYet = try Self.logIn(changed { $0.flags = 0x0d }, known: known(true))
        #expect(!notYet.isBackedUp)
        #expect(throws: PasskeyError.backupEligibility) {
            try Self.logIn(changed { $0.flags = 0x0d }, known: known(false))
        }
        #expect(throws: PasskeyError.backupEligibility) { try Self.logIn(passkey, known: known(true)) }
        #expect(throws: PasskeyError.backupState) { try Self.logIn(changed { $0.flags = 0x15 }, known: known(true)) }
    }

    @Test(
        "a counter grows, unless it is always 0",
        arguments: [
            (0, 0, true), (0, 1, true), (1, 2, true), (5, .max, true), (1, 0, false), (1, 1, false), (2, 1, false),
            (.max, .max, false), (.max, 0, false),
        ] as [(UInt32, UInt32, Bool)])
    func counter(stored: UInt32, received: UInt32, passes: Bool) throws {
        let known = KnownPasskey(publicKey: passkey.coseKey, signCount: stored, isBackupEligible: false)
        let said = changed { $0.signCount = received }
        if passes {
            let login = try Self.logIn(said, known: known)
            #expect(login.signCount == received)
        } else {
            #expect(throws: PasskeyError.counter(stored: stored, received: received)) {
                try Self.logIn(said, known: known)
            }
        }
    }

    @Test("what is wrong with the counter is said only of one that could sign")
    func order() throws {
        let known = KnownPasskey(publicKey: passkey.coseKey, signCount: 9, isBackupEligible: false)
        #expect(throws: PasskeyError.signature) { try Self.logIn(passkey, known: known, signature: [1, 2, 3]) }
    }

    @Test("a stored key has nothing behind it")
    func storedKey() {
        let known = KnownPasskey(publicKey: passkey.coseKey + [0], signCount: 0, isBackupEligible: false)
        #expect(throws: PasskeyError.key("bytes follow")) { try Self.logIn(passkey, known: known) }
    }

    @Test("a signature of 64 bytes, as JSON Web Tokens have it, is none")
    func fixedWidth() throws {
        let (data, json) = (passkey.loginData(), passkey.clientData("webauthn.get", Self.challenge))
        let signature = try passkey.key.fixedWidthSignature(of: data + SHA256.digest(json))
        #expect(throws: PasskeyError.signature) { try Self.logIn(passkey, signature: signature) }
    }

    @Test("a login of which anything is cut or changed is refused", arguments: ["RS256", "ES256", "EdDSA"])
    func changed(algorithm: String) throws {
        let passkey = SoftPasskey(try SigningKey.shared(algorithm))
        let (data, json) = (passkey.loginData(), passkey.clientData("webauthn.get", Self.challenge))
        let signature = try passkey.signature(of: data, json)
        _ = try Self.logIn(passkey, data: data, clientData: json, signature: signature)
        for part in 0..<3 {
            let parts = [data, json, signature]
            for index in parts[part].indices {
                var (cut, flipped, high) = (parts, parts, parts)
                cut[part] = Array(parts[part][..<index])
                flipped[part][index] ^= 1
                high[part][index] ^= 0x80
                for wrong in [cut, flipped, high] {
                    #expect(throws: PasskeyError.self, "\(part) \(index)") {
                        try Self.logIn(passkey, data: wrong[0], clientData: wrong[1], signature: wrong[2])
                    }
                }
            }
        }
    }
}
