/// The pin: a drop whose tip is at the picture's centre, as on the web's map.
struct PinMark {
    let tip: ScreenPoint
    let tint: PinTint

    /// What it covers.
    var box: ScreenBox {
        ScreenBox(left: tip.x - 14.5, top: tip.y - 41, right: tip.x + 14.5, bottom: tip.y + 3)
    }

    func draw(_ pen: Pen) {
        for (radius, alpha) in [(5.0, 0.10), (3.4, 0.14), (2.0, 0.2)] {
            pen.add(circle: tip, radius: radius)
            pen.fill(Colour(0x141e23, alpha: alpha))
            pen.forgetPath()
        }
        addDrop(pen)
        // The line runs half inside of the drop: the other half is covered again.
        pen.stroke(Palette.paper, width: 3)
        pen.fill(Palette.pin(tint))
        pen.forgetPath()
        pen.add(circle: point(0, -26), radius: 5.2)
        pen.fill(Palette.paper)
        pen.forgetPath()
    }

    /// Two arms that meet at the tip, around a circle of 13 points.
    private func addDrop(_ pen: Pen) {
        pen.move(to: point(0, 0))
        pen.add(curveTo: point(-13, -26), point(-2.2, -5.6), point(-13, -15.5))
        pen.add(curveTo: point(0, -39), point(-13, -33.2), point(-7.2, -39))
        pen.add(curveTo: point(13, -26), point(7.2, -39), point(13, -33.2))
        pen.add(curveTo: point(0, 0), point(13, -15.5), point(2.2, -5.6))
        pen.close()
    }

    private func point(_ right: Double, _ down: Double) -> ScreenPoint {
        ScreenPoint(x: tip.x + right, y: tip.y + down)
    }
}
