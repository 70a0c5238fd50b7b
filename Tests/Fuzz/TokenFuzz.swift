// A libFuzzer target, built by script/fuzz with Sources/Logins/OpenIDConnect, and OpenSSL and yajl behind it.
//
// An input is a token, and also what a provider sends beside: keys, a discovery document, an answer. What must hold:
// nothing crashes, and nothing passes but what RFC 7515 signed in its example A.3, which is one of the seeds.

private let signed =
    "eyJhbGciOiJFUzI1NiJ9."
    + "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."

private let keys = """
    {"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
    """
private let keySet = try? KeySet(reading: Array(keys.utf8))
private let issuer = "https://id.example.org"
private let now: Int64 = 1_300_819_000

private func check(_ token: ReceivedToken, _ text: String) {
    guard let keySet else { preconditionFailure("the example's key is refused") }
    if (try? token.check(by: keySet)) != nil { precondition(text.hasPrefix(signed), "another token passes") }
    let rules = IDTokenRules(issuers: ["joe"], clientID: "a", nonce: "n", maxAge: 60, accessToken: "b")
    precondition((try? IDToken(token, from: keySet, by: rules, at: now)) == nil, "the example is for no client")
    let logout = try? LogoutToken(token, from: keySet, issuers: ["joe"], clientID: "a", at: now)
    precondition(logout == nil, "the example is no log-out")
    _ = try? token.claims.checkAudience("a")
    _ = try? token.claims.checkTimes(at: now, needsEnd: true)
    _ = try? token.claims.identifier("sub")
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzToken(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: input, as: UTF8.self)
    if let token = try? ReceivedToken(text) { check(token, text) }
    _ = try? KeySet(reading: input)
    _ = try? ProviderMetadata(reading: input, issuer: issuer, allowsHTTP: true)
    _ = try? TokenAnswer(reading: input)
    _ = KeySetCache.life(text)
    return 0
}
