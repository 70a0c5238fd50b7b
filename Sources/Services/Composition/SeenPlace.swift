import Bytes
package import Geo

/// A place as one network, or one dataset of the catalog, has it.
package struct SeenPlace: Sendable {
    /// "<network>/<id at that network>"; a catalog's place is "catalog/<dataset>/<id in its file>".
    package let id: String
    /// As its source writes it; may be empty.
    package let name: String
    /// What it is, most specific first, as paths: "amenity/cafe".
    package let categories: [String]
    /// Where it is.
    package let position: Coordinate

    /// A place as one source has it.
    package init(id: String, name: String, categories: [String], position: Coordinate) {
        self.id = id
        self.name = name
        self.categories = categories
        self.position = position
    }

    /// Who says so: a network, or a dataset of the catalog. The same source does not name one place twice.
    var source: Substring {
        guard let end = id.utf8.firstIndex(of: UInt8(ascii: "/")) else { return id[...] }
        guard id[..<end] == Self.catalog else { return id[..<end] }
        let rest = id.utf8[id.utf8.index(after: end)...]
        return id[..<(rest.firstIndex(of: UInt8(ascii: "/")) ?? id.endIndex)]
    }

    /// Which of the places in a group stands for it: the operator's own data before others, OpenStreetMap before the
    /// rest. So the same one does, whether the other networks have answered or not.
    private var rank: Int {
        if source.begins(with: Self.catalog + "/") { return 0 }
        return source == "openstreetmap" ? 1 : 2
    }

    /// Whether it stands for the thing that both are. Compares the bytes of ids, as storage orders them: the comparison
    /// of texts can take minutes, if they are made for that.
    func stands(before other: SeenPlace) -> Bool {
        rank != other.rank ? rank < other.rank : id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }

    private static let catalog = "catalog"
}
