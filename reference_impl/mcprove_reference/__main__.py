"""``python -m mcprove_reference serve|connect ...``: start either side of the reference pair."""

import sys

USAGE = "usage: python -m mcprove_reference serve|connect ..."


def main(arguments: list[str]) -> int:
    """Start the side that the first argument names and return its exit status; 4 for a wrong use."""
    match arguments:
        case ["serve", *rest]:
            from mcprove_reference.serve import main as serve

            return serve(rest)
        case ["connect", *rest]:
            from mcprove_reference.connect import main as connect

            return connect(rest)
    print(USAGE, file=sys.stderr)  # noqa: T201 - a usage message
    return 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
