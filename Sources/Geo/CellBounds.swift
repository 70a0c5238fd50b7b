/// The ranges of cells that hold a circle, as so many numbers that one statement serves every circle.
package struct CellBounds {
    /// A first and a last cell for each of `Cell.maximumRanges` ranges; those not needed are empty ones.
    package let numbers: [Int64]

    package init(around centre: Coordinate, radiusMetres: Double) {
        let needed = Cell.cover(centre: centre, radiusMetres: radiusMetres).flatMap { [$0.lowerBound, $0.upperBound] }
        let empty: [Int64] = [1, 0]
        numbers = needed + (needed.count / 2..<Cell.maximumRanges).flatMap { _ in empty }
    }
}
