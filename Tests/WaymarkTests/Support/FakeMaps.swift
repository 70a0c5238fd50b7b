import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport

/// Answers with the picture that a test gives, and notes what it is asked.
final class FakeMaps: MapServiceFake {
    let asked = Mutex<[GetPinMapRequest]>([])
    let picture = Mutex(GetPinMapResponse())

    func getPinMap(_ request: GetPinMapRequest, _ context: CallContext) async throws -> GetPinMapResponse {
        asked.withLock { $0.append(request) }
        return picture.withLock { $0 }
    }
}
