import Bytes
import Contracts
import EventLoops
import Files
import RPC
import Terminal

/// A file of pins on its way into the account.
struct PinFileImport: Sendable {
    let path: String
    /// Names the import, so that it begins once.
    let name: String
    /// Only say what the file has.
    let isTrial: Bool
    let options: ClientOptions

    /// What became of it.
    struct Outcome: Sendable {
        var `import` = PinImport()
        var bad: [BadPin] = []
    }

    /// Sends the file and has it read. A connection that ends in between is followed by another call, which goes on.
    func run(_ link: TargetLink, _ progress: (String) -> Void) async throws -> Outcome {
        let files = PinFileServiceClient(link.client)
        let file = try await link.blocking.run { [path] in
            try SentFile(path, StartPinImportRequest.byteCountRange)
        }
        let begin = StartPinImportRequest(
            fileName: path.split(at: "/").last.map(String.init) ?? path, byteCount: file.byteCount, requestId: name)
        let begun = try await files.startPinImport(begin, options.call)
        guard let id = begun.import?.id else { throw CommandFailure("the service did not begin the import") }
        do {
            try await send(file, Int(clamping: max(1, begun.maximumPartBytes)), to: id, files, link.blocking, progress)
            var outcome = Outcome()
            let request = RunPinImportRequest(id: id, isTrial: isTrial)
            for try await event in files.runPinImport(request, options.longCall) {
                switch event.event {
                case .progress(let now): progress(Self.line(now))
                case .badPin(let bad): outcome.bad.append(bad)
                case .import(let end): outcome.import = end
                case nil: break
                }
            }
            guard !outcome.import.id.isEmpty else {
                throw CommandFailure("the service stopped in the middle of the import")
            }
            if isTrial { _ = try await files.undoPinImport(UndoPinImportRequest(id: id), options.call) }
            return outcome
        } catch let error as RPCError where error.code == .invalidArgument {
            // Nothing of it is stored; its bytes are not kept either.
            _ = try? await files.undoPinImport(UndoPinImportRequest(id: id), options.call)
            throw error
        }
    }

    private func send(
        _ file: SentFile, _ partBytes: Int, to id: String, _ files: PinFileServiceClient, _ blocking: BlockingPool,
        _ progress: (String) -> Void
    ) async throws {
        let size = file.byteCount
        var sent: UInt64 = 0
        while sent < size {
            let data = try await blocking.run { [sent] in
                try file.part(at: sent, limit: min(partBytes, 1 << 20))
            }
            guard !data.isEmpty else { throw CommandFailure("\(path) became shorter while it was read") }
            let part = AddPinImportPartRequest(id: id, offset: sent, data: data)
            let received = try await files.addPinImportPart(part, options.call).receivedByteCount
            guard received > sent, received <= size else {
                throw CommandFailure("the service has \(received) of its \(size) bytes, which makes no sense")
            }
            sent = received
            progress("sending  \(ProgressLine.bar(Double(sent) / Double(size)))  \(Quantity.bytes(sent))")
        }
    }

    private static func line(_ now: PinImportProgress) -> String {
        guard now.pinCount > 0 else { return "reading  \(Quantity.count(now.doneCount, "pin"))" }
        let bar = ProgressLine.bar(Double(now.doneCount) / Double(now.pinCount))
        return "storing  \(bar)  \(Quantity.count(now.doneCount, "pin"))"
    }
}
