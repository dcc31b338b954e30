import { createHash } from 'node:crypto'
import { type Cell, loadMessage, loadTransaction, type Message, type Slice, type Transaction } from '@ton/core'
import type { MadeBlock } from '../../../../server/chain/local/model.ts'
import {
  applyUpdate,
  bits256,
  check,
  coins,
  fail,
  hashOf,
  hex,
  idOf,
  type Money,
  money,
  nanotons,
  pair,
  readAug,
  readAugE,
  same,
  sum,
} from './read.ts'
import { extRef, readState, rootOf, type State } from './state.ts'

/** An envelope that is not of the second kind. */
interface Envelope {
  readonly cell: Cell
  readonly cur: number
  readonly next: number
  readonly fee: bigint
  readonly msg: Cell
}
export interface In {
  readonly type: 'ext' | 'imm' | 'fin'
  readonly record: Cell
  readonly msg: Cell
  readonly transaction: Cell
  readonly envelope?: Envelope
}
export interface Out {
  readonly type: 'ext' | 'imm' | 'new' | 'deq' | 'deq-short' | 'deq-imm'
  readonly msg?: Cell
  readonly envelope?: Envelope
  readonly transaction?: Cell
  readonly reimport?: Cell
  readonly envelopeHash?: string
  readonly importLt?: bigint
}
export interface Happened {
  readonly transaction: Transaction
  readonly cell: Cell
  readonly account: string
}
export interface Flow {
  readonly from: Money
  readonly to: Money
  readonly imported: Money
  readonly exported: Money
  readonly fees: Money
  readonly burned: Money
  readonly feesImported: Money
  readonly recovered: Money
  readonly created: Money
  readonly minted: Money
}
export interface Header {
  readonly keyBlock: boolean
  readonly seqno: number
  readonly workchain: number
  readonly genUtime: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly validatorHash: number
  readonly catchain: number
  readonly minRefMcSeqno: number
  readonly prevKeyBlock: number
  readonly version: readonly [number, bigint] | undefined
  readonly wantSplit: boolean
  readonly wantMerge: boolean
  readonly masterRef: string | undefined
  readonly prevRef: string
}
export interface ReadBlock {
  readonly root: Cell
  readonly header: Header
  readonly flow: Flow
  readonly state: State
  readonly ins: ReadonlyMap<string, In>
  readonly outs: ReadonlyMap<string, Out>
  readonly transactions: readonly Happened[]
  readonly createdBy: string
  readonly custom: Cell | null
}

const readHeader = (cell: Cell): Header => {
  const s = cell.beginParse()
  same(s.loadUint(32), 0x9bc7a987, 'tag of BlockInfo')
  same(s.loadUint(32), 0, 'version')
  const notMaster = s.loadBit()
  same(s.loadUint(3), 0, 'after_merge, before_split, after_split')
  const [wantSplit, wantMerge, keyBlock] = [s.loadBit(), s.loadBit(), s.loadBit()]
  same(s.loadBit(), false, 'vert_seqno_incr')
  const flags = s.loadUint(8)
  const seqno = s.loadUint(32)
  same(s.loadUint(32), 0, 'vert_seq_no')
  same(s.loadUint(8), 0, 'shard prefix bits')
  const workchain = s.loadInt(32)
  same(s.loadUintBig(64), 0n, 'shard prefix')
  same(notMaster, workchain !== -1, 'not_master')
  const head = {
    keyBlock,
    wantSplit,
    wantMerge,
    seqno,
    workchain,
    genUtime: s.loadUint(32),
    startLt: s.loadUintBig(64),
    endLt: s.loadUintBig(64),
    validatorHash: s.loadUint(32),
    catchain: s.loadUint(32),
    minRefMcSeqno: s.loadUint(32),
    prevKeyBlock: s.loadUint(32),
  }
  let version: readonly [number, bigint] | undefined
  if (flags & 1) {
    same(s.loadUint(8), 0xc4, 'tag of gen_software')
    version = [s.loadUint(32), s.loadUintBig(64)]
  }
  const masterRef = notMaster ? extRef(s.loadRef().beginParse()) : undefined
  const prevRef = extRef(s.loadRef().beginParse())
  s.endParse()
  return { ...head, version, masterRef, prevRef }
}

const readFlow = (cell: Cell): Flow => {
  const s = cell.beginParse()
  const tag = s.loadUint(32)
  const [first, second] = [s.loadRef().beginParse(), s.loadRef().beginParse()]
  const fees = money.read(s)
  const burned = tag === 0x3ebf98b7 ? money.read(s) : tag === 0xb8e48dfb ? money.zero : fail('tag of ValueFlow')
  s.endParse()
  const [from, to, imported, exported] = [money.read(first), money.read(first), money.read(first), money.read(first)]
  const [feesImported, recovered, created, minted] = [money.read(second), money.read(second), money.read(second), money.read(second)]
  first.endParse()
  second.endParse()
  return { from, to, imported, exported, fees, burned, feesImported, recovered, created, minted }
}

const readEnvelope = (cell: Cell): Envelope => {
  const s = cell.beginParse()
  same(s.loadUint(4), 4, 'tag of MsgEnvelope')
  const [cur, next] = [s.loadUint(8), s.loadUint(8)]
  check(cur <= 96 && next <= 96, 'intermediate addresses')
  const envelope = { cell, cur, next, fee: s.loadCoins(), msg: s.loadRef() }
  s.endParse()
  return envelope
}
const valueInside = (envelope: Envelope): Money => {
  const info = messageOf(envelope.msg).info
  if (info.type !== 'internal') return fail('an envelope around a message that is not internal')
  return money.join(money.of(info.value), nanotons(envelope.fee))
}
export const messageOf = (cell: Cell): Message => loadMessage(cell.beginParse())

const readIn = (s: Slice, key: bigint): [readonly [bigint, Money], In] => {
  const record = s.clone().asCell()
  const tag = s.loadUint(3)
  if (tag === 0) {
    const found: In = { type: 'ext', record, msg: s.loadRef(), transaction: s.loadRef() }
    s.endParse()
    same(hashOf(found.msg), idOf(key), 'key of an InMsg')
    same(messageOf(found.msg).info.type, 'external-in', 'message of msg_import_ext')
    return [[0n, money.zero], found]
  }
  if (tag !== 3 && tag !== 4) return fail(`InMsg with tag ${tag}`)
  const envelope = readEnvelope(s.loadRef())
  const transaction = s.loadRef()
  same(s.loadCoins(), envelope.fee, 'fwd_fee of an InMsg')
  s.endParse()
  same(hashOf(envelope.msg), idOf(key), 'key of an InMsg')
  const found: In = { type: tag === 3 ? 'imm' : 'fin', record, msg: envelope.msg, transaction, envelope }
  return [[envelope.fee, tag === 3 ? money.zero : valueInside(envelope)], found]
}

const readOut = (s: Slice, key: bigint): [Money, Out] => {
  const three = s.preloadUint(3)
  const named = (out: Out): Out => {
    s.endParse()
    const msg = out.msg ?? out.envelope?.msg
    if (msg) same(hashOf(msg), idOf(key), 'key of an OutMsg')
    return out
  }
  if (three === 6) {
    if (s.loadUint(4) === 12) return [money.zero, named({ type: 'deq', envelope: readEnvelope(s.loadRef()), importLt: s.loadUintBig(63) })]
    const envelopeHash = bits256(s)
    s.skip(96)
    return [money.zero, named({ type: 'deq-short', envelopeHash, importLt: s.loadUintBig(64) })]
  }
  s.skip(3)
  switch (three) {
    case 0:
      return [money.zero, named({ type: 'ext', msg: s.loadRef(), transaction: s.loadRef() })]
    case 1: {
      const envelope = readEnvelope(s.loadRef())
      return [valueInside(envelope), named({ type: 'new', envelope, transaction: s.loadRef() })]
    }
    case 2:
      return [money.zero, named({ type: 'imm', envelope: readEnvelope(s.loadRef()), transaction: s.loadRef(), reimport: s.loadRef() })]
    case 4:
      return [money.zero, named({ type: 'deq-imm', envelope: readEnvelope(s.loadRef()), reimport: s.loadRef() })]
    default:
      return fail(`OutMsg with tag ${three}`)
  }
}

/* AccountBlocks: transactions in order, each starting from what the one before left. */
const readAccountBlocks = (cell: Cell, before: State, after: State): { happened: Happened[]; fees: Money } => {
  const happened: Happened[] = []
  const { extra } = readAugE(
    cell.beginParse(),
    256,
    money,
    (s, key) => {
      const account = idOf(key)
      same(s.loadUint(4), 5, 'tag of AccountBlock')
      same(bits256(s), account, 'account_addr')
      // The dictionary stands inline; @ton/core's slice reads on where it ended.
      const { extra: fees, entries } = readAug(
        s,
        64,
        money,
        (v) => {
          const root = v.loadRef()
          const transaction = loadTransaction(root.beginParse())
          return [money.of(transaction.totalFees), { root, transaction }]
        },
        `transactions of ${account}`,
      )
      const update = s.loadRef().beginParse()
      s.endParse()
      same(update.loadUint(8), 0x72, 'tag of HASH_UPDATE')
      const [oldHash, newHash] = [bits256(update), bits256(update)]
      const old = before.accounts.get(account)
      const now = after.accounts.get(account)
      let [lt, hash, state] = [old?.lastTransactionLt ?? 0n, old ? idOf(old.lastTransactionHash) : idOf(0n), oldHash]
      for (const [key, { root, transaction }] of entries) {
        const name = `transaction ${account}:${transaction.lt}`
        same(transaction.lt, key, `lt of ${name}`)
        same(idOf(transaction.address), account, `account of ${name}`)
        same(transaction.prevTransactionLt, lt, `prev_trans_lt of ${name}`)
        same(idOf(transaction.prevTransactionHash), hash, `prev_trans_hash of ${name}`)
        same(transaction.stateUpdate.oldHash.toString('hex'), state, `old hash of ${name}`)
        same(transaction.now, after.genUtime, `now of ${name}`)
        ;[lt, hash, state] = [transaction.lt, hashOf(root), transaction.stateUpdate.newHash.toString('hex')]
        happened.push({ transaction, cell: root, account })
      }
      check(entries.length > 0, `AccountBlock of ${account} without transactions`)
      same(newHash, state, `new hash of AccountBlock ${account}`)
      if (now) {
        same(hashOf(now.cell), newHash, `state of account ${account}`)
        same(now.lastTransactionLt, lt, `last_trans_lt of ${account}`)
        same(idOf(now.lastTransactionHash), hash, `last_trans_hash of ${account}`)
      } else same(newHash, NONE, `state of the missing account ${account}`)
      return [fees, oldHash]
    },
    'AccountBlocks',
  )
  return { happened, fees: extra }
}
/** Hash of account_none$0. */
const NONE = createHash('sha256')
  .update(Buffer.from([0, 1, 0x40]))
  .digest('hex')

/** Reads a serialized block against the state before it; everything that can be said without other blocks is checked. */
export const readBlock = (made: MadeBlock, before: State, options: { readonly replaced: ReadonlySet<string> }): ReadBlock => {
  const root = rootOf(made.boc)
  same(hashOf(root), hex(made.id.rootHash), 'root hash')
  same(createHash('sha256').update(made.boc).digest('hex'), hex(made.id.fileHash), 'file hash')
  const s = root.beginParse()
  same(s.loadUint(32), 0x11ef55aa, 'tag of Block')
  same(s.loadInt(32), before.globalId, 'global_id')
  const header = readHeader(s.loadRef())
  const flow = readFlow(s.loadRef())
  const state = readState(applyUpdate(before.root, s.loadRef()))
  same(hashOf(state.root), Buffer.from(made.state.hash()).toString('hex'), 'the state given beside the block')
  const extra = s.loadRef().beginParse()
  s.endParse()
  same(extra.loadUint(32), 0x4a33f6fd, 'tag of BlockExtra')
  const ins = readAugE(extra.loadRef().beginParse(), 256, pair(coins, money), readIn, 'InMsgDescr')
  const outs = readAugE(extra.loadRef().beginParse(), 256, money, readOut, 'OutMsgDescr')
  const blocks = readAccountBlocks(extra.loadRef(), before, state)
  check(BigInt(`0x${bits256(extra)}`) !== 0n, 'rand_seed is zero')
  const createdBy = bits256(extra)
  const custom = extra.loadMaybeRef()
  extra.endParse()

  same(money.show(flow.from), money.show(before.totalBalance), 'from_prev_blk')
  same(money.show(flow.to), money.show(state.totalBalance), 'to_next_blk')
  same(money.show(flow.imported), money.show(ins.extra[1]), 'imported')
  same(money.show(flow.exported), money.show(outs.extra), 'exported')
  same(money.show(flow.fees), money.show(sum(blocks.fees, nanotons(ins.extra[0]), flow.created, flow.feesImported)), 'fees_collected')
  same(
    money.show(sum(flow.from, flow.imported, flow.feesImported, flow.recovered, flow.created, flow.minted)),
    money.show(sum(flow.to, flow.exported, flow.fees, flow.burned)),
    'value flow',
  )
  same(
    money.show(state.validatorFees),
    money.show(money.less(sum(before.validatorFees, flow.fees), flow.recovered)),
    'total_validator_fees',
  )

  const touched = new Set(blocks.happened.map((h) => h.account))
  for (const id of new Set([...before.accounts.keys(), ...state.accounts.keys()])) {
    if (touched.has(id) || options.replaced.has(id)) continue
    same(
      state.accounts.get(id)?.cell.hash().toString('hex'),
      before.accounts.get(id)?.cell.hash().toString('hex'),
      `untouched account ${id}`,
    )
  }
  const named = <T>(entries: readonly [bigint, T][]): Map<string, T> => new Map(entries.map(([key, v]) => [idOf(key), v]))
  return {
    root,
    header,
    flow,
    state,
    ins: named(ins.entries),
    outs: named(outs.entries),
    transactions: blocks.happened.sort((a, b) => (a.transaction.lt < b.transaction.lt ? -1 : 1)),
    createdBy,
    custom,
  }
}
