import Bytes
import TestTools
import Testing

@Suite("Text judged by its bytes")
struct ScalarTextTests {
    @Test("a sign is found whatever it is joined with", arguments: Joiner.all)
    func joined(joiner: Joiner) {
        let text = "a" + joiner.around("@") + "b"
        #expect(text.holds("@"))
        #expect(text.split(at: "@").count == 2)
        #expect(!text.replacing(each: "@", with: "").holds("@"))
        #expect("a\(joiner.around(""))".begins(with: "a"))
        #expect("\(joiner.around(""))a".ends(with: "a"))
    }

    @Test("the ends of a line are two")
    func lines() {
        #expect("a\r\nb".split(at: "\n") == ["a\r", "b"])
        #expect("a\r\n\r\nb".replacing(each: "\r", with: "") == "a\n\nb")
    }

    @Test("beginnings and ends are cut off where they end")
    func ends() {
        #expect("geo:\u{301}1".after("geo:").map { Array($0.unicodeScalars) } == ["\u{301}", "1"])
        #expect("geo".after("geo:") == nil)
        #expect("a.gz".before(".gz") == "a" && "a.gz".before("gz.") == nil && "".before("a") == nil)
        #expect("".after("") == "" && "ab".after("ab") == "")
    }

    @Test("parts are those between signs, as many as wanted")
    func parts() {
        #expect("a=b=c".split(at: "=", maxSplits: 1) == ["a", "b=c"])
        #expect(",a,,b".split(at: ",") == ["a", "b"])
        #expect(",a,,b"[...].split(at: ",", omittingEmptySubsequences: false) == ["", "a", "", "b"])
    }

    @Test("what looks the same is not the same")
    func same() {
        #expect("e\u{301}" == "\u{e9}" && !"e\u{301}".isSame(as: "\u{e9}"))
        #expect("\u{212a}" == "K" && !"\u{212a}".isSame(as: "K"))
        #expect("Ké\u{212a}".asciiLowercased.isSame(as: "ké\u{212a}"))
    }
}
