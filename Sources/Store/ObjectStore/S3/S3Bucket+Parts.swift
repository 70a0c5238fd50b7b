import Bytes
import HTTPClient
import Markup
import Storage

/// Objects that are stored in parts (S3's multipart uploads): there is none until the last step.
extension S3Bucket {
    /// Begins; gives the id of the upload.
    func beginParts(_ key: String) async throws(BlobError) -> String {
        let request = S3Request("POST", key, [("uploads", "")], right: "s3:PutObject")
        guard let id = try await document(request).document["UploadId"], !id.isEmpty else {
            throw strange("the begin of an upload")
        }
        return id
    }

    /// Stores a part, which are counted from 1; gives its ETag.
    func putPart(_ key: String, _ id: String, _ number: Int, _ body: [UInt8], hash: String) async throws(BlobError)
        -> String
    {
        var request = S3Request(
            "PUT", key, [("partNumber", "\(number)"), ("uploadId", id)], right: "s3:PutObject")
        request.body = body
        request.hash = hash
        return try etag(try await send(request))
    }

    /// Makes the object of the parts.
    func endParts(_ key: String, _ id: String, _ etags: [String]) async throws(BlobError) {
        let parts = etags.enumerated().map { index, etag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\"\(Markup.escaped(etag))\"</ETag></Part>"
        }
        let body = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        let answer = try await send(
            S3Request("POST", key, [("uploadId", id)], body: Array(body.utf8), right: "s3:PutObject"))
        // A try whose answer was lost has done it; the caller reads what there is.
        if answer.status == 404 { return }
        // A store that needs long for it begins its answer with 200 before it knows.
        guard let document = S3Document(parsing: answer.body), document.name != "Error" else {
            throw .away("the store at \(address.endpoint) could not put an object's parts together; try again")
        }
    }

    /// Ends an upload without an object.
    func dropParts(_ key: String, _ id: String) async throws(BlobError) {
        _ = try await send(S3Request("DELETE", key, [("uploadId", id)], right: "s3:AbortMultipartUpload"))
    }

    /// Uploads that were begun before `limit` (milliseconds since 1970, by the store's clock) and not ended; as many as
    /// come at once.
    func oldUploads(_ prefix: String, before limit: Int64) async throws(BlobError) -> [(key: String, id: String)] {
        let request = S3Request(
            "GET", "", [("prefix", prefix), ("uploads", "")], right: "s3:ListBucketMultipartUploads")
        let answer = try await send(request)
        // Of a bucket without any, where it is a file to the store.
        if answer.status == 404 { return [] }
        guard let list = S3Document(parsing: answer.body) else { throw strange("a list of uploads") }
        return list.all("Upload").compactMap { upload in
            guard let key = upload["Key"], key.begins(with: prefix), let id = upload["UploadId"],
                let begun = upload["Initiated"].flatMap(S3Time.unixMilliseconds), begun < limit
            else { return nil }
            return (key, id)
        }
    }
}
