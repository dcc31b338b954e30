import { createHash, createPublicKey, verify } from 'node:crypto'
import { type Cell, loadMasterchainStateExtra } from '@ton/core'
import type { SignatureSet } from '../../../../server/chain/liteserver.ts'
import type { Genesis, Step } from '../../../../server/chain/local/model.ts'
import { type Header, type ReadBlock, readBlock } from './block.ts'
import { checkMessages } from './messages.ts'
import { bits256, check, fail, hashOf, hex, later, type Monoid, money, pair, readAugE, readDict, same, sum } from './read.ts'
import { extRef, readState, rootOf, type State } from './state.ts'

/*
 * An independent validator of steps: follows a chain from its zerostates, block by block, reading what was serialized.
 */

interface End {
  readonly state: State
  /** end_lt seqno root_hash file_hash */
  readonly ref: string
  readonly endLt: bigint
}
interface Extra {
  readonly shards: ReadonlyMap<number, Descr>
  readonly configAddr: string
  readonly config: Cell
  readonly validatorHash: number
  readonly catchain: number
  readonly prevBlocks: ReadonlyMap<number, string>
  readonly afterKeyBlock: boolean
  readonly lastKeyBlock: string | undefined
  readonly globalBalance: ReturnType<typeof money.read>
}
interface Descr {
  readonly seqno: number
  readonly regMcSeqno: number
  readonly ref: string
  readonly startLt: bigint
  readonly endLt: bigint
  readonly genUtime: number
  readonly minRefMcSeqno: number
  readonly catchain: number
  readonly wantSplit: boolean
  readonly wantMerge: boolean
  readonly fees: string
  readonly created: string
}
const keyMaxLt: Monoid<readonly [boolean, bigint]> = {
  read: (s) => [s.loadBit(), s.loadUintBig(64)],
  join: (a, b) => [a[0] || b[0], later(a[1], b[1])],
  zero: [false, 0n],
  show: String,
}

const readShards = (root: Cell | null): Map<number, Descr> => {
  const shards = new Map<number, Descr>()
  for (const [key, value] of readDict(root, 32)) {
    const s = value.loadRef().beginParse()
    same(s.loadBit(), false, 'bt_leaf')
    same(s.loadUint(4), 0xa, 'tag of ShardDescr')
    const [seqno, regMcSeqno, startLt, endLt] = [s.loadUint(32), s.loadUint(32), s.loadUintBig(64), s.loadUintBig(64)]
    const ref = `${endLt} ${seqno} ${bits256(s)} ${bits256(s)}`
    same(s.loadUint(2), 0, 'before_split, before_merge')
    const [wantSplit, wantMerge] = [s.loadBit(), s.loadBit()]
    s.skip(4)
    const catchain = s.loadUint(32)
    same(s.loadUintBig(64), 1n << 63n, 'next_validator_shard')
    const [minRefMcSeqno, genUtime] = [s.loadUint(32), s.loadUint(32)]
    same(s.loadBit(), false, 'fsm_none')
    const f = s.loadRef().beginParse()
    s.endParse()
    const [fees, created] = [money.show(money.read(f)), money.show(money.read(f))]
    shards.set(Number(BigInt.asIntN(32, key)), {
      seqno,
      regMcSeqno,
      ref,
      startLt,
      endLt,
      genUtime,
      minRefMcSeqno,
      catchain,
      wantSplit,
      wantMerge,
      fees,
      created,
    })
  }
  return shards
}

const readExtra = (cell: Cell): Extra => {
  loadMasterchainStateExtra(cell.beginParse())
  const s = cell.beginParse()
  same(s.loadUint(16), 0xcc26, 'tag of McStateExtra')
  const shards = readShards(s.loadMaybeRef())
  const [configAddr, config] = [bits256(s), s.loadRef()]
  const r = s.loadRef().beginParse()
  same(r.loadUint(16), 0, 'flags of McStateExtra')
  const [validatorHash, catchain] = [r.loadUint(32), r.loadUint(32)]
  r.loadBit()
  const prev = readAugE(
    r,
    32,
    keyMaxLt,
    (v): [readonly [boolean, bigint], string] => {
      const key = v.loadBit()
      const lt = v.preloadUintBig(64)
      return [[key, lt], `${key} ${extRef(v)}`]
    },
    'OldMcBlocksInfo',
  )
  const afterKeyBlock = r.loadBit()
  const lastKeyBlock = r.loadBit() ? extRef(r) : undefined
  r.endParse()
  const globalBalance = money.read(s)
  s.endParse()
  return {
    shards,
    configAddr,
    config,
    validatorHash,
    catchain,
    prevBlocks: new Map(prev.entries.map(([k, v]) => [Number(k), v])),
    afterKeyBlock,
    lastKeyBlock,
    globalBalance,
  }
}

const param = (config: Cell, n: number): Cell | undefined =>
  readDict(config, 32)
    .get(BigInt.asUintN(32, BigInt(n)))
    ?.loadRef()
const theValidator = (config: Cell): { key: Buffer; weight: bigint; adnl: Buffer } => {
  const s = param(config, 34)!.beginParse()
  same(s.loadUint(8), 0x12, 'validators_ext#12')
  s.skip(64)
  same(s.loadUint(16), 1, 'total')
  same(s.loadUint(16), 1, 'main')
  const total = s.loadUintBig(64)
  const v = readDict(s.loadMaybeRef(), 16).get(0n)!
  same(v.loadUint(8), 0x73, 'validator_addr#73')
  same(v.loadUint(32), 0x8e81278a, 'ed25519_pubkey')
  const key = v.loadBuffer(32)
  const weight = v.loadUintBig(64)
  same(weight, total, 'total_weight')
  return { key, weight, adnl: v.loadBuffer(32) }
}
const crc32c = (bytes: Buffer): number => {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
const setHash = (config: Cell, catchain: number): number => {
  const { key, weight, adnl } = theValidator(config)
  const head = Buffer.alloc(12)
  head.writeInt32LE(-1877581587, 0)
  head.writeUInt32LE(catchain, 4)
  head.writeUInt32LE(1, 8)
  const w = Buffer.alloc(8)
  w.writeBigUInt64LE(weight)
  return crc32c(Buffer.concat([head, key, w, adnl]))
}
const checkSignatures = (config: Cell, id: Step['master']['id'], header: Header, set: SignatureSet): void => {
  const { key } = theValidator(config)
  same(set.type, 'ordinary', 'kind of signature set')
  same(set.validatorSetHash, header.validatorHash, 'validator_set_hash of the signatures')
  same(set.catchainSeqno, header.catchain, 'catchain_seqno of the signatures')
  same(set.signatures.length, 1, 'number of signatures')
  const publicKey = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key]),
    format: 'der',
    type: 'spki',
  })
  const name = createHash('sha256')
    .update(Buffer.concat([Buffer.from('c6b41348', 'hex'), key]))
    .digest('hex')
  same(hex(set.signatures[0]!.nodeIdShort), name, 'node_id_short')
  const signed = Buffer.concat([Buffer.from('706e0bc5', 'hex'), id.rootHash, id.fileHash])
  check(verify(null, signed, publicKey, set.signatures[0]!.signature), 'the signature does not verify')
}

const ceil = (lt: bigint): bigint => (lt === 0n ? 1_000_000n : ((lt + 999_999n) / 1_000_000n) * 1_000_000n)
const configOfAccount = (state: State, id: string): Cell | undefined => {
  const storage = state.accounts.get(id)?.account?.storage
  return storage?.state.type === 'active' ? (storage.state.state.data?.refs[0] ?? undefined) : undefined
}

/* Messages in the queue of `chain` that nobody has processed. */
const leftOver = (chain: State, other: State): number => {
  const theirs = BigInt.asUintN(32, BigInt(other.workchain)).toString(16).padStart(8, '0')
  return [...chain.queue].filter(([key, { lt }]) => {
    if (!key.startsWith(theirs)) return true
    return !other.processed.some((p) => p.lt > lt || (p.lt === lt && p.hash >= key.slice(24)))
  }).length
}

/** What one step was found to hold. */
export interface Validated {
  readonly shard: ReadBlock
  readonly master: ReadBlock
  readonly injected: number
  readonly config: Cell
}

export const createValidator = (genesis: Genesis) => {
  const zero = (z: Genesis['masterState']): End => {
    const root = rootOf(z.boc)
    same(hashOf(root), hex(z.id.rootHash), 'root hash of a zerostate')
    same(createHash('sha256').update(z.boc).digest('hex'), hex(z.id.fileHash), 'file hash of a zerostate')
    return { state: readState(root), ref: `0 0 ${hex(z.id.rootHash)} ${hex(z.id.fileHash)}`, endLt: 0n }
  }
  let master = zero(genesis.masterState)
  let shard = zero(genesis.shardState)

  const checkHeader = (block: ReadBlock, end: End, extra: Extra, afterLt: bigint, catchain: number): void => {
    const { header, state } = block
    const name = `block ${header.workchain}:${header.seqno}`
    same(header.workchain, end.state.workchain, `workchain of ${name}`)
    same(header.seqno, end.state.seqno + 1, `seq_no of ${name}`)
    same(state.seqno, header.seqno, `seq_no of the state after ${name}`)
    same(header.prevRef, end.ref, `prev_ref of ${name}`)
    check(header.genUtime >= end.state.genUtime, `gen_utime of ${name}`)
    same(state.genUtime, header.genUtime, `gen_utime of the state after ${name}`)
    same(header.startLt, ceil(afterLt), `start_lt of ${name}`)
    check(header.endLt > header.startLt, `end_lt of ${name}`)
    same(state.genLt, header.endLt, `gen_lt of the state after ${name}`)
    same(state.minRefMcSeqno, header.minRefMcSeqno, `min_ref_mc_seqno of ${name}`)
    same(header.catchain, catchain, `gen_catchain_seqno of ${name}`)
    same(header.validatorHash, setHash(extra.config, catchain), `gen_validator_list_hash_short of ${name}`)
    const key = extra.afterKeyBlock ? master.ref : extra.lastKeyBlock!
    same(header.prevKeyBlock, key.split(' ')[1], `prev_key_block_seqno of ${name}`)
    const version = param(extra.config, 8)!.beginParse().skip(8)
    same(header.version, [version.loadUint(32), version.loadUintBig(64)], `gen_software of ${name}`)
    same(block.createdBy, theValidator(extra.config).key.toString('hex'), `created_by of ${name}`)
  }

  /** Checks a step on top of the one before; throws Invalid with what is wrong. */
  return (step: Step, options: { readonly replaced?: readonly string[] } = {}): Validated => {
    const replaced = new Set(options.replaced ?? [])
    const extra = readExtra(master.state.custom!)
    const oldDescr = extra.shards.get(0)

    const s = readBlock(step.shard, shard.state, { replaced })
    checkHeader(s, shard, extra, master.endLt > shard.endLt ? master.endLt : shard.endLt, oldDescr?.catchain ?? 0)
    same(s.header.masterRef, master.ref, 'master_ref of the shard block')
    same(s.state.masterRef, master.ref, 'master_ref of the shard state')
    same(s.header.keyBlock, false, 'key_block of a shard block')
    same(s.custom, null, 'McBlockExtra in a shard block')
    same(s.state.custom, null, 'McStateExtra in a shard state')
    const fromMaster = checkMessages(s, shard.state, { state: master.state, endLt: master.endLt })

    const m = readBlock(step.master, master.state, { replaced })
    checkHeader(m, master, extra, master.endLt > s.header.endLt ? master.endLt : s.header.endLt, extra.catchain)
    const fromShard = checkMessages(m, master.state, { state: s.state, endLt: s.header.endLt })
    checkSignatures(extra.config, step.master.id, m.header, step.signatures)

    // McStateExtra
    const after = readExtra(m.state.custom!)
    const shardRef = `${s.header.endLt} ${s.header.seqno} ${hex(step.shard.id.rootHash)} ${hex(step.shard.id.fileHash)}`
    const descr = after.shards.get(0) ?? fail('workchain 0 is not in ShardHashes')
    const lifetime = (state: State): number => Math.floor(state.genUtime / 250)
    const turned = m.header.keyBlock || lifetime(m.state) > lifetime(master.state)
    same(after.catchain, extra.catchain + (turned ? 1 : 0), 'catchain_seqno of validator_info')
    same(after.validatorHash, setHash(after.config, 0), 'validator_list_hash_short of validator_info')
    const expected: Descr = {
      seqno: s.header.seqno,
      regMcSeqno: m.header.seqno,
      ref: shardRef,
      startLt: s.header.startLt,
      endLt: s.header.endLt,
      genUtime: s.header.genUtime,
      minRefMcSeqno: s.header.minRefMcSeqno,
      catchain: (oldDescr?.catchain ?? 0) + (turned ? 1 : 0),
      wantSplit: s.header.wantSplit,
      wantMerge: s.header.wantMerge,
      fees: money.show(s.flow.fees),
      created: money.show(sum(s.flow.created, s.flow.minted)),
    }
    same(JSON.stringify(descr, big), JSON.stringify(expected, big), 'ShardDescr')
    same(m.header.minRefMcSeqno <= descr.minRefMcSeqno, true, 'min_ref_mc_seqno of the masterchain block')
    same(after.prevBlocks.size, m.header.seqno, 'number of previous blocks')
    same(after.prevBlocks.get(m.header.seqno - 1), `${extra.afterKeyBlock} ${master.ref}`, 'the previous block in OldMcBlocksInfo')
    for (const [seqno, ref] of extra.prevBlocks) same(after.prevBlocks.get(seqno), ref, `block ${seqno} in OldMcBlocksInfo`)
    same(after.lastKeyBlock, extra.afterKeyBlock ? master.ref : extra.lastKeyBlock, 'last_key_block')
    same(after.afterKeyBlock, m.header.keyBlock, 'after_key_block')
    const changed = hashOf(after.config) !== hashOf(extra.config) || after.configAddr !== extra.configAddr
    same(m.header.keyBlock, changed || m.header.seqno === 1, 'key_block')
    const followed = configOfAccount(m.state, after.configAddr)
    if (followed) same(hashOf(followed), hashOf(after.config), 'configuration of the contract')
    same(
      money.show(after.globalBalance),
      money.show(sum(extra.globalBalance, m.flow.created, m.flow.minted, s.flow.created, s.flow.minted)),
      'global_balance',
    )

    // McBlockExtra
    const b = m.custom!.beginParse()
    same(b.loadUint(16), 0xcca5, 'tag of McBlockExtra')
    same(b.loadBit(), m.header.keyBlock, 'key_block of McBlockExtra')
    same(JSON.stringify(readShards(b.loadMaybeRef()).get(0), big), JSON.stringify(descr, big), 'ShardHashes of the block')
    const fees = readAugE(
      b,
      96,
      pair(money, money),
      (v) => {
        const both: readonly [ReturnType<typeof money.read>, ReturnType<typeof money.read>] = [money.read(v), money.read(v)]
        return [both, both]
      },
      'ShardFees',
    )
    same(fees.entries.length, 1, 'number of ShardFees')
    same(fees.entries[0]![0], 1n << 63n, 'key of ShardFees')
    same(money.show(fees.extra[0]), money.show(s.flow.fees), 'fees of ShardFees')
    same(money.show(m.flow.feesImported), money.show(s.flow.fees), 'fees_imported')
    const messages = b.loadRef().beginParse()
    same(messages.loadMaybeRef(), null, 'prev_blk_signatures')
    const [recover, mint] = [messages.loadMaybeRef(), messages.loadMaybeRef()]
    same(recover !== null, m.flow.recovered.grams > 0n, 'recover_create_msg')
    for (const special of [recover, mint]) {
      if (special)
        check(
          [...m.ins.values()].some((v) => hashOf(v.record) === hashOf(special)),
          'a special message is not in InMsgDescr',
        )
    }
    if (m.header.keyBlock) {
      same(bits256(b), after.configAddr, 'config_addr of the key block')
      same(hashOf(b.loadRef()), hashOf(after.config), 'config of the key block')
      for (const n of [8, 28, 34]) check(param(after.config, n) !== undefined, `parameter ${n} of a key block`)
    }
    b.endParse()

    same(step.tip.keyBlockSeqno, m.header.keyBlock ? m.header.seqno : m.header.prevKeyBlock, 'keyBlockSeqno of the tip')
    same(step.pending, leftOver(s.state, m.state) + leftOver(m.state, s.state) > 0, 'pending')
    shard = { state: s.state, ref: shardRef, endLt: s.header.endLt }
    master = {
      state: m.state,
      ref: `${m.header.endLt} ${m.header.seqno} ${hex(step.master.id.rootHash)} ${hex(step.master.id.fileHash)}`,
      endLt: m.header.endLt,
    }
    return { shard: s, master: m, injected: fromMaster.injected.length + fromShard.injected.length, config: after.config }
  }
}

const big = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)
