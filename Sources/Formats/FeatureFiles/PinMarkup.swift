/// What GPX and KML have no words for, in elements of our own: in a waypoint's `extensions` and in a placemark's
/// `ExtendedData` stands
///
///     <waymark:pin xmlns:waymark="urn:waymark:pins:1" id="…" radius-m="1000" named="true" visited="2026-05-04"/>
///
/// and for each list that the pin is in
///
///     <waymark:list name="Cafes" colour="green"/>
///
/// and in a placemark also `<waymark:note>` with the note, as its description is HTML. A placemark that is a line has
/// `<waymark:track/>`; a track of GPX that is an area has `<waymark:area/>`, and a piece of it that is a hole
/// `<waymark:hole/>`.
package enum PinMarkup {
    package static let namespace = "urn:waymark:pins:1"
    package static let prefix = "waymark"

    /// The attributes of the element, which are the names of properties too, with the prefix before them.
    package static let attributes = ["id", "radius-m", "named", "visited", "created"]

    static let pin = "waymark:pin"
    static let list = "waymark:list"
    package static let track = "waymark:track"
    package static let area = "waymark:area"
    package static let hole = "waymark:hole"
    package static let note = "waymark:note"
}
