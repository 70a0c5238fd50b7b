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
        func write(_ pins: [ListedPin]) async throws {
            count += UInt64(pins.count)
            let records = pins.map { PinRecord($0.pin, lists: $0.lists) }
            try await send(try await blocking.run { writing.add(records) }, count, responses)
        }
        try await send(try await blocking.run { writing.begin() }, count, responses)
        if ids.isEmpty {
            try await unlistedPins(of: account, write)
            let lists = try await store.read { transaction throws(SQLError) in try transaction.lists(of: account) }
            for list in lists { try await pins(first: list, write) }
            try await tracks(of: account, lists) { tracks in
                try await send(try await blocking.run { writing.add(tracks) }, count, responses)
            }
        } else {
            try await write(try await given(ids, of: account))
        }
        try await send(try await blocking.run { writing.end() }, count, responses)
    }

    private typealias ListedPin = (pin: Pin, lists: [PinList])

    private func unlistedPins(of account: String, _ write: ([ListedPin]) async throws -> Void) async throws {
        var after = (created: Int64.min, id: PinID(high: 0, low: 0))
        while true {
            let pins = try await store.read { [after] transaction throws(SQLError) in
                try transaction.unlistedPins(of: account, after: after.created, after.id, limit: Self.page)
            }
            try await write(pins.map { ($0, []) })
            guard pins.count == Self.page, let last = pins.last else { return }
            after = (last.createdMilliseconds, last.id)
        }
    }

    private func pins(first list: PinList, _ write: ([ListedPin]) async throws -> Void) async throws {
        var after = PinID(high: 0, low: 0)
        while true {
            let pins = try await store.read { [after] transaction throws(SQLError) -> [ListedPin] in
                let pins = try transaction.pins(first: list, after: after, limit: Self.page)
                guard let last = pins.last else { return [] }
                let lists = try transaction.lists(of: list, after: after, upTo: last.id)
                return pins.map { ($0, lists[$0.id] ?? []) }
            }
            try await write(pins)
            guard pins.count == Self.page, let last = pins.last?.pin else { return }
            after = last.id
        }
    }

    /// One after the other, those of a list together.
    private func tracks(
        of account: String, _ lists: [PinList], _ write: ([TrackRecord]) async throws -> Void
    ) async throws {
        let order = Dictionary(uniqueKeysWithValues: lists.enumerated().map { ($1.id, $0) })
        let tracks = try await store.read { transaction throws(SQLError) in try transaction.tracks(of: account) }
        func place(_ track: Track) -> Int { track.list.flatMap { order[$0] } ?? -1 }
        for track in tracks.sorted(by: { (place($0), $0.id) < (place($1), $1.id) }) {
            let parts = try await store.read { transaction throws(SQLError) in try transaction.parts(of: track.id) }
            guard let parts else { continue }
            try await write([TrackRecord(track, parts, lists.first { $0.id == track.list })])
        }
    }

    /// Those of a list together.
    private func given(_ ids: [PinID], of account: String) async throws -> [ListedPin] {
        let found = try await store.read { transaction throws(SQLError) -> Result<[ListedPin], PinError> in
            var pins: [ListedPin] = []
            for id in ids {
                guard let pin = try transaction.pin(id, of: account) else { return .failure(.notFound(id)) }
                pins.append((pin, try transaction.lists(with: id)))
            }
            // As they come when all are written: a folder is begun once.
            let order = pins.indices.map { index in
                let list = pins[index].lists.first
                return (list?.createdMilliseconds ?? .min, list?.id ?? PinID(high: 0, low: 0), index)
            }
            return .success(order.sorted { $0 < $1 }.map { pins[$0.2] })
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
