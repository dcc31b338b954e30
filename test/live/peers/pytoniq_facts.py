"""What pytoniq reads of the scene in TONWAY_SCENE, with every proof checked, as facts (facts.mjs)."""
import asyncio
import json
import os
import urllib.request

from pytoniq import LiteClient
from pytoniq.liteclient.client import RunGetMethodError
from pytoniq_core import Address, Cell
from pytoniq_core.tl.block import BlockIdExt
from pytoniq_core.tlb.vm_stack import VmTuple

SCENE = json.loads(os.environ["TONWAY_SCENE"])
WHOLE = -(2**63)
CONFIG = json.load(urllib.request.urlopen(os.environ["TONWAY_URL"] + "/global.config.json"))


def text(shard):
    """A shard is signed in the lite-server protocol, and unsigned in blocks."""
    return str(shard if shard < 2**63 else shard - 2**64)


def block(block_id):
    shard = text(block_id.shard if block_id.shard is not None else WHOLE)
    return {"workchain": block_id.workchain, "shard": shard, "seqno": block_id.seqno, "root": block_id.root_hash.hex(), "file": block_id.file_hash.hex()}


def header(block_id, whole):
    info = whole.info
    prev = info.prev_ref.prev if not info.after_merge else info.prev_ref.prev1
    return {
        "id": block(block_id),
        "global_id": whole.global_id,
        "version": info.version,
        "after_merge": bool(info.after_merge),
        "after_split": bool(info.after_split),
        "before_split": bool(info.before_split),
        "want_merge": info.want_merge,
        "want_split": info.want_split,
        "validator_list_hash_short": info.gen_validator_list_hash_short - (2**32 if info.gen_validator_list_hash_short >= 2**31 else 0),
        "catchain_seqno": info.gen_catchain_seqno,
        "min_ref_mc_seqno": info.min_ref_mc_seqno,
        "is_key_block": info.key_block,
        "prev_key_block_seqno": info.prev_key_block_seqno,
        "start_lt": str(info.start_lt),
        "end_lt": str(info.end_lt),
        "gen_utime": info.gen_utime,
        "prev": [{"seqno": prev.seqno, "root": prev.root_hash.hex(), "file": prev.file_hash.hex()}],
    }


def raw(address):
    return address.to_str(is_user_friendly=False) if isinstance(address, Address) else ""


def message(each):
    info = each.info
    inner = each.is_internal
    return {
        "source": raw(info.src),
        "destination": raw(info.dest),
        "value": str(info.value_coins if inner else 0),
        "created_lt": str(info.created_lt if not each.is_external else 0),
        "fwd_fee": str(info.fwd_fee if inner else 0),
        "ihr_fee": str(info.ihr_fee if inner else 0),
        "body": each.body.hash.hex(),
    }


def transaction(each, workchain):
    out = [message(one) for one in each.out_msgs]
    phase = getattr(each.description, "storage_ph", None)
    return {
        "lt": str(each.lt),
        "hash": each.cell.hash.hex(),
        "account": f"{workchain}:{each.account_addr_hex}",
        "time": each.now,
        "fee": str(each.total_fees.grams + sum(int(one["fwd_fee"]) + int(one["ihr_fee"]) for one in out)),
        "storage_fee": str(phase.storage_fees_collected if phase else 0),
        "data": each.cell.hash.hex(),
        "in": message(each.in_msg) if each.in_msg else None,
        "out": out,
    }


def account(state, whole):
    if state is None:
        return {"state": "uninitialized", "balance": "0", "code": "", "data": "", "frozen": "", "last": {"lt": "0", "hash": "0" * 64}}
    storage = state.storage
    kind = storage.state.type_
    init = storage.state.state_init if kind == "account_active" else None
    return {
        "state": {"account_active": "active", "account_uninit": "uninitialized", "account_frozen": "frozen"}[kind],
        "balance": str(storage.balance.grams),
        "code": init.code.hash.hex() if init and init.code else "",
        "data": init.data.hash.hex() if init and init.data else "",
        "frozen": storage.state.state_hash.hex() if kind == "account_frozen" else "",
        "last": {"lt": str(whole.last_trans_lt), "hash": whole.last_trans_hash.hex()},
    }


def entry(value):
    if value is None:
        return []
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Cell):
        return {"cell": value.hash.hex()}
    if isinstance(value, (list, VmTuple)):
        return [entry(one) for one in value]
    return {"slice": value.to_cell().hash.hex()}


async def run(client, master, address, method):
    try:
        stack = await client.run_get_method(address, method, [], master)
        return {"exit": 0, "stack": [entry(one) for one in stack]}
    except RunGetMethodError as error:
        return {"exit": error.exit_code, "stack": []}


async def read(client):
    ids = {}
    for name, at in SCENE["blocks"].items():
        ids[name], _ = await client.lookup_block(at["workchain"], int(at["shard"]), seqno=at["seqno"])
    master = ids["master"]
    config = await client.liteserver_request("getConfigAll", {"mode": 0, "id": master.to_dict()})
    proven = client.unpack_config(master, Cell.one_from_boc(config["config_proof"]), Cell.one_from_boc(config["state_proof"]))
    cells = await client._get_config_cell(master)
    accounts, transactions = {}, {}
    for name, address in SCENE["accounts"].items():
        state, whole = await client.raw_get_account_state(address, master)
        accounts[name] = account(state, whole)
        if state is not None and whole.last_trans_lt:
            past = await client.get_transactions(address, 10, whole.last_trans_lt, whole.last_trans_hash)
            transactions[name] = [transaction(each, Address(address).wc) for each in past]
    params = cells.begin_parse().load_hashmap(32, value_deserializer=lambda src: src.load_ref())
    assert set(params) == set(proven)
    proof = await client.liteserver_request("getShardBlockProof", {"id": ids["shard"].to_dict()})
    await client.get_shard_block_proof(ids["shard"], True)
    return {
        "blocks": {name: block(each) for name, each in ids.items()}
        | {
            "byLt": block((await client.lookup_block(-1, WHOLE, lt=int(SCENE["lt"])))[0]),
            "byTime": block((await client.lookup_block(-1, WHOLE, utime=SCENE["time"]))[0]),
        },
        "headers": {name: header(each, await client.raw_get_block(each)) for name, each in ids.items()},
        "shards": [block(each) for each in await client.get_all_shards_info(master)],
        "block_transactions": {
            name: [{"account": each["account"].hash_part.hex(), "lt": str(each["lt"]), "hash": each["hash"].hex()} for each in await client.raw_get_block_transactions(one)]
            for name, one in ids.items()
        },
        "accounts": accounts,
        "transactions": transactions,
        "runs": {f"{name}.{method}": await run(client, master, SCENE["accounts"][name], method) for name, method in SCENE["runs"]},
        "proof": {
            "master": block(BlockIdExt.from_dict(proof["masterchain_id"])),
            "links": [{"id": block(BlockIdExt.from_dict(each["id"])), "proof": Cell.one_from_boc(each["proof"]).hash.hex()} for each in proof["links"]],
        },
        "config": {str(key): value.hash.hex() for key, value in params.items()},
    }


async def main():
    client = LiteClient.from_config(CONFIG, ls_i=0, trust_level=0, timeout=20)
    await client.connect()
    try:
        print(json.dumps(await read(client)))
    finally:
        await client.close()


asyncio.run(main())
