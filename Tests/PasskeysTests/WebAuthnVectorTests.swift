import FoundationEssentials
import TestTools
import Testing

@testable import Passkeys

/// An example of the standard, from Vectors/webauthn-3.json, which says where it is from.
struct WebAuthnVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Registration: Decodable {
        let challenge: String
        let clientDataJSON: String
        let attestationObject: String
    }

    struct Authentication: Decodable {
        let challenge: String
        let clientDataJSON: String
        let authenticatorData: String
        let signature: String
    }

    private struct File: Decodable { let vectors: [WebAuthnVector] }

    let name: String
    let registration: Registration
    let authentication: Authentication
    var testDescription: String { name }

    static let site = RelyingParty(id: "example.org", origins: ["https://example.org"])

    /// Why those are refused that are not taken.
    static let refusals: [String: PasskeyError] = [
        "none-es256-crossOrigin": .crossOrigin, "none-es256-topOrigin": .crossOrigin,
        "packed-es384": .key("the algorithm -35 is not known"), "packed-es512": .key("the algorithm -36 is not known"),
        "packed-ed448": .key("the algorithm -53 is not known"),
    ]

    static func all(in name: String = "webauthn-3") throws -> [WebAuthnVector] {
        let folder = #filePath.dropLast("/WebAuthnVectorTests.swift".count)
        let text = try WholeFile.text("\(folder)/Vectors/\(name).json")
        return try JSONDecoder().decode(File.self, from: Data(text.utf8)).vectors
    }

    func register() throws(PasskeyError) -> NewPasskey {
        try Self.site.register(
            clientData: Hex.bytes(registration.clientDataJSON),
            attestationObject: Hex.bytes(registration.attestationObject), challenge: Hex.bytes(registration.challenge),
            needsVerification: false)
    }

    func logIn(_ passkey: NewPasskey, signature: [UInt8]? = nil) throws(PasskeyError) -> PasskeyLogin {
        try Self.site.logIn(
            clientData: Hex.bytes(authentication.clientDataJSON),
            authenticatorData: Hex.bytes(authentication.authenticatorData),
            signature: signature ?? Hex.bytes(authentication.signature),
            challenge: Hex.bytes(authentication.challenge), passkey: KnownPasskey(passkey), needsVerification: false)
    }
}

extension KnownPasskey {
    init(_ new: NewPasskey, signCount: UInt32? = nil) {
        self.init(
            publicKey: new.publicKey, signCount: signCount ?? new.signCount, isBackupEligible: new.isBackupEligible)
    }
}

@Suite("Passkeys of the standard")
struct WebAuthnVectorTests {
    @Test("each is registered and logs in, whatever its maker says of it, or is refused for what it is")
    func all() throws {
        let vectors = try WebAuthnVector.all()
        #expect(vectors.count == 15)
        for vector in vectors {
            if let refusal = WebAuthnVector.refusals[vector.name] {
                #expect(throws: refusal, "\(vector.name)") { try vector.register() }
            } else {
                let passkey = try vector.register()
                let login = try vector.logIn(passkey)
                #expect(login.signCount == 0 && !passkey.id.isEmpty)
            }
        }
    }

    @Test("the longest id that there may be is one")
    func longID() throws {
        let vector = try #require(WebAuthnVector.all().first { $0.name == "none-es256-long-credential-id" })
        let passkey = try vector.register()
        #expect(passkey.id.count == NewPasskey.longestID)
    }

    @Test("a program that plays a device, and that others wrote, is understood; it lacks what Waymark demands")
    func soft() throws {
        let vector = try #require(try WebAuthnVector.all(in: "soft-webauthn").first)
        let passkey = try vector.register()
        #expect(passkey.id.count == 32 && passkey.signCount == 0 && !passkey.isBackupEligible)
        #expect(try vector.logIn(passkey) == PasskeyLogin(signCount: 1, isBackedUp: false, isVerified: false))
        #expect(throws: PasskeyError.userVerification) {
            try WebAuthnVector.site.register(
                clientData: Hex.bytes(vector.registration.clientDataJSON),
                attestationObject: Hex.bytes(vector.registration.attestationObject),
                challenge: Hex.bytes(vector.registration.challenge), needsVerification: true)
        }
    }

    @Test("none logs in with another one's signature")
    func mixed() throws {
        let vectors = try WebAuthnVector.all().filter { WebAuthnVector.refusals[$0.name] == nil }
        for (vector, other) in zip(vectors, vectors.dropFirst()) {
            let passkey = try vector.register()
            let signature = Hex.bytes(other.authentication.signature)
            #expect(throws: PasskeyError.signature) { try vector.logIn(passkey, signature: signature) }
        }
    }
}
