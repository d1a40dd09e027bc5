"""Checks of ContractIT beside those of schemathesis."""

import requests
import schemathesis

_seen = set()


@schemathesis.check
def key_required(ctx, response, case):
    """Each operation refuses its request without a key, and with a key that nobody has; a flood of wrong keys is slowed (429)."""
    if case.operation.label in _seen:
        return
    _seen.add(case.operation.label)
    sent = response.request
    for wrong, expected in ((None, (401,)), ("Bearer gha_nobody", (403, 429))):
        headers = {name: value for name, value in sent.headers.items() if name.lower() != "authorization"}
        if wrong:
            headers["Authorization"] = wrong
        answer = requests.request(sent.method, sent.url, headers=headers, data=sent.body, timeout=20, allow_redirects=False)
        assert answer.status_code in expected, f"{answer.status_code} with {wrong or 'no key'}, expected {expected}"
        assert answer.headers["Content-Type"].startswith("application/problem+json"), answer.headers["Content-Type"]
