import asyncio
import tempfile

from pytonlib import TonlibClient
from pytonlib.tonlibjson import TonlibError

from service import CONFIG, WALLETS

ADDRESS = WALLETS[0]["address"]
WHOLE = -(2**63)


async def main():
    client = TonlibClient(ls_index=0, config=CONFIG, keystore=tempfile.mkdtemp(), loop=asyncio.get_running_loop(), tonlib_timeout=20)
    await client.init()
    seqno = (await client.get_masterchain_info())["last"]["seqno"]
    assert int((await client.raw_get_account_state(ADDRESS))["balance"]) > 0
    assert (await client.raw_run_method(ADDRESS, "seqno", []))["exit_code"] == 0
    assert (await client.lookup_block(-1, WHOLE, seqno - 1))["seqno"] == seqno - 1
    shard = (await client.get_shards(seqno))["shards"][0]
    assert (await client.get_block_header(-1, WHOLE, seqno))["id"]["seqno"] == seqno
    await client.get_transactions(ADDRESS, limit=5)
    await client.get_block_transactions(-1, WHOLE, seqno, count=10)
    assert (await client.get_config_param(34))["@type"] == "configInfo"
    await client.get_config_all()
    assert len((await client.get_masterchain_block_signatures(seqno - 1))["signatures"]) == 1
    assert len((await client.get_shard_block_proof(0, int(shard["shard"]), shard["seqno"]))["links"]) > 0
    await client.get_libraries(["A" * 43 + "="])
    await client.get_out_msg_queue_sizes()
    try:
        await client.lookup_block(-1, WHOLE, seqno + 100_000)
        raise AssertionError("a block that is not there was found")
    except TonlibError as error:
        assert "NOTREADY" in str(error) or "not in db" in str(error), error
    print(f"synced to {seqno} from the first block, read")
    await client.close()


asyncio.run(asyncio.wait_for(main(), 120))
