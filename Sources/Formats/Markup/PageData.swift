/// JSON as data in a page, between `<script type="application/json">` and its end.
package enum PageData {
    /// The same JSON without what could end the element or begin a comment in it, and without U+2028 and U+2029, which
    /// end a line of JavaScript. All of these stand in strings only, where they may be written as numbers.
    package static func text(_ json: [UInt8]) -> String {
        String(decoding: json, as: UTF8.self).unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "<": text += "\\u003c"
            case ">": text += "\\u003e"
            case "&": text += "\\u0026"
            case "\u{2028}": text += "\\u2028"
            case "\u{2029}": text += "\\u2029"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
