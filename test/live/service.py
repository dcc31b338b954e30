import json
import os
import urllib.request

URL = os.environ["TONWAY_URL"]


def get(path):
    return json.load(urllib.request.urlopen(URL + path))


def call(method, params=None):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}).encode()
    request = urllib.request.Request(URL + "/jsonRPC", data=body, headers={"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))["result"]


CONFIG = get("/global.config.json")
WALLETS = call("local.wallets")["wallets"]
