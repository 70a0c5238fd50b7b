internal import Refusals

/// Why a token is refused. Each reads as a sentence for the log; of what was received at most a beginning is repeated.
package enum TokenError: Error, Equatable, CustomStringConvertible {
    case length(Int)
    /// Not three parts between dots; also an encrypted token, which has five.
    case form
    /// "header", "payload" or "signature": not base64url as it is written without padding.
    case encoding(of: String)
    /// "header" or "payload", and why it is no object of JSON.
    case json(of: String, problem: String)
    case algorithm(String?)
    /// The token demands that an extension is understood.
    case critical
    case type(String)
    case noKey(id: String?, algorithm: String)
    /// The token names no key, and several fit.
    case ambiguousKey(Int)
    case signature
    case issuer(String?)
    case audience
    case authorizedParty(String?)
    /// A claim that is not there, or not of its type.
    case missing(String, needed: String)
    case expired(at: Int64, now: Int64)
    case early(claim: String, at: Int64, now: Int64)
    case nonce
    case accessTokenHash
    case oldLogin(at: Int64, maxAge: Int64)
    /// A token of one kind where one of the other kind belongs.
    case kind(String)

    package var description: String {
        switch self {
        case .length(let count): "a token of \(count) bytes is not allowed; at most \(ReceivedToken.longest) are"
        case .form: "the token is not a header, a payload and a signature between two dots"
        case .encoding(let part): "the \(part) is not base64url without padding"
        case .json(let part, let problem): "the \(part) is no object of JSON: \(problem)"
        case .algorithm(let name): "alg: \(name?.quoted ?? "none") is not allowed; RS256, ES256 and EdDSA are"
        case .critical: "crit: it is not allowed; no extension is understood"
        case .type(let type): "typ: \(type.quoted) is not allowed here"
        case .noKey(let id, let algorithm):
            "no key of the issuer is for \(algorithm)\(id.map { " and has the kid \($0.quoted)" } ?? "")"
        case .ambiguousKey(let count): "kid: it is missing, and \(count) keys of the issuer fit"
        case .signature: "the signature is not of a key of the issuer"
        case .issuer(let issuer): "iss: \(issuer?.quoted ?? "none") is not the issuer that is configured"
        case .audience: "aud: it does not have this client's id"
        case .authorizedParty(let party): "azp: \(party?.quoted ?? "none") is not this client's id"
        case .missing(let claim, let needed): "\(claim): \(needed) is needed"
        case .expired(let time, let now): "exp: \(time) is over; it is \(now)"
        case .early(let claim, let time, let now): "\(claim): \(time) is still to come; it is \(now)"
        case .nonce: "nonce: it is not that of this login"
        case .accessTokenHash: "at_hash: it is not that of the access token"
        case .oldLogin(let time, let maxAge): "\(time) is not allowed; at most \(maxAge) seconds ago is"
        case .kind(let problem): problem
        }
    }
}
