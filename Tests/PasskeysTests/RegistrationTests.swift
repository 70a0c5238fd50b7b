import Signatures
import TestKeys
import TestTools
import Testing

@testable import Passkeys

@Suite("New passkeys")
struct RegistrationTests {
    private static let challenge = Array("0123456789abcdef".utf8)
    private static let site = RelyingParty(
        id: "example.org", origins: ["https://example.org", "https://maps.example.org:8443"])

    private let passkey: SoftPasskey

    init() throws { passkey = SoftPasskey(try SigningKey.p256.get()) }

    private func changed(_ change: (inout SoftPasskey) -> Void) -> SoftPasskey {
        var passkey = passkey
        change(&passkey)
        return passkey
    }

    private static func register(
        _ passkey: SoftPasskey, object: [UInt8]? = nil, clientData: [UInt8]? = nil, site: RelyingParty = site,
        needsVerification: Bool = true
    ) throws(PasskeyError) -> NewPasskey {
        try site.register(
            clientData: clientData ?? passkey.clientData("webauthn.create", challenge),
            attestationObject: object ?? passkey.attestationObject(), challenge: challenge,
            needsVerification: needsVerification)
    }

    @Test("a good one is known by its id and its key", arguments: ["RS256", "ES256", "EdDSA"])
    func good(algorithm: String) throws {
        var passkey = SoftPasskey(try SigningKey.shared(algorithm))
        passkey.signCount = 0x0102_0304
        let new = try Self.register(passkey)
        #expect(new.id == passkey.id && new.publicKey == passkey.coseKey && new.signCount == 0x0102_0304)
        #expect(!new.isBackupEligible && !new.isBackedUp)
    }

    @Test("what the browser says is of this page, this challenge and this purpose")
    func clientData() throws {
        #expect(throws: PasskeyError.type("webauthn.get")) { try Self.register(changed { $0.type = "webauthn.get" }) }
        for origin in [
            "https://example.org/", "http://example.org", "https://example.org:443", "https://EXAMPLE.org", "",
            "https://example.org.attacker.example", "null", "android:apk-key-hash:AAAA",
        ] {
            #expect(throws: PasskeyError.origin(origin)) { try Self.register(changed { $0.origin = origin }) }
        }
        _ = try Self.register(changed { $0.origin = "https://maps.example.org:8443" })
        let other = passkey.clientData("webauthn.create", Self.challenge + [0])
        #expect(throws: PasskeyError.challenge) { try Self.register(passkey, clientData: other) }
    }

    @Test("a challenge of no bytes is none")
    func emptyChallenge() throws {
        #expect(throws: PasskeyError.challenge) {
            try Self.site.register(
                clientData: passkey.clientData("webauthn.create", []), attestationObject: passkey.attestationObject(),
                challenge: [], needsVerification: true)
        }
    }

    @Test(
        "the page is not in a frame of another one",
        arguments: [
            ("", true), (#","crossOrigin":false"#, true), (#","crossOrigin":true"#, false),
            (#","crossOrigin":"false""#, false), (#","crossOrigin":null"#, false),
            (#","crossOrigin":false,"topOrigin":"https://example.org""#, false),
            (#","crossOrigin":false,"more":{"a":[1]}"#, true),
        ])
    func frame(more: String, isTaken: Bool) throws {
        let passkey = changed { $0.more = more }
        if isTaken {
            _ = try Self.register(passkey)
        } else {
            #expect(throws: PasskeyError.crossOrigin) { try Self.register(passkey) }
        }
    }

    @Test("client data is one object of JSON, of at most 16 KiB")
    func clientDataForm() throws {
        let good = passkey.clientData("webauthn.create", Self.challenge)
        for text in [[], Array("[]".utf8), Array("null".utf8), good + [0x7d], [0xef, 0xbb, 0xbf] + good] {
            #expect {
                try Self.register(passkey, clientData: text)
            } throws: {
                if case .clientData? = $0 as? PasskeyError { true } else { false }
            }
        }
        #expect(throws: PasskeyError.clientData("16385 bytes are not allowed")) {
            try Self.register(passkey, clientData: good + [UInt8](repeating: 0x20, count: 16_385 - good.count))
        }
        #expect(throws: PasskeyError.clientData("it is no JSON: a member is there twice")) {
            try Self.register(changed { $0.more = #","origin":"https://attacker.example""# })
        }
        #expect(throws: PasskeyError.type(nil)) { try Self.register(passkey, clientData: Array("{}".utf8)) }
    }

    @Test("it is for this site")
    func site() {
        for site in ["attacker.example", "maps.example.org", ""] {
            #expect(throws: PasskeyError.relyingParty) { try Self.register(changed { $0.site = site }) }
        }
    }

    @Test("a user was there, and verified where that is demanded")
    func user() throws {
        #expect(throws: PasskeyError.userPresence) { try Self.register(changed { $0.flags = 0x04 }) }
        #expect(throws: PasskeyError.userVerification) { try Self.register(changed { $0.flags = 0x01 }) }
        _ = try Self.register(changed { $0.flags = 0x01 }, needsVerification: false)
    }

    @Test("only what may be backed up is backed up")
    func backup() throws {
        let eligible = try Self.register(changed { $0.flags = 0x0d })
        #expect(eligible.isBackupEligible && !eligible.isBackedUp)
        let backedUp = try Self.register(changed { $0.flags = 0x1d })
        #expect(backedUp.isBackupEligible && backedUp.isBackedUp)
        #expect(throws: PasskeyError.backupState) { try Self.register(changed { $0.flags = 0x15 }) }
    }

    @Test("its algorithm was offered")
    func offered() {
        let site = RelyingParty(id: "example.org", origins: ["https://example.org"], offered: [.rs256])
        #expect(throws: PasskeyError.algorithm(-7)) { try Self.register(passkey, site: site) }
    }

    @Test("its id has 1 to 1,023 bytes")
    func ids() throws {
        for count in [1, 255, 256, 1023] {
            let new = try Self.register(changed { $0.id = [UInt8](repeating: 9, count: count) })
            #expect(new.id.count == count)
        }
        for count in [0, 1024, 60_000] {
            #expect(throws: PasskeyError.credentialID(count)) {
                try Self.register(changed { $0.id = [UInt8](repeating: 9, count: count) })
            }
        }
    }

    @Test("statements of makers are passed over, but none says nothing")
    func statements() throws {
        let statement = CBORText.map([
            (CBORText.text("alg"), CBORText.number(-7)), (CBORText.text("sig"), CBORText.bytes([1])),
        ])
        let packed = try Self.register(
            passkey, object: passkey.attestationObject(format: "packed", statement: statement))
        let none = try Self.register(passkey)
        #expect(packed == none)
        #expect(throws: PasskeyError.attestationObject("attStmt: with the format none it is empty")) {
            try Self.register(passkey, object: passkey.attestationObject(statement: statement))
        }
    }

    @Test("an attestation object is one map with three members, of at most 64 KiB")
    func objects() throws {
        let data = CBORText.bytes(passkey.attestedData())
        let (format, statement) = (CBORText.text("none"), CBORText.map([]))
        let names = ["fmt", "attStmt", "authData"].map { CBORText.text($0) }
        for missing in 0..<3 {
            var members = Array(zip(names, [format, statement, data]))
            members.remove(at: missing)
            #expect(throws: PasskeyError.attestationObject("fmt, attStmt and authData are needed")) {
                try Self.register(passkey, object: CBORText.map(members))
            }
        }
        #expect(throws: PasskeyError.attestationObject("it is no CBOR: a member is there twice")) {
            try Self.register(
                passkey, object: CBORText.map(Array(zip(names + names[2...], [format, statement, data, data]))))
        }
        #expect(throws: PasskeyError.attestationObject("it is no CBOR: 1 bytes follow")) {
            try Self.register(passkey, object: passkey.attestationObject() + [0])
        }
        #expect(throws: PasskeyError.attestationObject("65537 bytes are not allowed")) {
            try Self.register(passkey, object: [UInt8](repeating: 0, count: 65_537))
        }
    }

    @Test("a credential that ends within its length or its id is cut short")
    func cutCredential() {
        let data = passkey.attestedData()
        for count in [37, 52, 53, 54, 55, 70] {
            #expect(throws: PasskeyError.authenticatorData("it is cut short"), "\(count) bytes") {
                try Self.register(passkey, object: passkey.attestationObject(Array(data[..<count])))
            }
        }
        #expect(throws: PasskeyError.authenticatorData("36 bytes are not allowed; at least 37 are")) {
            try Self.register(passkey, object: passkey.attestationObject(Array(data[..<36])))
        }
    }

    @Test("what follows the credential is what the flags announce")
    func extensions() throws {
        let map = CBORText.map([(CBORText.text("credProtect"), CBORText.number(2))])
        func extended(_ flags: UInt8, _ bytes: [UInt8]) -> SoftPasskey {
            changed {
                $0.flags = flags
                $0.extensions = bytes
            }
        }
        let new = try Self.register(extended(0x85, map))
        #expect(new.publicKey == passkey.coseKey)
        for (flags, bytes) in [(0x05, map), (0x85, []), (0x85, map + [0]), (0x85, [0x80]), (0x85, [0xbf, 0xff])]
            as [(UInt8, [UInt8])]
        {
            #expect {
                try Self.register(extended(flags, bytes))
            } throws: {
                if case .authenticatorData? = $0 as? PasskeyError { true } else { false }
            }
        }
    }

    @Test("without a credential there is nothing to keep")
    func noCredential() {
        #expect(throws: PasskeyError.noCredential) {
            try Self.register(passkey, object: passkey.attestationObject(passkey.loginData()))
        }
    }

    @Test("an object that is cut anywhere is refused, and one with a byte changed never ends the program")
    func malformed() {
        let object = passkey.attestationObject()
        for count in object.indices {
            #expect(throws: PasskeyError.self) { try Self.register(passkey, object: Array(object[..<count])) }
        }
        let data = passkey.attestedData()
        for count in data.indices {
            #expect(throws: PasskeyError.self) {
                try Self.register(passkey, object: passkey.attestationObject(Array(data[..<count])))
            }
        }
        for index in object.indices {
            for value in (0..<8).map({ object[index] ^ 1 << $0 }) + [0, 0x5f, 0xff] {
                var changed = object
                changed[index] = value
                _ = try? Self.register(passkey, object: changed)
            }
        }
    }

    @Test("each refusal is a sentence that repeats no more than a beginning of what came")
    func sentences() {
        let long = String(repeating: "x", count: 10_000)
        let errors: [PasskeyError] = [
            .clientData("no"), .type(long), .type(nil), .challenge, .origin(long), .origin(nil), .crossOrigin,
            .attestationObject("no"), .authenticatorData("no"), .relyingParty, .userPresence, .userVerification,
            .backupState, .backupEligibility, .noCredential, .credentialID(0), .key("no"), .algorithm(-7), .signature,
            .counter(stored: 2, received: 1),
        ]
        let sentences = errors.map(\.description)
        #expect(sentences.allSatisfy { (10...150).contains($0.count) })
        #expect(Set(sentences).count == errors.count)
    }
}
