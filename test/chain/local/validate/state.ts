import { beginCell, Cell, loadShardAccount, loadShardStateUnsplit, type ShardAccount, type Slice } from '@ton/core'
import { biggest, bits256, check, hashOf, idOf, least, type Money, measure, money, pair, readAugE, readDict, same } from './read.ts'

/** ShardStateUnsplit as a validator sees it. */
export interface State {
  readonly root: Cell
  readonly globalId: number
  readonly workchain: number
  readonly seqno: number
  readonly genUtime: number
  readonly genLt: bigint
  readonly minRefMcSeqno: number
  readonly queue: ReadonlyMap<string, { readonly lt: bigint; readonly envelope: Cell }>
  readonly queueSize: number | undefined
  readonly processed: readonly { readonly mcSeqno: number; readonly lt: bigint; readonly hash: string }[]
  readonly accounts: ReadonlyMap<string, ShardAccount & { readonly cell: Cell }>
  readonly totalBalance: Money
  readonly validatorFees: Money
  readonly libraries: Cell | null
  readonly masterRef: string | undefined
  readonly custom: Cell | null
}

/** ext_blk_ref$_ as text. */
export const extRef = (s: Slice): string => `${s.loadUintBig(64)} ${s.loadUint(32)} ${bits256(s)} ${bits256(s)}`

const splitDepth = biggest(5)
export const readState = (root: Cell): State => {
  // @ton/core has its own opinion of the state: it must be able to read it.
  loadShardStateUnsplit(root.beginParse())
  const s = root.beginParse()
  same(s.loadUint(32), 0x9023afe2, 'tag of the state')
  const globalId = s.loadInt(32)
  same(s.loadUint(8), 0, 'shard prefix bits')
  const workchain = s.loadInt(32)
  same(s.loadUintBig(64), 0n, 'shard prefix')
  const seqno = s.loadUint(32)
  same(s.loadUint(32), 0, 'vert_seq_no')
  const [genUtime, genLt, minRefMcSeqno] = [s.loadUint(32), s.loadUintBig(64), s.loadUint(32)]

  const q = s.loadRef().beginParse()
  const queue = readAugE(
    q,
    352,
    least,
    (v) => {
      const enqueued = v.loadUintBig(64)
      const envelope = v.loadRef()
      return [enqueued, { lt: enqueued, envelope }]
    },
    'OutMsgQueue',
  )
  const processed = [...readDict(q.loadMaybeRef(), 96)].map(([key, v]) => ({
    mcSeqno: Number(key & 0xffffffffn),
    lt: v.loadUintBig(64),
    hash: bits256(v),
  }))
  let queueSize: number | undefined
  if (q.loadBit()) {
    same(q.loadUint(4), 0, 'tag of OutMsgQueueExtra')
    readAugE(q, 256, least, () => [0n, 0], 'DispatchQueue')
    if (q.loadBit()) queueSize = Number(q.loadUintBig(48))
  }
  q.endParse()

  same(s.loadBit(), false, 'before_split')
  const accounts = readAugE<readonly [bigint, Money], ShardAccount & { readonly cell: Cell }>(
    s.loadRef().beginParse(),
    256,
    pair(splitDepth, money),
    (v, key) => {
      const cell = v.clone().loadRef()
      const account = loadShardAccount(v)
      check(account.account !== null && account.account !== undefined, 'an account_none in ShardAccounts')
      const { addr, storage, storageStats } = account.account!
      same(`${addr.workChain}:${addr.hash.toString('hex')}`, `${workchain}:${idOf(key)}`, 'address of an account')
      checkStorage(cell, storageStats.used)
      return [[0n, money.of(storage.balance)], { ...account, cell }]
    },
    'ShardAccounts',
  )

  const t = s.loadRef().beginParse()
  t.skip(128)
  const [totalBalance, validatorFees] = [money.read(t), money.read(t)]
  same(money.show(totalBalance), money.show(accounts.extra[1]), 'total_balance')
  const libraries = t.loadMaybeRef()
  const masterRef = t.loadBit() ? extRef(t) : undefined
  t.endParse()
  const custom = s.loadMaybeRef()
  s.endParse()
  if (queueSize !== undefined) same(queueSize, queue.entries.length, 'out_queue_size')
  return {
    root,
    globalId,
    workchain,
    seqno,
    genUtime,
    genLt,
    minRefMcSeqno,
    queue: new Map(queue.entries.map(([key, v]) => [key.toString(16).padStart(88, '0'), v])),
    queueSize,
    processed,
    accounts: new Map(accounts.entries.map(([key, v]) => [idOf(key), v])),
    totalBalance,
    validatorFees,
    libraries,
    masterRef,
    custom,
  }
}

/* used.cells and used.bits of an account are those of its AccountStorage, taken as a cell without the extra currencies. */
const checkStorage = (account: Cell, used: { readonly cells: bigint; readonly bits: bigint }): void => {
  const s = account.beginParse()
  same(s.loadBit(), true, 'account$1')
  s.loadAddress()
  s.loadVarUintBig(3)
  s.loadVarUintBig(3)
  if (s.loadUint(3) === 1) s.skip(256)
  s.skip(32)
  if (s.loadBit()) s.loadCoins()
  const storage = beginCell().storeUint(s.loadUintBig(64), 64).storeCoins(s.loadCoins()).storeBit(false)
  s.loadMaybeRef()
  const { cells, bits } = measure(storage.storeSlice(s).endCell())
  same(used.cells, cells, `used cells of account ${hashOf(account)}`)
  same(used.bits, bits, `used bits of account ${hashOf(account)}`)
}

/** Bag of cells with one root. */
export const rootOf = (boc: Uint8Array): Cell => {
  const [root, second] = Cell.fromBoc(Buffer.from(boc))
  check(root !== undefined && second === undefined, 'one root')
  return root!
}
