import TestTools

/// Messages packed and unpacked by PyPI's protobuf in a Python process: an implementation that is not ours.
package struct PythonPeer: Sendable {
    /// The interpreter has the pinned packages: the one that WAYMARK_TEST_PYTHON names, or that of a virtual
    /// environment which is made below .build on first use.
    package let python: String

    /// Whether the peer can be had at all.
    package static var isAvailable: Bool {
        ChildProcess.variable("WAYMARK_TEST_PYTHON") != nil || ChildProcess.isInstalled("python3")
    }

    /// Throws when the virtual environment cannot be made.
    package init() throws {
        python = try Self.interpreter.get()
    }

    /// Random messages of Python's: packed, and as JSON.
    package func generate(seed: Int, count: Int) throws -> [(packed: [UInt8], json: String)] {
        try lines(["generate", "\(seed)", "\(count)"]).map { (Hex.bytes($0[0]), $0[1]) }
    }

    /// What Python makes of ours: the packed bytes read and packed again, their JSON, and our JSON read and packed.
    package func exchange(
        _ messages: [(packed: [UInt8], json: String)]
    ) throws -> [(packed: [UInt8], json: String, packedFromJSON: [UInt8])] {
        let folder = TemporaryFolder()
        let input = "\(folder.path)/messages"
        let text = messages.map { "\(Hex.text($0.packed))\t\($0.json)\n" }.joined()
        try WholeFile.write(Array(text.utf8), to: input)
        return try lines(["exchange", input]).map { line in
            guard line.count == 3 else { throw PeerError(description: "Python refused a message: \(line)") }
            return (Hex.bytes(line[0]), line[1], Hex.bytes(line[2]))
        }
    }

    private func lines(_ arguments: [String]) throws -> [[String]] {
        let folder = TemporaryFolder()
        let descriptors = "\(folder.path)/descriptors"
        let output = "\(folder.path)/output"
        try WholeFile.write(unsafe Array(TestDescriptors.fileDescriptorSet), to: descriptors)
        let command = [python, "\(Self.folder)/peer.py", descriptors, Every.protoName] + arguments
        guard ChildProcess.run(command, output: output) == 0 else {
            throw PeerError(description: "peer.py failed; see above")
        }
        let text = try WholeFile.text(output)
        return text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private static let folder = "\(ChildProcess.packageRoot)/Tests/WireTests/Peer"

    /// Made once in a process, whoever asks first.
    private static let interpreter: Result<String, PeerError> = {
        if let named = ChildProcess.variable("WAYMARK_TEST_PYTHON") { return .success(named) }
        let venv = "\(ChildProcess.packageRoot)/.build/test-venv"
        let pip = "\(venv)/bin/python -m pip --quiet --disable-pip-version-check install -r \(folder)/requirements.txt"
        let script = "[ -x \(venv)/bin/python ] || python3 -m venv \(venv); \(pip)"
        guard ChildProcess.run(["/bin/sh", "-c", script], output: "/dev/null") == 0 else {
            return .failure(PeerError(description: "cannot make \(venv) with requirements.txt of \(folder)"))
        }
        return .success("\(venv)/bin/python")
    }()
}

/// Why the Python peer did not answer.
package struct PeerError: Error, CustomStringConvertible {
    /// A sentence that says what went wrong.
    package let description: String
}
