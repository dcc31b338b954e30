// What ton-lite-client reads of the scene in TONWAY_SCENE, as facts (facts.mjs); run.mjs puts this file beside the package.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { LiteClient, LiteSingleEngine } = require('ton-lite-client')
const { Functions } = require('ton-lite-client/dist/schema')
const core = require('@ton/core')
const { Address, Cell } = core
const url = process.env.TONWAY_URL
const scene = JSON.parse(process.env.TONWAY_SCENE)
const WHOLE = '-9223372036854775808'

const config = await (await fetch(`${url}/global.config.json`)).json()
const [server] = config.liteservers
const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${server.port}`, publicKey: Buffer.from(server.id.key, 'base64') })
await new Promise((ready) => engine.once('ready', ready))
const client = new LiteClient({ engine })

const hex = (bytes) => Buffer.from(bytes).toString('hex')
const hash = (cell) => hex(cell.hash())
const number = (value, bytes) => value.toString(16).padStart(bytes * 2, '0')
const raw = (address) => (address instanceof Address ? address.toRawString() : '')
const block = ({ workchain, shard, seqno, rootHash, fileHash }) => ({ workchain, shard, seqno, root: hex(rootHash), file: hex(fileHash) })

/** The header's proof is a Merkle proof of the block's root (block#11ef55aa global_id:int32 info:^BlockInfo ...). */
const header = ({ id, headerProof }) => {
  const root = Cell.fromBoc(headerProof)[0].refs[0].beginParse()
  root.skip(32)
  const global = root.loadInt(32)
  const info = root.loadRef().beginParse()
  info.skip(32)
  const version = info.loadUint(32)
  const [notMaster, afterMerge, beforeSplit, afterSplit, wantSplit, wantMerge, keyBlock] = Array.from({ length: 7 }, () => info.loadBit())
  info.skip(1 + 8 + 32 + 32 + 104)
  const read = {
    ...{ id: block(id), global_id: global, version, after_merge: afterMerge, after_split: afterSplit, before_split: beforeSplit },
    ...{ want_merge: wantMerge, want_split: wantSplit, is_key_block: keyBlock, gen_utime: info.loadUint(32) },
    ...{ start_lt: String(info.loadUintBig(64)), end_lt: String(info.loadUintBig(64)) },
    ...{ validator_list_hash_short: info.loadInt(32), catchain_seqno: info.loadUint(32), min_ref_mc_seqno: info.loadUint(32) },
    prev_key_block_seqno: info.loadUint(32),
  }
  // References of the info: master_ref:not_master?^BlkMasterInfo prev_ref:^ExtBlkRef; ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256.
  if (notMaster) info.loadRef()
  const prev = info.loadRef().beginParse()
  prev.skip(64)
  return { ...read, prev: [{ seqno: prev.loadUint(32), root: hex(prev.loadBuffer(32)), file: hex(prev.loadBuffer(32)) }] }
}

const message = ({ info, body }) => ({
  source: raw(info.src),
  destination: raw(info.dest),
  value: String(info.value?.coins ?? 0),
  created_lt: String(info.createdLt ?? 0),
  fwd_fee: String(info.forwardFee ?? 0),
  ihr_fee: String(info.ihrFee ?? 0),
  body: hash(body),
})
const transaction = (cell, workchain) => {
  const read = core.loadTransaction(cell.beginParse())
  const out = read.outMessages.values().map(message)
  return {
    ...{ lt: String(read.lt), hash: hash(cell), account: `${workchain}:${number(read.address, 32)}`, time: read.now },
    fee: String(out.reduce((sum, { fwd_fee: forward, ihr_fee: ihr }) => sum + BigInt(forward) + BigInt(ihr), read.totalFees.coins)),
    ...{ storage_fee: String(read.description.storagePhase?.storageFeesCollected ?? 0), data: hash(cell) },
    ...{ in: read.inMessage ? message(read.inMessage) : null, out },
  }
}
const STATES = { active: 'active', uninit: 'uninitialized', frozen: 'frozen' }
const account = ({ state, balance, lastTx }) => {
  const inner = state?.storage.state
  const init = inner?.type === 'active' ? inner.state : undefined
  return {
    ...{ state: STATES[inner?.type ?? 'uninit'], balance: String(balance.coins) },
    ...{ code: init?.code ? hash(init.code) : '', data: init?.data ? hash(init.data) : '' },
    frozen: inner?.type === 'frozen' ? number(inner.stateHash, 32) : '',
    last: { lt: String(lastTx?.lt ?? 0), hash: number(lastTx?.hash ?? 0n, 32) },
  }
}
const entry = (item) => {
  if (item.type === 'null') return []
  if (item.type === 'int') return String(item.value)
  if (item.type === 'cell' || item.type === 'slice') return { [item.type]: hash(item.cell) }
  return item.items.map(entry)
}
const run = async (address, method, master) => {
  const { exitCode, result } = await client.runMethod(address, method, core.serializeTuple([]).toBoc(), master)
  return { exit: exitCode, stack: exitCode === 0 ? core.parseTuple(Cell.fromBase64(result)).map(entry) : [] }
}
const each = async (record, read) =>
  Object.fromEntries(await Promise.all(Object.entries(record).map(async ([name, value]) => [name, await read(value, name)])))

const blocks = await each(
  scene.blocks,
  async ({ workchain, shard, seqno }) => (await client.lookupBlockByID({ workchain, shard, seqno })).id,
)
const { master } = blocks
const states = await each(scene.accounts, (address) => client.getAccountState(Address.parse(address), master))
const active = Object.fromEntries(Object.entries(states).filter(([, { lastTx }]) => lastTx?.lt > 0n))
const shards = Object.entries((await client.getAllShardsInfo(master)).shards).flatMap(([workchain, of]) =>
  Object.entries(of).map(([shard, seqno]) => ({ workchain: Number(workchain), shard, seqno })),
)
const { config: params } = await client.getConfig(master)
const proof = await engine.query(Functions.liteServer_getShardBlockProof, {
  kind: 'liteServer.getShardBlockProof',
  id: { kind: 'tonNode.blockIdExt', ...blocks.shard },
})
const facts = {
  blocks: {
    ...(await each(blocks, block)),
    byLt: block((await client.lookupBlockByLt({ workchain: -1, shard: WHOLE, lt: BigInt(scene.lt) })).id),
    byTime: block((await client.lookupBlockByUtime({ workchain: -1, shard: WHOLE, utime: scene.time })).id),
  },
  headers: await each(blocks, async (id) => header(await client.getBlockHeader(id))),
  shards,
  block_transactions: await each(blocks, async (id) =>
    (await client.listBlockTransactions(id, { mode: 7, count: 1000 })).ids.map(({ account: of, lt, hash: own }) => ({
      account: hex(of),
      lt,
      hash: hex(own),
    })),
  ),
  accounts: await each(states, account),
  transactions: await each(active, async ({ lastTx: { lt, hash: of } }, name) => {
    const address = Address.parse(scene.accounts[name])
    const past = await client.getAccountTransactions(address, String(lt), Buffer.from(number(of, 32), 'hex'), 10)
    return Cell.fromBoc(past.transactions).map((cell) => transaction(cell, address.workChain))
  }),
  runs: await each(Object.fromEntries(scene.runs.map((one) => [one.join('.'), one])), ([name, method]) =>
    run(Address.parse(scene.accounts[name]), method, master),
  ),
  proof: {
    master: block(proof.masterchainId),
    links: proof.links.map((link) => ({ id: block(link.id), proof: hash(Cell.fromBoc(link.proof)[0]) })),
  },
  config: Object.fromEntries(params.keys().map((id) => [id, hash(params.get(id))])),
}
console.log(JSON.stringify(facts))
process.exit(0)
