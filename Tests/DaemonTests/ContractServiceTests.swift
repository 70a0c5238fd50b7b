import Contracts
import ProtoSchema
import RPC
import Settings
import Testing
import Wire

@Suite("The services of the contract")
struct ContractServiceTests {
    @Test("are all listed, each with the programs that answer it, and each program answers some")
    func programs() throws {
        let schema = try Schema(fileDescriptorSet: WireDescriptors.fileDescriptorSet)
        #expect(Set(ContractService.all.map(\.name)) == Set(schema.services.keys))
        let programs = Set(ServiceSettings.all.map(\.program))
        for service in ContractService.all {
            #expect(!service.answeredBy.isEmpty && programs.isSuperset(of: service.answeredBy), "\(service.name)")
            #expect(service.methods.allSatisfy { $0.service == service.name }, "\(service.name)")
        }
        #expect(Set(ContractService.all.flatMap(\.answeredBy)) == programs)
    }
}
