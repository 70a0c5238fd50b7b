import Arguments

extension CompletionScript {
    /// For bash 4 or later. Where nothing of ours fits, files are completed.
    var bash: String {
        let seconds = groups.map { group in
            let verbs = group.commands.map { $0.words[1] }.joined(separator: " ")
            return "            \(group.first)) COMPREPLY=($(compgen -W '\(verbs)' -- \"$word\")); return ;;"
        }
        let flags = commands.map { command in
            "        '\(command.name)') flags='\(Self.flags(command).map { "--\($0.name)" }.joined(separator: " "))' ;;"
        }
        let values = commands.map { command in
            let free = Self.flags(command).filter { $0.value != nil && !Self.takesPath($0) }.map { "--\($0.name)" }
            return "        '\(command.name)') free='\(free.joined(separator: " "))' ;;"
        }
        return """
            # Completion of waymark for bash: source <(waymark completion bash)
            _waymark() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
                local at=1 name flags= free=
                COMPREPLY=()
                if [[ ${COMP_WORDS[1]} == help ]]; then at=2; fi
                if (( COMP_CWORD == at )); then
                    COMPREPLY=($(compgen -W '\(firstWords.map(\.word).joined(separator: " "))' -- "$word"))
                    return
                fi
                if (( COMP_CWORD < at )); then
                    COMPREPLY=($(compgen -W 'help' -- "$word"))
                    return
                fi
                name=${COMP_WORDS[at]}
                case $name in
                    \(groups.map(\.first).joined(separator: "|")))
                        if (( COMP_CWORD == at + 1 )); then
                            case $name in
            \(seconds.joined(separator: "\n"))
                            esac
                        fi
                        name="$name ${COMP_WORDS[at+1]}"
                        ;;
                esac
                case $name in
            \(flags.joined(separator: "\n"))
                esac
                case $name in
            \(values.joined(separator: "\n"))
                esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W "$flags" -- "$word"))
                elif [[ " $free " == *" $before "* ]]; then
                    compopt +o default 2>/dev/null
                elif [[ $name == completion ]]; then
                    COMPREPLY=($(compgen -W '\(Shell.allCases.map(\.rawValue).joined(separator: " "))' -- "$word"))
                fi
            }
            complete -o default -F _waymark waymark

            """
    }
}
