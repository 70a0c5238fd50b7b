// A libFuzzer target, built by script/fuzz with Sources/Logins/Passkeys, and OpenSSL and yajl behind it.
//
// An input is an attestation object, and also each thing in one. What must hold: nothing crashes, an object that is
// taken is not taken when its last byte is missing, and no passkey logs in with a signature that was not made with it.

private let site = RelyingParty(id: "example.org", origins: ["https://example.org"])
private let challenge = [UInt8](repeating: 0, count: 16)

private func clientData(_ type: String) -> [UInt8] {
    let challenge = String(repeating: "A", count: 22)
    return Array(#"{"type":"\#(type)","challenge":"\#(challenge)","origin":"https://example.org"}"#.utf8)
}

private func register(_ object: [UInt8]) -> NewPasskey? {
    try? site.register(
        clientData: clientData("webauthn.create"), attestationObject: object, challenge: challenge,
        needsVerification: false)
}

private func logIn(_ passkey: NewPasskey, _ data: [UInt8], _ signature: [UInt8]) -> PasskeyLogin? {
    let known = KnownPasskey(
        publicKey: passkey.publicKey, signCount: passkey.signCount, isBackupEligible: passkey.isBackupEligible)
    return try? site.logIn(
        clientData: clientData("webauthn.get"), authenticatorData: data, signature: signature, challenge: challenge,
        passkey: known, needsVerification: false)
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPasskey(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    _ = try? CBOR(reading: input)
    _ = try? COSEKey.read(input[...])
    _ = try? AuthenticatorData(reading: input)
    _ = try? ClientData.check(input, type: "webauthn.get", challenge: challenge, origins: ["https://example.org"])
    guard let passkey = register(input) else { return 0 }
    precondition(register(Array(input.dropLast())) == nil, "a cut is not seen")
    precondition(passkey.id.count <= NewPasskey.longestID, "the id is longer than ids are")
    precondition(logIn(passkey, input, input) == nil, "something else than a signature passes")
    return 0
}
