import Arguments

extension CompletionScript {
    var zsh: String {
        let groups = groups.map { group in
            "        \(group.first)) words_of=(\(described(group.commands.map { ($0.words[1], $0.summary) }))) ;;"
        }
        let flags = commands.map { command in
            let flags = described(Self.flags(command).map { ("--\($0.name)", $0.summary) })
            return "        \(Self.quoted(command.name))) flags=(\(flags)) ;;"
        }
        return """
            #compdef waymark
            # Completion of waymark for zsh: source <(waymark completion zsh), or a file _waymark in a folder of $fpath.
            _waymark() {
                local at=2 name
                local -a first words_of flags
                first=(\(described(firstWords.map { ($0.word, $0.summary) })))
                [[ ${words[2]} == help ]] && at=3
                if (( CURRENT <= at )); then
                    _describe 'command' first
                    return
                fi
                name=${words[at]}
                case $name in
            \(groups.joined(separator: "\n"))
                esac
                if (( ${#words_of} )); then
                    if (( CURRENT == at + 1 )); then
                        _describe 'command' words_of
                        return
                    fi
                    name="$name ${words[at+1]}"
                fi
                case $name in
            \(flags.joined(separator: "\n"))
                esac
                if [[ $PREFIX == -* ]]; then
                    _describe -o 'flag' flags
                else
                    _files
                fi
            }
            if [[ ${funcstack[1]} == _waymark ]]; then
                _waymark "$@"
            else
                compdef _waymark waymark
            fi

            """
    }

    private func described(_ entries: [(String, String)]) -> String {
        entries.map { Self.quoted("\($0.0):\($0.1)") }.joined(separator: " ")
    }
}
