import Daemon
import RPC
import Storage
import Stores
import Testing

@Suite("P1 P26 A failure of storage is told by its kind")
struct StoreErrorTests {
    @Test(
        "with a code to act on and a sentence without paths or the engine's words",
        arguments: [
            (.busy, .resourceExhausted), (.locked, .unavailable), (.closed, .unavailable), (.full, .resourceExhausted),
            (.io, .unavailable), (.readOnly, .unavailable), (.cannotOpen, .unavailable), (.cancelled, .cancelled),
            (.deadlineExceeded, .deadlineExceeded), (.corrupt, .dataLoss), (.notADatabase, .dataLoss),
            (.constraint(.unique), .internalError), (.wrongType, .internalError), (.misuse, .internalError),
            (.migration, .internalError), (.outOfMemory, .internalError),
        ] as [(SQLError.Code, RPCCode)])
    func codes(code: SQLError.Code, expected: RPCCode) {
        let cause = SQLError(code, "database /secret/pins.db: no", cause: "SQLITE_X")
        let error = StoreError(cause, content: "pins").rpcError
        #expect(error.code == expected)
        #expect(!error.message.isEmpty)
        #expect(!error.message.contains("secret") && !error.message.contains("SQLITE"))
        #expect(error.cause as? SQLError == cause, "the log still gets everything")
    }
}
