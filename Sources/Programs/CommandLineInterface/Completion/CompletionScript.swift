/// The scripts printed by `tutti completions`. They ask `tutti complete` for each word, which knows the
/// commands and, from the running service, the names.
public enum CompletionScript: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The text of the script.
    public var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    private static let bashText = #"""
        # bash completion for tutti: source this file, or put it into
        # ~/.local/share/bash-completion/completions/tutti
        _tutti() {
            local program=${COMP_WORDS[0]/#\~/$HOME} answer=()
            type -P "$program" >/dev/null || program=tutti
            mapfile -t answer < <(
                "$program" complete bash -- "${COMP_LINE:0:COMP_POINT}" "${COMP_WORDS[COMP_CWORD]}" 2>/dev/null)
            COMPREPLY=()
            if [[ ${answer[0]} == files ]]; then
                compopt -o default
            else
                COMPREPLY=("${answer[@]:1}")
            fi
        }
        complete -F _tutti tutti

        """#

    private static let zshText = #"""
        #compdef tutti
        # zsh completion for tutti: put this file as _tutti into a folder of $fpath, or run
        #   source <(tutti completions zsh)
        # after compinit.
        _tutti() {
            local -a answer values shown
            local line width=0
            answer=("${(@f)$("${(Q)words[1]}" complete zsh -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
            if [[ ${answer[1]} == files ]]; then
                _files
                return
            fi
            for line in "${(@)answer[2,-1]}"; do
                [[ -n $line ]] || continue
                values+=("${line%%$'\t'*}")
                (( ${#values[-1]} > width )) && width=${#values[-1]}
            done
            for line in "${(@)answer[2,-1]}"; do
                [[ -n $line ]] || continue
                if [[ $line == *$'\t'* ]]; then
                    shown+=("${(r:width:)${line%%$'\t'*}}  -- ${line#*$'\t'}")
                else
                    shown+=("$line")
                fi
            done
            (( $#values )) || return 1
            compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -l -d shown -a values
        }
        if [[ $funcstack[1] == _tutti ]]; then _tutti "$@"; else compdef _tutti tutti; fi

        """#

    private static let fishText = #"""
        # fish completion for tutti: put this file into ~/.config/fish/completions/tutti.fish, or run
        #   tutti completions fish | source
        function __tutti_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l program $words[1]
            set -e words[1]
            set -l answer ($program complete fish -- $words "$current" 2>/dev/null)
            if test "$answer[1]" = files
                __fish_complete_path "$current"
            else
                set -e answer[1]
                printf '%s\n' $answer
            end
        end
        complete -c tutti -f -k -a '(__tutti_complete)'

        """#
}
