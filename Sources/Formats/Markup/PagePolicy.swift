import Crypto
import FoundationEssentials

/// The policy of a page that is opened from a folder, where no server sends one: it runs nothing, sends nothing, and
/// loads at most the pictures beside it. So what its text should ever smuggle into it does nothing.
package struct PagePolicy {
    /// What is shown beside text: pictures from the page's own folder, or nothing.
    package enum Contents { case pictures, text }

    private let style: String
    private let contents: Contents

    /// - Parameter style: the page's only style sheet, which it allows by its hash.
    package init(style: String, _ contents: Contents) {
        (self.style, self.contents) = (style, contents)
    }

    /// The lines of the page's head that have the policy and the style sheet, in this order: a policy holds for what
    /// follows it.
    package var head: String {
        """
        <meta http-equiv="Content-Security-Policy" content="\(text)">
        <style>\(style)</style>
        """
    }

    private var text: String {
        let hash = Data(SHA256.digest(Array(style.utf8))).base64EncodedString()
        // Not all browsers take a page's folder as its 'self'.
        let pictures = contents == .pictures ? "img-src 'self' file:; " : ""
        return "default-src 'none'; \(pictures)style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'"
    }
}
