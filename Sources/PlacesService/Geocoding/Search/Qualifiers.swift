import Geo

/// Tells whether words beside a name say truly what it lies in: "WA, USA" beside "Seattle".
struct Qualifiers {
    /// A larger town within this distance may stand beside a smaller one: "Kreuzberg, Berlin".
    private static let townMetres = 50_000.0
    /// So many things of one name are looked at.
    private static let mostOfOneName = 32

    let table: NameTable

    /// Whether the words can be cut into names that all are true of the record.
    func cover(_ span: Range<Int>, of record: GazetteerRecord) -> Bool {
        if span.isEmpty { return true }
        return (span.lowerBound + 1...span.upperBound).reversed().contains { end in
            let part = span.lowerBound..<end
            return table[part].prefix(Self.mostOfOneName).contains { Self.isTrue($0.record, of: record) }
                && cover(end..<span.upperBound, of: record)
        }
    }

    private static func isTrue(_ outer: GazetteerRecord, of inner: GazetteerRecord) -> Bool {
        guard outer.country == inner.country else { return false }
        switch outer.kind {
        case .country: return inner.kind != .country
        case .region: return inner.kind == .town && outer.region == inner.region
        case .town:
            return inner.kind == .town && outer.population > inner.population
                && outer.position.metres(to: inner.position) <= townMetres
        }
    }
}
