"""`python tools/check LEDGER`: decides every claim of the ledger again, without any code of the library, and says where the two differ."""

import json
import sys
from pathlib import Path

from compare import differences


def main(ledger: Path) -> int:
    claims = json.loads(ledger.read_text(encoding="utf-8"))["claims"]
    complaints = [complaint for claim in claims for complaint in differences(claim)]
    for complaint in complaints:
        print(complaint)
    parts = sum(len(claim["parts"]) for claim in claims)
    print(f"{len(claims)} claims with {parts} parts were decided again; {len(complaints)} differences.")
    return 1 if complaints else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the ledger's file: python tools/check LEDGER.json.")
    sys.exit(main(Path(sys.argv[1])))
