internal import CCairo

/// Draws lines, areas and texts on a canvas, which outlives it.
@safe
struct Pen {
    private let context: OpaquePointer
    /// Whether it draws by night.
    private let isDark: Bool

    init(_ context: OpaquePointer, isDark: Bool = false) {
        unsafe self.context = context
        self.isDark = isDark
    }

    /// Whether all was drawn so far.
    var isWell: Bool { unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS }

    /// To be called once, by the canvas.
    func end() { unsafe cairo_destroy(context) }

    // MARK: paths

    func add(_ line: [ScreenPoint], isClosed: Bool) {
        guard line.count > 1 else { return }
        for (index, point) in line.enumerated() {
            if index == 0 {
                unsafe cairo_move_to(context, point.x, point.y)
            } else {
                unsafe cairo_line_to(context, point.x, point.y)
            }
        }
        if isClosed { unsafe cairo_close_path(context) }
    }

    func add(_ path: TracedPath) {
        for line in path.lines { add(line, isClosed: path.isClosed) }
    }

    func add(circle centre: ScreenPoint, radius: Double) {
        unsafe cairo_new_sub_path(context)
        unsafe cairo_arc(context, centre.x, centre.y, radius, 0, 2 * .pi)
        unsafe cairo_close_path(context)
    }

    func add(curveTo end: ScreenPoint, _ first: ScreenPoint, _ second: ScreenPoint) {
        unsafe cairo_curve_to(context, first.x, first.y, second.x, second.y, end.x, end.y)
    }

    func line(to point: ScreenPoint) { unsafe cairo_line_to(context, point.x, point.y) }

    func move(to point: ScreenPoint) { unsafe cairo_move_to(context, point.x, point.y) }

    func close() { unsafe cairo_close_path(context) }

    func forgetPath() { unsafe cairo_new_path(context) }

    // MARK: ink

    /// Fills the path, which stays. Overlapping rings that run in one direction are filled as one area.
    func fill(_ colour: Colour) {
        set(colour)
        unsafe cairo_fill_preserve(context)
    }

    /// Draws along the path, which stays.
    func stroke(_ colour: Colour, width: Double, dash: [Double] = []) {
        set(colour)
        unsafe cairo_set_line_width(context, width)
        unsafe cairo_set_dash(context, dash, Int32(clamping: dash.count), 0)
        unsafe cairo_stroke_preserve(context)
    }

    func cover(_ colour: Colour) {
        set(colour)
        unsafe cairo_paint(context)
    }

    /// Draws no further than the path within `body`.
    func within(_ body: () -> Void) {
        unsafe cairo_save(context)
        unsafe cairo_clip_preserve(context)
        body()
        unsafe cairo_restore(context)
    }

    /// Draws no further than the path within `body`, in whole pixels: two areas side by side leave no gap.
    func withinPixels(_ body: () -> Void) {
        unsafe cairo_save(context)
        let smoothness = unsafe cairo_get_antialias(context)
        unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
        unsafe cairo_clip(context)
        unsafe cairo_set_antialias(context, smoothness)
        body()
        unsafe cairo_restore(context)
    }

    /// Draws `body` by itself, and of it only what lies where `mask` draws, with soft edges: that is drawn very small,
    /// and enlarged.
    ///
    /// - Parameter reach: how wide the edges are, in points.
    func within(_ frame: ScreenBox, reach: Double, mask: (Pen) -> Void, _ body: () -> Void) {
        unsafe cairo_push_group(context)
        body()
        unsafe cairo_pop_group_to_source(context)
        let (columns, rows) = (Int32(frame.width / reach) + 4, Int32(frame.height / reach) + 4)
        let small = unsafe cairo_image_surface_create(CAIRO_FORMAT_A8, columns, rows)
        let pattern = unsafe cairo_pattern_create_for_surface(small)
        if let brush = unsafe cairo_create(small) {
            unsafe cairo_translate(brush, 2, 2)
            unsafe cairo_scale(brush, 1 / reach, 1 / reach)
            let pen = unsafe Pen(brush)
            mask(pen)
            pen.end()
            var matrix = cairo_matrix_t()
            unsafe cairo_matrix_init(&matrix, 1 / reach, 0, 0, 1 / reach, 2, 2)
            unsafe cairo_pattern_set_matrix(pattern, &matrix)
            unsafe cairo_mask(context, pattern)
        }
        unsafe cairo_pattern_destroy(pattern)
        unsafe cairo_surface_destroy(small)
    }

    /// Lines end where they end within `body`, and not in a half circle around that.
    func withFlatEnds(_ body: () -> Void) {
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
        body()
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    }

    /// What is drawn within `body` is drawn around a point, turned and enlarged.
    func at(_ point: ScreenPoint, angle: Double = 0, scale: Double = 1, _ body: () -> Void) {
        unsafe cairo_save(context)
        unsafe cairo_translate(context, point.x, point.y)
        unsafe cairo_rotate(context, angle)
        unsafe cairo_scale(context, scale, scale)
        body()
        unsafe cairo_restore(context)
    }

    private func set(_ colour: Colour) {
        let shade = isDark ? colour.night : colour.day
        unsafe cairo_set_source_rgba(context, shade.red, shade.green, shade.blue, shade.alpha)
    }

    // MARK: text

    /// How wide a text is, in points.
    func width(_ text: String, size: Double, spacing: Double = 0) -> Double {
        unsafe cairo_set_font_size(context, size)
        var extents = cairo_text_extents_t()
        unsafe cairo_text_extents(context, text, &extents)
        return spacing == 0 ? extents.x_advance : extents.x_advance + spacing * Double(max(0, text.count - 1))
    }

    /// A text around a point, half a turn at most from level, with a halo that parts it from what is below.
    func write(_ text: String, _ style: TextStyle, centre: ScreenPoint, angle: Double = 0) {
        unsafe cairo_save(context)
        unsafe cairo_translate(context, centre.x, centre.y)
        unsafe cairo_rotate(context, angle)
        unsafe cairo_new_path(context)
        // Capitals of DejaVu are 0.73 of its size high.
        let start = -width(text, size: style.size, spacing: style.spacing) / 2
        unsafe cairo_move_to(context, start, style.size * 0.365)
        for part in style.spacing == 0 ? [text] : text.map(String.init) {
            unsafe cairo_text_path(context, part)
            if style.spacing != 0 { unsafe cairo_rel_move_to(context, style.spacing, 0) }
        }
        if let halo = style.halo { stroke(halo, width: 3) }
        fill(style.ink)
        unsafe cairo_new_path(context)
        unsafe cairo_restore(context)
    }
}

/// How a text looks.
struct TextStyle: Sendable {
    /// Points.
    let size: Double
    let ink: Colour
    var halo: Colour?
    /// Additional room between letters, in points.
    var spacing = 0.0
    /// From line to line, in points.
    var leading = 0.0
}
