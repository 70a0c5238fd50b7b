internal import HTTPClient
internal import JSONStream

// The older form of Facebook's logins: an app has an access token of the Graph, which says nothing by itself.

extension ProviderAgent {
    /// Whose access token an app has. It counts only when the Graph says that it was made for our own app: a token that
    /// someone gave to any other app would log in otherwise.
    package func person(graphToken token: String) async throws(ProviderFailure) -> ProvenPerson {
        guard let graph = config.graph, let secret = config.clientSecret else {
            throw .unproven("access tokens are taken of Facebook alone; an ID token is needed")
        }
        let inspected = try await object(
            "\(graph)/debug_token", [("input_token", token), ("access_token", "\(config.clientID)|\(secret)")])
        guard let data = inspected["data"]?.object, data["is_valid"] == .literal(.yes) else {
            throw .unproven("the token is not valid")
        }
        guard data["app_id"]?.isString(config.clientID) ?? false else {
            throw .unproven("the token is for another app")
        }
        guard let subject = data["user_id"]?.string, (1...40).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            throw .unproven("the token is of no person")
        }
        let profile = try await object("\(graph)/me", [("fields", "id,name,email"), ("access_token", token)])
        guard profile["id"]?.isString(subject) ?? false else { throw .unproven("the token is of two persons") }
        return ProvenPerson(
            issuer: config.issuer, subject: subject, email: Self.line(profile["email"]),
            isConfirmed: config.trustsEmail, name: Self.line(profile["name"]))
    }

    /// A text that may be kept; nil when it is too long, or has control characters.
    private static func line(_ value: JSONValue?) -> String? {
        guard let text = value?.string, (1...255).contains(text.utf8.count) else { return nil }
        return text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } ? text : nil
    }

    private func object(
        _ address: String, _ fields: [(String, String)]
    ) async throws(ProviderFailure) -> [String: JSONValue] {
        let answer = try await send(
            HTTPClientRequest(url: "\(address)?\(FormText.text(fields))", headers: [("Accept", "application/json")]))
        // It refuses a token with this status.
        if answer.status == 400 { throw .unproven("the Graph refuses the token") }
        guard answer.status == 200, let value = try? JSONValue(reading: answer.body), let members = value.object else {
            throw .away("the Graph answers \(answer.status)")
        }
        return members
    }
}
