# Put before the curl lines of a document: each call must be answered well, and is counted on standard error.
set -euo pipefail

curl() {
    local status=0
    case " $* " in
    # Somebody who watches leaves when enough was seen.
    *" -N "*)
        command curl --fail-with-body --silent --show-error --max-time 3 "$@" || status=$?
        [ $status -eq 28 ] || { echo "a watch ended with $status" >&2; return 1; }
        ;;
    *) command curl --fail-with-body --silent --show-error --max-time 20 "$@" || return ;;
    esac
    echo "typed: $*" >&2
}
