import Contracts
import Daemon
import RPC
import Stores
import Wire

extension PlacesHandler {
    private static let pageSizes = 1...1000
    private static let usualPageSize: UInt32 = 100

    func listDatasets(_ request: ListDatasetsRequest, _ context: CallContext) async throws -> ListDatasetsResponse {
        let size = try Self.pageSize(request.pageSize)
        let start = try Self.start(request.pageToken)
        let datasets = catalog.view.datasets
        let behind = start.map { start in datasets.filter { $0.name > start } } ?? datasets
        let page = behind.prefix(size)
        return ListDatasetsResponse(
            datasets: page.map(Contracts.Dataset.init),
            nextPageToken: behind.count > page.count ? page.last?.name.description ?? "" : "")
    }

    func deleteDataset(_ request: DeleteDatasetRequest, _ context: CallContext) async throws -> DeleteDatasetResponse {
        let name = try DatasetName(request.name, "name")
        let change = try Change(request.requestId, request, context, clock: clock)
        let count = try await runBlocking { [catalog] in try catalog.delete(name, change.isNamed ? change : nil) }
        return DeleteDatasetResponse(placeCount: UInt64(clamping: count))
    }

    private static func pageSize(_ size: UInt32?) throws(PlacesError) -> Int {
        let size = Int(size ?? usualPageSize)
        guard pageSizes.contains(size) else {
            throw .invalid(
                field: "page_size", problem: "\(size) is out of range, 1 to \(pageSizes.upperBound) are allowed")
        }
        return size
    }

    /// The token is the last name of the page before.
    private static func start(_ token: String) throws(PlacesError) -> DatasetName? {
        if token.isEmpty { return nil }
        if let name = DatasetName(token) { return name }
        throw .invalid(field: "page_token", problem: "\(token.quoted) is none of ListDatasets' tokens")
    }
}

extension DatasetName {
    /// The name in a request's field.
    init(_ text: String, _ field: String) throws(PlacesError) {
        guard let name = DatasetName(text) else {
            throw .invalid(field: field, problem: "\(text.quoted) is no name; \(Self.allowed)")
        }
        self = name
    }
}

extension Contracts.Dataset {
    init(_ dataset: CatalogView.Dataset) {
        self.init(
            name: dataset.name.description, title: dataset.facts.title, attribution: dataset.facts.attribution,
            licence: dataset.facts.licence, placeCount: UInt64(clamping: dataset.placeCount),
            byteCount: UInt64(clamping: dataset.byteCount),
            importTime: TimestampMessage(unixMilliseconds: dataset.facts.importedUnixMilliseconds),
            bundled: dataset.facts.isBundled)
    }
}
