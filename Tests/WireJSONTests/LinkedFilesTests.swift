import ProtoSchema
import TestProtos
import Testing
import Wire

@Suite("The .proto files of a program")
struct LinkedFilesTests {
    @Test("stand each behind those that it imports, in whatever order the linker has them", arguments: [true, false])
    func order(isTesting: Bool) throws {
        let bytes = unsafe isTesting ? TestDescriptors.fileDescriptorSet : WireDescriptors.fileDescriptorSet
        let schema = try unsafe Schema(fileDescriptorSet: bytes)
        var seen: Set<String> = []
        for file in schema.files {
            #expect(seen.isSuperset(of: file.imports), "\(file.name)")
            seen.insert(file.name)
        }
        #expect(seen.contains(isTesting ? "waymark/testing/v1/every.proto" : "waymark/rpc/v1/frames.proto"))
    }

    @Test("have the layouts of all their messages, and of no others")
    func layouts() throws {
        let schema = try unsafe Schema(fileDescriptorSet: WireDescriptors.fileDescriptorSet)
        // Our options, and what these stand on, are only there for protoc.
        let options: Set = ["waymark.rpc.v1.Length", "waymark.rpc.v1.Range"]
        for name in schema.messages.keys where name.hasPrefix("waymark.") && !options.contains(name) {
            #expect(WireDescriptors.layout(name)?.name == name)
        }
        #expect(WireDescriptors.layout("waymark.rpc.v1.Call")?.name == "waymark.rpc.v1.Call")
        #expect(WireDescriptors.layout("waymark.rpc.v1.None") == nil)
    }
}
