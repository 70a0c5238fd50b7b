import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport

/// Files of pins in memory.
final class FakePinFiles: PinFileServiceFake, Sendable {
    /// What was sent, one part after the other.
    let received = Mutex<[UInt8]>([])
    /// The ids that were taken back.
    let undone = Mutex<[String]>([])

    static let id = "01a1f8cb-6901-7c14-b2c1-5071771f9950"
    static let bad = BadPin(fileName: "", number: 2, reason: "latitude 95.0 is not allowed")

    func startPinImport(
        _ request: StartPinImportRequest, _ context: CallContext
    ) async throws -> StartPinImportResponse {
        let new = PinImport(id: Self.id, fileName: request.fileName, byteCount: request.byteCount, state: .sent)
        return StartPinImportResponse(import: new, maximumPartBytes: 4)
    }

    func addPinImportPart(
        _ request: AddPinImportPartRequest, _ context: CallContext
    ) async throws -> AddPinImportPartResponse {
        received.withLock { received in
            received += request.data
            return AddPinImportPartResponse(receivedByteCount: UInt64(received.count))
        }
    }

    func runPinImport(
        _ request: RunPinImportRequest, _ responses: ResponseWriter<RunPinImportResponse>, _ context: CallContext
    ) async throws {
        guard received.withLock({ $0 != Array("broken".utf8) }) else {
            throw RPCError(.invalidArgument, "data: \"a.gpx\" can't be imported: it is no XML")
        }
        try await responses.write(RunPinImportResponse(event: .badPin(Self.bad)))
        let end = PinImport(
            id: request.id, fileName: "a.gpx", state: .done, pinCount: 3, addedCount: 2, knownCount: 1, badCount: 1)
        try await responses.write(RunPinImportResponse(event: .import(end)))
    }

    func undoPinImport(_ request: UndoPinImportRequest, _ context: CallContext) async throws -> UndoPinImportResponse {
        undone.withLock { $0.append(request.id) }
        return UndoPinImportResponse(import: PinImport(id: request.id, state: .undone, removedCount: 2))
    }

    func exportPins(
        _ request: ExportPinsRequest, _ responses: ResponseWriter<ExportPinsResponse>, _ context: CallContext
    ) async throws {
        for part in ["format ", "\(request.format.rawValue)"] {
            try await responses.write(ExportPinsResponse(data: Array(part.utf8), pinCount: 7))
        }
    }
}
