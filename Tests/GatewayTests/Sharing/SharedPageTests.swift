import Contracts
import Daemon
import TestTools
import Testing

@testable import Gateway

@Suite("P49 the page of a link")
struct SharedPageTests {
    @Test("has no tag that a name or a title adds, whatever its signs are joined with", arguments: Joiner.all)
    func joined(joiner: Joiner) throws {
        let text = joiner.through("</script><meta http-equiv=refresh content='0;https://a.example/'>\"&\u{2028}")
        #expect(try tags(with: text) == tags(with: "x"))
    }

    /// What a browser reads as the beginning or end of something, in all that is put into the page.
    private func tags(with text: String) throws -> Int {
        let photo = SharedPhoto(title: text, author: text, licence: text, sourceUrl: text, addedBy: text)
        let answer = GetSharedPinResponse(
            name: text, note: text, places: [SharedPlace(name: text)], photos: [photo], mapUrl: text)
        let url = try #require(WebOrigin("https://waymark.example"))
        let page = try SharedPage.head(SharePreview(answer), path: "/s/1", url) + SharedPage.inline(answer)
        return page.utf8.count { "<>".utf8.contains($0) }
    }
}
