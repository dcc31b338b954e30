"""What TON's own tonlib answers of the scene in TONWAY_SCENE, at its block (withBlock), in tonlib's own shapes; run.mjs makes facts of them (facts.mjs)."""
import asyncio
import json
import os
import tempfile
import urllib.request

from pytonlib import TonlibClient

SCENE = json.loads(os.environ["TONWAY_SCENE"])
CONFIG = json.load(urllib.request.urlopen(os.environ["TONWAY_URL"] + "/global.config.json"))
WHOLE = -(2**63)


async def main():
    client = TonlibClient(ls_index=0, config=CONFIG, keystore=tempfile.mkdtemp(), loop=asyncio.get_running_loop(), tonlib_timeout=30)
    await client.init()

    async def ask(kind, **members):
        return await client.tonlib_wrapper.execute({"@type": kind, **members}, timeout=30)

    async def lookup(workchain, shard, mode, seqno=0, lt=0, utime=0):
        at = {"@type": "ton.blockId", "workchain": workchain, "shard": str(shard), "seqno": seqno}
        return await ask("blocks.lookupBlock", mode=mode, id=at, lt=str(lt), utime=utime)

    blocks = {name: await lookup(at["workchain"], at["shard"], 1, at["seqno"]) for name, at in SCENE["blocks"].items()}
    master = blocks["master"]

    async def pinned(kind, **members):
        return await ask("withBlock", id=master, function={"@type": kind, **members})

    accounts = {
        name: await pinned("raw.getAccountState", account_address={"@type": "accountAddress", "account_address": address})
        for name, address in SCENE["accounts"].items()
    }
    transactions = {}
    for name, state in accounts.items():
        last = state["last_transaction_id"]
        if last["lt"] != "0":
            address = {"@type": "accountAddress", "account_address": SCENE["accounts"][name]}
            past = await ask("raw.getTransactions", account_address=address, from_transaction_id=last)
            transactions[name] = past["transactions"][:10]
    runs = {}
    for name, method in SCENE["runs"]:
        loaded = await pinned("smc.load", account_address={"@type": "accountAddress", "account_address": SCENE["accounts"][name]})
        runs[f"{name}.{method}"] = await ask("smc.runGetMethod", id=loaded["id"], method={"@type": "smc.methodIdName", "name": method}, stack=[])
    answers = {
        "blocks": blocks | {"byLt": await lookup(-1, WHOLE, 2, lt=SCENE["lt"]), "byTime": await lookup(-1, WHOLE, 4, utime=SCENE["time"])},
        "headers": {name: await ask("blocks.getBlockHeader", id=each) for name, each in blocks.items()},
        "shards": await ask("blocks.getShards", id=master),
        "transactionsOf": {name: await client.raw_get_block_transactions(each, 1000, {"account": "A" * 43 + "=", "lt": "0"}) for name, each in blocks.items()},
        "accounts": accounts,
        "transactions": transactions,
        "runs": runs,
        "config": {str(key): await ask("getConfigParam", id=master, param=key, mode=0) for key in SCENE["config"]},
        "proof": await ask("blocks.getShardBlockProof", id=blocks["shard"], mode=1, **{"from": master}),
        "signatures": await ask("blocks.getMasterchainBlockSignatures", seqno=master["seqno"]),
    }
    print(json.dumps(answers))
    await client.close()


asyncio.run(asyncio.wait_for(main(), 170))
