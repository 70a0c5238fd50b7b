import PinContracts
import EventLoops
import PinFiles
import RPC
import Refusals
import Storage

extension PinFileHandler {
    /// Pins that are read at once.
    private static let page = 1_000
    /// The longest message, in bytes.
    private static let longest = 256 << 10

    func exportPins(
        _ request: ExportPinsRequest, _ responses: ResponseWriter<ExportPinsResponse>, _ context: CallContext
    ) async throws {
        let account = try context.account
        let writing = PinFileWriting(try PinFormat(request.format))
        let ids = try PinID.all(request.pinIds, field: "pin_ids")
        var count: UInt64 = 0
        try await send(try await blocking.run { writing.begin() }, count, responses)
        var after = (created: Int64.min, id: PinID(high: 0, low: 0))
        while true {
            let pins = try await ids.isEmpty ? page(of: account, after: after) : given(ids, of: account)
            count += UInt64(pins.count)
            let records = pins.map { PinRecord($0.pin, lists: $0.lists) }
            try await send(try await blocking.run { writing.add(records) }, count, responses)
            guard ids.isEmpty, pins.count == Self.page, let last = pins.last?.pin else { break }
            after = (last.createdMilliseconds, last.id)
        }
        try await send(try await blocking.run { writing.end() }, count, responses)
    }

    private typealias Listed = (pin: Pin, lists: [PinList])

    private func page(of account: String, after: (created: Int64, id: PinID)) async throws -> [Listed] {
        try await store.read { transaction throws(SQLError) in
            let pins = try transaction.pinsForFile(of: account, after: after.created, after.id, limit: Self.page)
            let lists = try transaction.listsForFile(of: account, after: after.created, after.id, limit: Self.page)
            return pins.map { ($0, lists[$0.id] ?? []) }
        }
    }

    private func given(_ ids: [PinID], of account: String) async throws -> [Listed] {
        let found = try await store.read { transaction throws(SQLError) -> Result<[Listed], PinError> in
            var pins: [Listed] = []
            for id in ids {
                guard let pin = try transaction.pin(id, of: account) else { return .failure(.notFound(id)) }
                pins.append((pin, try transaction.lists(with: id)))
            }
            return .success(pins)
        }
        return try found.get()
    }

    private func send(
        _ bytes: [UInt8], _ count: UInt64, _ responses: ResponseWriter<ExportPinsResponse>
    ) async throws {
        for start in stride(from: 0, to: bytes.count, by: Self.longest) {
            let data = Array(bytes[start..<min(bytes.count, start + Self.longest)])
            try await responses.write(ExportPinsResponse(data: data, pinCount: count))
        }
    }
}

extension PinFormat {
    init(_ format: PinFileFormat) throws(Refusal) {
        switch format {
        case .unspecified, .geojson: self = .geoJSON
        case .gpx: self = .gpx
        case .kml: self = .kml
        case .kmz: self = .kmz
        default: throw Refusal("format", format.rawValue, allowed: "1 to 4 are: GeoJSON, GPX, KML, KMZ")
        }
    }
}
