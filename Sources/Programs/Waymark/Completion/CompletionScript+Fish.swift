import Arguments

extension CompletionScript {
    var fish: String {
        var lines = firstWords.map { entry in
            "complete -c waymark -f -n '__waymark_at' -a \(entry.word) -d \(Self.quoted(entry.summary))"
        }
        for group in groups {
            lines += group.commands.map { command in
                "complete -c waymark -f -n '__waymark_at \(group.first)' -a \(command.words[1])"
                    + " -d \(Self.quoted(command.summary))"
            }
        }
        for command in commands {
            lines += Self.flags(command).map { flag in
                let value = flag.value == nil ? "" : Self.takesPath(flag) ? " -r -F" : " -x"
                return "complete -c waymark -n '__waymark_behind \(command.name)' -l \(flag.name)\(value)"
                    + " -d \(Self.quoted(flag.summary))"
            }
        }
        return """
            # Completion of waymark for fish: waymark completion fish | source
            function __waymark_at
                set -l words (commandline -opc)
                set -e words[1]
                test "$words" = "$argv"
            end
            function __waymark_behind
                set -l words (commandline -opc)
                set -e words[1]
                test (count $words) -ge (count $argv); and test "$words[1..(count $argv)]" = "$argv"
            end
            \(lines.joined(separator: "\n"))

            """
    }
}
