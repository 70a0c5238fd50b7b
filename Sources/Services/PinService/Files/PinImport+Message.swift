import PinContracts
import RPC
import Wire

extension PinContracts.PinImport {
    init(_ it: PinImport) {
        self.init(
            id: it.id, fileName: it.fileName, byteCount: UInt64(clamping: it.byteCount),
            state: PinImportState(it.state), createTime: TimestampMessage(unixMilliseconds: it.createdMilliseconds),
            pinCount: UInt64(clamping: it.counts.pins), addedCount: UInt64(clamping: it.addedCount),
            knownCount: UInt64(clamping: it.doneCount - it.addedCount), badCount: UInt64(clamping: it.counts.bad),
            passedCount: UInt64(clamping: it.counts.passed), shortenedCount: UInt64(clamping: it.counts.shortened),
            removedCount: UInt64(clamping: it.removedCount), listCount: UInt64(clamping: it.counts.lists),
            leftOutListCount: UInt64(clamping: it.counts.leftOutLists),
            unplacedCount: UInt64(clamping: it.counts.unplaced), trackCount: UInt64(clamping: it.counts.tracks),
            addedTrackCount: UInt64(clamping: it.addedTracks), removedTrackCount: UInt64(clamping: it.removedTracks))
    }
}

extension PinImportState {
    init(_ state: PinImport.State) {
        switch state {
        case .sent: self = .sent
        case .running: self = .running
        case .done: self = .done
        case .undone: self = .undone
        }
    }
}

extension PinImportError: RPCErrorConvertible {
    package var rpcError: RPCError {
        switch self {
        case .notFound(let id): RPCError(.notFound, "there is no import \(id)")
        case .tooMany:
            RPCError(
                .resourceExhausted,
                "\(PinImport.maximumSent) files were sent and not read; run or undo one of their imports first")
        case .gap(let offset, let received):
            RPCError(.failedPrecondition, "offset: \(offset) is not allowed; the next part begins at \(received)")
        case .tooLong(let count):
            RPCError(.failedPrecondition, "data: the file has more bytes than the \(count) that were announced")
        case .incomplete(let received, let count):
            RPCError(
                .failedPrecondition, "only \(received) of \(count) bytes are stored; send the rest before it is run")
        case .closed(.undone): RPCError(.failedPrecondition, "the import was taken back; begin another one")
        case .closed: RPCError(.failedPrecondition, "its file was read already, or is kept no more; begin another one")
        case .overtaken: RPCError(.aborted, "another call runs this import or takes it back; ask again")
        case .badFile(let name, let reason): .invalid("data", "\(name) can't be imported: \(reason)")
        }
    }
}
