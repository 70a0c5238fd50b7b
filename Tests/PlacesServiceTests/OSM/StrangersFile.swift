import FoundationEssentials

/// A small .osm.pbf that somebody else's writer made: PyPI's osmium 4.3.2, by this program.
///
///     import osmium
///     from osmium.osm.mutable import Node, Way, Relation
///
///     with osmium.SimpleWriter("stranger.osm.pbf") as file:
///         node = lambda number, east, north, **tags: file.add_node(Node(id=number, location=(east, north), tags=tags))
///         node(1, 24.9384, 60.1699, amenity="cafe", name="Café Ursula", cuisine="coffee_shop")
///         node(2, 24.94, 60.17, highway="crossing", name="no place")
///         names = {"name": "Museo", "name:en": "Museum", "name:ar": "متحف"}
///         node(3, -70.5, -33.25, tourism="museum;gallery", **names)
///         for index, (east, north) in enumerate([(10, 50), (10.002, 50), (10.002, 50.001), (10, 50.001)]):
///             node(10 + index, east, north)
///             node(20 + index, 10.001 + (east - 10.001) / 2, 50.0005 + (north - 50.0005) / 2)
///         way = lambda number, nodes, **tags: file.add_way(Way(id=number, nodes=nodes, tags=tags))
///         way(1, [10, 11, 12, 13, 10], amenity="school", name="Square", building="yes")
///         way(2, [10, 11], leisure="track", name="Line")
///         way(3, [10, 11, 12])
///         way(4, [12, 13, 10])
///         way(5, [20, 21, 22, 23, 20])
///         way(6, [998, 999], leisure="park", name="outside of the file")
///         group = lambda number, members, **tags: file.add_relation(Relation(id=number, members=members, tags=tags))
///         ring = [("w", 3, "outer"), ("w", 4, "outer"), ("w", 5, "inner")]
///         group(1, ring, type="multipolygon", leisure="park", name="Ring")
///         group(2, [("n", 1, "entrance"), ("w", 2, "")], type="site", tourism="attraction", name="Site")
///         group(3, [("w", 2, "")], type="route", tourism="trail", name="no place either")
enum StrangersFile {
    static let bytes = [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())

    private static let text = """
        AAAADQoJT1NNSGVhZGVyGDsQLxo3eJxT4vMvzg1OzkjNTdQNM9AzU+JySc0rTvXLT0ktbmIUyMlMyi/OzSzN1TfSMzLWMwQAX2cOkwAAAAwKB09T
        TURhdGEYowIQ2wIanQJ4nOOax8jFAITsibmpeZkllVwsyYlpqVwseUA+F49zYtrhlQqhRcWlOYlc7MmlmcWZealc3Mn5aWmpqfHFGfkFXOwZmekZ
        5YmVXBzJRfnFQPl0Lo68fIWCnMTkVC72kvzSosziXC6+3NLi1NJc6/TEnJzUokouVl8gP5+LHWSNVWoeF5svWB4qkFjExXGz9caqG2tvNgptZxTa
        wsjFzcTExCciCIZajlzcDAgghMyRQuYoIXO0uJkQHCf5D6de7mW5wP+/69svtgNHvs9k61BvV+9Qn1EKItvVvZQaNr56y9jwi/H/5+l97A1nb/1n
        neC34RVjv98Ev36/9a8YJ/gFyTIxs7CysTNwcLJwMXDzsPDy8QsIwu0AANnmXewAAAAMCgdPU01EYXRhGLwBEIMCGrYBeJxVjEEOgjAQRcu0hTqa
        aAATUhcSV57DtTtPgFCkAUGhXXAWr+ShrLrq7v838x+WSDAq7qrXZkbWu4TianVX6f6G4VQ2w9BheHnaYlRIZzV9/zulJ+s6N2NRtsjOulfIHsXY
        YjJYM+lK5UOdm0blte5U/ArkXgQxDYBKynh4QEE2JCM5OUYnngIAl1JADAIkLNA7QwoyEdRj1E0cZD7MnGUruC8//uQ7Ef7ly5W/ea/hA9RkKOIA
        AAAMCgdPU01EYXRhGM4BEIICGsgBeJxVy01uwjAQhmGPf7AZaKGsKlZpVAnO0WWW6QmsaERHdezIcRacoZeuI7FhNZpPz4t/gAJ1uU+ENhDPSybU
        0Y+E+3EJhacU7rcUUU8+/6LuOd5qYNJSKKPhGOuxJS2Z5xH1zIUQfSnZD4XX7HtdHMW6xIHQ5LVEU18OeIipmYIfqCEuP5RPub04OCmQ6qy02bTo
        xFG8i0Zc7ZdybtupjZS9AoD208kKscLd/uUJylfbycqkgPbDqYc6HN+eFNgOdA/wD+UaNCY=
        """
}
