import asyncio

from pytoniq import LiteClient, WalletV4R2
from pytoniq_core import Address

from service import CONFIG, WALLETS

SINK = Address("0:" + "7" * 64)


async def check(level):
    client = LiteClient.from_config(CONFIG, ls_i=0, trust_level=level, timeout=20)
    await client.connect()
    try:
        head = (await client.get_masterchain_info())["last"]["seqno"]
        mnemonic = next(w["mnemonic"] for w in WALLETS if w["version"] == "v4R2")
        wallet = await WalletV4R2.from_mnemonic(client, mnemonic)
        before = await wallet.get_seqno()
        assert wallet.balance > 0
        assert len(await client.get_config_all()) > 20
        block = client.last_mc_block
        assert len(await client.get_all_shards_info(block)) == 1
        assert (await client.raw_get_block(block)).info.seqno == block.seqno
        assert (await client.lookup_block(wc=-1, shard=-(2**63), seqno=1))[0].seqno == 1
        assert await wallet.transfer(destination=SINK, amount=10**9) == 1
        for _ in range(60):
            await asyncio.sleep(0.5)
            if await wallet.get_seqno() > before:
                break
        assert await wallet.get_seqno() == before + 1
        await wallet.update()
        assert len(await client.get_transactions(wallet.address, 5)) > 0
        print(f"trust level {level}: synced to {head}, read and sent")
    finally:
        await client.close()


for trust_level in (2, 1, 0):
    asyncio.run(check(trust_level))
