package import RPC
package import Storage
import PictureCalls
import Wire

extension PhotoError: RPCErrorConvertible {
    package var rpcError: RPCError {
        switch self {
        case .noPhoto(let id): RPCError(.notFound, "no photo is stored with the id \"\(id.text.prefix(100))\"")
        case .noUpload(let id):
            RPCError(.notFound, "this account has no upload \"\(id.prefix(100))\"; it may be over: begin again")
        case .unfinished(let received, let all):
            RPCError(.failedPrecondition, "\(received) of \(all) bytes of the upload are stored; send the others first")
        case .otherBytes:
            RPCError(.failedPrecondition, "the bytes are not those that `sha256` is of; begin the upload again")
        case .tooManyUploads(let bytes):
            RPCError(
                .resourceExhausted,
                "the unfinished uploads of this account have \(bytes) bytes, \(UploadLimit.unfinishedBytes) are the"
                    + " limit; finish some first, or wait a day")
        case .overQuota(let bytes, let quota):
            RPCError(
                .failedPrecondition,
                "byte_count: the photos that this account has uploaded have \(bytes) of the \(quota) bytes that they "
                    + "may have; delete some, or ask who runs this Waymark for more (--photo-quota)")
        case .unusable(.noPosition):
            RPCError(
                .failedPrecondition, "the picture does not say where it was taken; name a pin, whose position it gets")
        case .unusable(let problem): RPCError(.failedPrecondition, "the picture can't be used: \(problem)")
        case .noAlbum(.pin(let id)): RPCError(.notFound, "no pin \(id) of this account has an album")
        case .noAlbum(.place(let id)):
            RPCError(
                .notFound,
                "no pin of this account has found a place \"\(id.prefix(100))\"; a pin around it makes its photos known"
            )
        case .notInAlbum(let id, let subject):
            RPCError(.notFound, "\"\(id.text.prefix(100))\" is not in the album of \(subject.text.prefix(100))")
        case .notFinal(let subject, let state): .notFinal(subject, state)
        case .tooSoon(let milliseconds): .tooSoon(milliseconds)
        case .noPicture(let id, let state): .noPicture(id, state)
        case .noCredit(let id):
            RPCError(
                .failedPrecondition,
                "\"\(id.text.prefix(100))\" is not shown without what \(id.network) demands: who made it, its licence "
                    + "and its page")
        case .notUploaded(let id):
            RPCError(
                .failedPrecondition,
                "\"\(id.text.prefix(100))\" was not uploaded by this account; PICTURE_SIZE_LARGE is its largest")
        case .noFolder:
            RPCError(.failedPrecondition, "the service has no folder of pictures; --pictures DIR names one")
        case .late(let id):
            RPCError(.unavailable, "the picture of \"\(id.text.prefix(100))\" is still being made; ask again")
        case .stopping: RPCError(.unavailable, "the service is stopping; try again")
        }
    }
}

extension RPCError {
    fileprivate static func notFinal(_ subject: AlbumSubject, _ state: AlbumState) -> RPCError {
        let name = subject.text.prefix(100)
        if state == .listed {
            return RPCError(.failedPrecondition, "the album of \(name) was never opened; open it first")
        }
        return RPCError(
            .failedPrecondition, "the album of \(name) is still being filled (\(state)); ask again when that is over")
    }

    fileprivate static func tooSoon(_ milliseconds: Int64) -> RPCError {
        let minutes = (milliseconds + 59_999) / 60_000
        return RPCError(
            .failedPrecondition, "a place gets other photos once an hour; ask again in \(minutes) minutes",
            details: StatusDetails(retryAfterMs: UInt64(clamping: milliseconds)))
    }

    fileprivate static func noPicture(_ id: PhotoID, _ state: PictureState) -> RPCError {
        let name = id.text.prefix(100)
        return switch state {
        case .failed: RPCError(.failedPrecondition, "picture \"\(name)\" can't be fetched; see the photo's failure")
        case .waiting: RPCError(.failedPrecondition, "the picture of \"\(name)\" is not fetched yet; watch its album")
        case .unspecified, .ready:
            RPCError(.failedPrecondition, "the picture of \"\(name)\" is not fetched; open an album that shows it")
        }
    }
}

extension PictureProblem: RPCErrorConvertible {
    package var rpcError: RPCError {
        switch self {
        case .gone: RPCError(.notFound, "the photo's file was deleted")
        case .withdrawn: RPCError(.notFound, description)
        case .refused: RPCError(.failedPrecondition, "the picture can't be shown: \(self)")
        case .noFolder, .unreadable, .unreachable, .busy:
            RPCError(.unavailable, "the picture can't be read now; try again later", cause: self)
        case .notAFile, .badName, .tooLarge, .otherKind, .notAPicture, .truncated, .tooManyPixels, .unsupported,
            .damaged, .deadly, .noPosition, .badPosition:
            RPCError(.failedPrecondition, "the picture can't be shown: \(self)")
        }
    }
}

extension BlobError: RPCErrorConvertible {
    /// The messages leave out paths; those are for the log.
    package var rpcError: RPCError {
        switch self {
        case .full: RPCError(.resourceExhausted, "the disk is full; the picture can't be kept", cause: self)
        case .notFound, .damaged: RPCError(.dataLoss, "the stored picture is damaged; see the log", cause: self)
        case .away:
            RPCError(
                .unavailable, "the store with the pictures is away; try again in a few seconds",
                details: StatusDetails(retryAfterMs: 5_000), cause: self)
        case .refused:
            RPCError(.unavailable, "the store with the pictures refuses the service; see the log", cause: self)
        case .cancelled: RPCError(.cancelled, "the call was cancelled", cause: self)
        case .failed: RPCError(.unavailable, "the disk with the pictures fails; see the log", cause: self)
        }
    }
}
