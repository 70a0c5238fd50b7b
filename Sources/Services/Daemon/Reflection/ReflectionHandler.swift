import BaseContracts
import Bytes
import ProtoSchema
package import RPC
package import Wire

/// Lists the methods that can be called here, and their descriptors.
package struct ReflectionHandler: ReflectionServiceHandler {
    private let services: [String]

    /// Built when first needed: most processes are never asked.
    private static let index: DescriptorIndex = {
        do {
            return DescriptorIndex(try unsafe Schema(fileDescriptorSet: WireDescriptors.fileDescriptorSet))
        } catch {
            preconditionFailure("the descriptors built in are broken: \(error)")
        }
    }()

    /// `methods` are those of the server, without this service's own.
    package init(_ methods: [MethodDescriptor]) {
        services = Set(methods.map(\.service) + [Self.serviceName]).sorted()
    }

    package func listServices(
        _ request: ListServicesRequest, _ context: CallContext
    ) async throws -> ListServicesResponse {
        ListServicesResponse(services: services)
    }

    package func getDescriptors(
        _ request: GetDescriptorsRequest, _ context: CallContext
    ) async throws -> GetDescriptorsResponse {
        let files = try Self.files(request.symbols)
        let set = try unsafe FileDescriptorSet.keeping(files, of: WireDescriptors.fileDescriptorSet)
        return GetDescriptorsResponse(fileDescriptorSet: set)
    }

    private static func files(_ symbols: [String]) throws(RPCError) -> Set<String> {
        var files: Set<String> = []
        for symbol in symbols { files.insert(try file(of: symbol)) }
        return index.closure(of: files)
    }

    /// The file that declares a symbol, and all that it imports. A method's name may have a dot before its last part,
    /// as gRPC writes it.
    static func closure(symbol: String) throws(RPCError) -> Set<String> {
        guard symbol.utf8.count <= MethodDescriptor.longestPath else {
            return index.closure(of: [try file(of: symbol)])
        }
        let name = symbol.split(at: ".")
        let method = name.dropLast().joined(separator: ".") + "/" + (name.last ?? "")
        if let file = index.file(of: method) { return index.closure(of: [file]) }
        return index.closure(of: [try file(of: symbol)])
    }

    /// The file with this name, and all that it imports.
    static func closure(file: String) throws(RPCError) -> Set<String> {
        guard file.utf8.count <= MethodDescriptor.longestPath, index.holds(file: file) else {
            throw RPCError(.notFound, "there is no file \(file.shortened(to: MethodDescriptor.longestPath))")
        }
        return index.closure(of: [file])
    }

    private static func file(of symbol: String) throws(RPCError) -> String {
        // This comes first: looking up a long name that is not ASCII can take minutes, if it is made for that.
        guard symbol.utf8.count <= MethodDescriptor.longestPath else {
            throw RPCError(.notFound, "there is no symbol with a name of \(symbol.utf8.count) bytes")
        }
        guard let file = index.file(of: symbol) else {
            throw RPCError(.notFound, "there is no symbol \(symbol); full names are needed")
        }
        return file
    }
}
