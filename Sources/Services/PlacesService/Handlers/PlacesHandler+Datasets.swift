import PlaceContracts
import Daemon
import FieldRules
import RPC
import Refusals
import Requests
import Stores
import Wire

extension PlacesHandler {
    private static let tokens = PageToken(of: "datasets")

    func listDatasets(_ request: ListDatasetsRequest, _ context: CallContext) async throws -> ListDatasetsResponse {
        let size = Int(request.pageSize ?? ListDatasetsRequest.pageSizeDefault)
        // A page ends at a dataset's name.
        let start = try Self.tokens.end(in: request.pageToken) { DatasetName(String(decoding: $0, as: UTF8.self)) }
        let datasets = catalog.view.datasets
        let behind = start.map { start in datasets.filter { $0.name > start } } ?? datasets
        let page = behind.prefix(size)
        let last = behind.count > page.count ? page.last : nil
        return ListDatasetsResponse(
            datasets: page.map(PlaceContracts.Dataset.init),
            nextPageToken: last.map { Self.tokens.text(after: Array($0.name.description.utf8)) } ?? "")
    }

    func deleteDataset(_ request: DeleteDatasetRequest, _ context: CallContext) async throws -> DeleteDatasetResponse {
        let name = try DatasetName(request.name, "name")
        let change = try Change(request.requestId, request, context, clock: clock)
        if let shared { return try await shared.delete(name, change, deadline: context.storageDeadline) }
        let count = try await runBlocking { [catalog] in try catalog.delete(name, change.isNamed ? change : nil) }
        return DeleteDatasetResponse(placeCount: UInt64(clamping: count))
    }
}

extension DatasetName {
    /// The name in a request's field.
    init(_ text: String, _ field: String) throws(Refusal) {
        guard let name = DatasetName(text) else { throw FieldForm.datasetName.rule.refusal(field, text) }
        self = name
    }
}

extension PlaceContracts.Dataset {
    init(_ dataset: CatalogView.Dataset) {
        self.init(
            name: dataset.name.description, title: dataset.facts.title, attribution: dataset.facts.attribution,
            licence: dataset.facts.licence, placeCount: UInt64(clamping: dataset.placeCount),
            byteCount: UInt64(clamping: dataset.byteCount),
            importTime: TimestampMessage(unixMilliseconds: dataset.facts.importedUnixMilliseconds),
            bundled: dataset.facts.isBundled, tiles: dataset.facts.tiles.map { DatasetTiles($0, of: dataset.facts) },
            addressCount: dataset.facts.addressCount, areaCount: dataset.facts.areas?.count,
            source: dataset.facts.source.map(DatasetSource.init))
    }
}

extension DatasetSource {
    init(_ facts: SourceFacts) {
        self.init(
            byteCount: facts.byteCount, dataTime: facts.dataTime.map { TimestampMessage(unixMilliseconds: $0) },
            updatesUrl: facts.updates ?? "", sequenceNumber: facts.sequence.map { UInt64(clamping: $0) },
            followed: facts.isFollowed)
    }
}
