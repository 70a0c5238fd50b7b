import Crypto
package import Daemon
internal import EventLoops
package import RPC
package import Storage
package import Wire

/// A change that a caller requests under a name, so that the request can be repeated (P36).
package struct Change: Sendable {
    /// How long an answer is kept, in milliseconds: 24 hours.
    package static let lifeMilliseconds: Int64 = 86_400_000

    /// Empty when it has no name and is of no account.
    package let account: String
    /// Empty when the caller gave it no name.
    let id: String
    /// Distinguishes this change from another one with the same name.
    package let fingerprint: [UInt8]
    /// Milliseconds since 1970.
    package let time: Int64

    /// The change that `request` asks for.
    package init(
        _ id: String, _ request: some WireMessage, _ context: CallContext, clock: WallClock
    ) throws(RPCError) {
        account = id.isEmpty ? (try? context.account) ?? "" : try context.account
        self.id = id
        fingerprint = id.isEmpty ? [] : SHA256.digest(Array(context.method.path.utf8) + [0] + request.packedBytes())
        time = clock.unixMilliseconds
    }

    /// How a change recorded under the same name relates to this one.
    package enum Record {
        /// It was made so long ago that it no longer counts.
        case outlived
        /// The same change, requested before: its answer is returned again.
        case same
        /// Another change, so this one can't be made.
        case another
    }

    /// Compares with what was recorded under this change's name at `time`, in milliseconds since 1970.
    package func judge(_ recorded: [UInt8], at time: Int64) -> Record {
        if time < oldestRecord { return .outlived }
        return recorded == fingerprint ? .same : .another
    }

    /// The time of the oldest change that still counts, in milliseconds since 1970.
    package var oldestRecord: Int64 { time - Self.lifeMilliseconds }

    /// Whether it has a name, and so can be repeated.
    package var isNamed: Bool { !id.isEmpty }

    /// 64 hexadecimal digits, unique to the account and the name: for a file of its own.
    package var key: String {
        SHA256.digest(Array("\(account)\0\(id)".utf8)).reduce(into: "") { text, byte in
            text += String(byte >> 4, radix: 16) + String(byte & 0xf, radix: 16)
        }
    }
}

extension Database {
    /// Makes a change and records its answer, in one transaction; a change that was made before gets its first answer.
    /// When `body` refuses, nothing is changed and nothing recorded. `content` names what the store keeps: "pins".
    package func make<Response: WireMessage, Failure: Error>(
        _ change: Change, of content: String, _ scope: WriteScope = .everything,
        deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Result<Response, Failure>
    ) async throws -> Response {
        let result = try await StoreError.converting(content) { () async throws(SQLError) in
            try await write(scope, deadline: deadline) { transaction throws(SQLError) in
                try transaction.once(change, body)
            }
        }
        return try result.get()
    }
}

extension Transaction {
    fileprivate func once<Response: WireMessage, Failure: Error>(
        _ change: Change, _ body: (borrowing Transaction) throws(SQLError) -> Result<Response, Failure>
    ) throws(SQLError) -> Result<Response, any Error> {
        if change.id.isEmpty { return try outcome(body) }
        if let recorded = try recordedRequest(change.id, of: change.account, notBefore: change.oldestRecord) {
            guard recorded.fingerprint == change.fingerprint else { return .failure(RPCError.usedRequestID) }
            return Result { try Response(packed: recorded.answer) }
        }
        let outcome: Result<Response, any Error> = try outcome(body)
        if case .success(let response) = outcome {
            let recorded = RecordedRequest(fingerprint: change.fingerprint, answer: response.packedBytes())
            try record(recorded, change.id, of: change.account, at: change.time)
        }
        return outcome
    }

    private func outcome<Response, Failure: Error>(
        _ body: (borrowing Transaction) throws(SQLError) -> Result<Response, Failure>
    ) throws(SQLError) -> Result<Response, any Error> {
        switch try body(self) {
        case .success(let response): return .success(response)
        case .failure(let refusal):
            try undo()
            return .failure(refusal)
        }
    }
}

extension RPCError {
    /// The name of a change is that of another one: a conflict with what is stored, as the same request would be fine
    /// in another state of things.
    package static let usedRequestID = {
        let problem = "it named another change in the last 24 hours; each change needs a name of its own"
        let violation = FieldViolation(field: "request_id", description: problem)
        return RPCError(
            .alreadyExists, "request_id: \(problem)", details: StatusDetails(fieldViolations: [violation]))
    }()
}

extension CallContext {
    /// The caller's deadline, on the clock of the storage.
    package var storageDeadline: ContinuousClock.Instant? { remaining.map { .now + $0 } }
}
