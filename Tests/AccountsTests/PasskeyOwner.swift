import AccountContracts
import RPC
import TestKeys
import TestSupport
import Testing

@testable import Accounts

/// Someone with an account, a browser that is logged in, and a device for passkeys.
struct PasskeyOwner {
    let service: RunningAccounts
    let account: String
    let email: String
    /// The session that it calls with.
    var session: String
    var device: SoftPasskey
    /// What the device was told to call the account.
    var handle: [UInt8] = []

    init(_ service: RunningAccounts, _ email: String, id: UInt8 = 1) async throws {
        self.service = service
        self.email = email
        let session = try await service.signUp(email)
        account = try #require(session.account?.id)
        self.session = try #require(try await service.check(session.token)).session
        device = SoftPasskey(try SigningKey(.p256))
        device.id = [UInt8](repeating: id, count: 16)
    }

    var options: CallOptions { service.of(account, session: session) }

    /// Another session of the account, begun now.
    func another() async throws -> String {
        let session = try await service.logIn(email)
        return try #require(try await service.check(session.token)).session
    }

    func begin(_ options: CallOptions? = nil) async throws -> BeginPasskeyRegistrationResponse {
        try await service.passkeys.beginPasskeyRegistration(
            BeginPasskeyRegistrationRequest(), options ?? self.options)
    }

    /// What the device says to a challenge, as what it is now.
    func attestation(_ challenge: [UInt8], name: String = "") -> FinishPasskeyRegistrationRequest {
        FinishPasskeyRegistrationRequest(
            challenge: challenge, clientData: device.clientData("webauthn.create", challenge),
            attestationObject: device.attestationObject(), name: name, device: "Firefox")
    }

    func finish(
        _ request: FinishPasskeyRegistrationRequest, _ options: CallOptions? = nil
    ) async throws -> Passkey {
        let answer = try await service.passkeys.finishPasskeyRegistration(request, options ?? self.options)
        return try #require(answer.passkey)
    }

    @discardableResult
    mutating func register(name: String = "") async throws -> Passkey {
        let asked = try await begin()
        handle = asked.userHandle
        return try await finish(attestation(asked.challenge, name: name))
    }

    func challenge(from address: String = "192.0.2.1") async throws -> [UInt8] {
        try await service.passkeys.beginPasskeyLogIn(BeginPasskeyLogInRequest(), service.from(address)).challenge
    }

    /// What the device says at a log-in.
    func assertion(_ challenge: [UInt8]) throws -> FinishPasskeyLogInRequest {
        let (data, json) = (device.loginData(), device.clientData("webauthn.get", challenge))
        return FinishPasskeyLogInRequest(
            challenge: challenge, credentialId: device.id, clientData: json, authenticatorData: data,
            signature: try device.signature(of: data, json), userHandle: handle, device: "Firefox on Linux")
    }

    func logIn(_ request: FinishPasskeyLogInRequest, from address: String = "192.0.2.1") async throws -> NewSession {
        try #require(
            try await service.passkeys.finishPasskeyLogIn(request, service.from(address)).session)
    }

    /// A log-in from beginning to end.
    func logIn(from address: String = "192.0.2.1") async throws -> NewSession {
        try await logIn(try assertion(try await challenge(from: address)), from: address)
    }

    func list() async throws -> [Passkey] {
        try await service.passkeys.listPasskeys(ListPasskeysRequest(), options).passkeys
    }

    /// What happened, the newest first.
    func events() async throws -> [SecurityEventKind] {
        try await service.accounts.listSecurityEvents(ListSecurityEventsRequest(), options).events.map(\.kind)
    }
}
