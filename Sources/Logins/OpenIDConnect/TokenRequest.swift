internal import Bytes
internal import FoundationEssentials
internal import JSONStream
package import Refusals

/// The request that turns a code into tokens (OpenID Connect Core 1.0, section 3.1.3): a POST to the token endpoint.
package struct TokenRequest: Sendable, Equatable {
    package static let contentType = "application/x-www-form-urlencoded"

    /// The header `Authorization`, if there is one.
    package let authorization: String?
    /// Of that content type.
    package let body: String

    package init(code: String, of login: Authorization, at provider: ProviderMetadata) throws(Refusal) {
        let client = login.client
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", client.redirectURI),
            ("code_verifier", login.verifier),
        ]
        let secret = client.secret ?? ""
        switch try provider.authentication(of: client) {
        case .basic:
            // Encoded before they are joined (RFC 6749, section 2.3.1).
            let pair = "\(URLText.escaped(client.id)):\(URLText.escaped(secret))"
            authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
        case .post:
            authorization = nil
            fields += [("client_id", client.id), ("client_secret", secret)]
        case .none:
            authorization = nil
            fields.append(("client_id", client.id))
        }
        body = Form.text(fields)
    }
}

/// Names and values as in queries and forms, with a space as %20, which both read.
enum Form {
    static func text(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(URLText.escaped($0.name))=\(URLText.escaped($0.value))" }.joined(separator: "&")
    }
}

/// What the token endpoint answers (RFC 6749, sections 5.1 and 5.2).
package struct TokenAnswer: Sendable, Equatable {
    /// Bytes of the JSON.
    package static let longest = 64 << 10

    package let accessToken: String
    /// Not checked yet.
    package let idToken: String

    package init(reading json: [UInt8]) throws(Refusal) {
        let document = try Document(json, "token answer", longest: Self.longest)
        if let error = document.members["error"]?.string {
            let more = document.members["error_description"]?.string.map { ": \($0.quoted)" } ?? ""
            throw Refusal("error", "the provider answers \(error.quoted)\(more)")
        }
        accessToken = try document.text("access_token")
        idToken = try document.text("id_token")
        let type = try document.text("token_type")
        guard type.lowercased() == "bearer" else { throw Refusal("token_type", text: type, allowed: "Bearer is") }
        for (name, text) in [("access_token", accessToken), ("id_token", idToken)]
        where text.utf8.count > ReceivedToken.longest {
            throw Refusal(name, text.utf8.count, "bytes", allowed: "at most \(ReceivedToken.longest) are")
        }
    }
}
