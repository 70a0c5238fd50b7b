import Contracts
import Fakes
import RPC
import Synchronization

/// Answers with what a test says of backups.
final class FakeSafety: DataSafetyServiceFake {
    let answer = Mutex(GetDataSafetyResponse())

    func getDataSafety(_ request: GetDataSafetyRequest, _ context: CallContext) async throws -> GetDataSafetyResponse {
        answer.withLock { $0 }
    }
}
