/// Names of parks, squares, water and buildings: each is in its area, if it fits there.
struct AreaLabels {
    private static let size = 9.5

    let projection: Projection

    func place(
        _ areas: [(shape: MapShape, tile: SeenTile)], _ ink: Colour, _ placing: inout LabelPlacing
    ) {
        let style = TextStyle(size: Self.size, ink: ink, halo: Palette.halo)
        for (area, tile) in areas where !area.name.isEmpty {
            let corners = [
                MapPoint(longitude: area.box.west, latitude: area.box.south),
                MapPoint(longitude: area.box.east, latitude: area.box.north),
            ]
            let centre = projection.point(area.box.centre)
            guard let box = ScreenBox(around: corners.map(projection.point)), box.bottom - box.top >= 14,
                projection.frame.contains(centre), tile.isSeen(centre)
            else { continue }
            let width = placing.pen.width(area.name, size: style.size)
            guard width <= (box.right - box.left) * 1.15 else { continue }
            placing.take(PlacedLabel(area.name, style, width: width, centre: centre))
        }
    }
}
