import { parseBocRoot } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { applyUpdate } from '../../../server/cell/merkle.ts'
import type { Head, SignatureSet } from '../../../server/chain/liteserver.ts'
import type { BlockStore, StoredBlock } from '../../../server/chain/local/model.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { readData } from '../data.ts'
import { loadBlockProof, loadBlockSignatures } from '../tlb/block-proof.ts'

/*
 * A BlockStore of recorded mainnet blocks (chain/ of the test data). It tests the answers and the chain with blocks that our code did not make. Ids,
 * parents and shard lists come from the index file, which other software made. States come from applying the Merkle updates.
 */

export interface IndexRow {
  readonly id: string
  readonly root_hash: string
  readonly file_hash: string
  readonly seqno: number
  readonly workchain: number
  readonly shard: string
  readonly key_block: boolean
  readonly after_merge: boolean
  readonly after_split: boolean
  readonly gen_utime: number
  readonly start_lt: string
  readonly end_lt: string
  readonly transactions: number
  readonly accounts: number
  readonly prev: readonly { readonly seqno: number; readonly root_hash: string; readonly file_hash: string }[]
  readonly shards?: readonly {
    readonly workchain: number
    readonly shard: string
    readonly seqno: number
    readonly root_hash: string
    readonly file_hash: string
  }[]
  readonly state_update: { readonly old_hash: string; readonly new_hash: string }
}

interface BlockRow {
  readonly id: string
  readonly root_hash: string
  readonly boc: string
  readonly proof: string | null
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

const idOf = (row: { workchain: number; shard: string; seqno: number; root_hash: string; file_hash: string }): BlockId => ({
  workchain: row.workchain,
  shard: BigInt(`0x${row.shard}`),
  seqno: row.seqno,
  rootHash: bytes(row.root_hash),
  fileHash: bytes(row.file_hash),
})

/** Rows of a recorded set: the index and the blocks. */
export const readSet = (name: string): { readonly index: readonly IndexRow[]; readonly rows: readonly BlockRow[] } => ({
  index: JSON.parse(readData(`chain/${name}.index.json`).toString()),
  rows: readData(`chain/${name}.blocks.jsonl.gz`)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)),
})

/** The signatures of a recorded block proof, in the form of lite-server answers. */
export const signaturesOf = (proof: Cell): SignatureSet | undefined => {
  const cell = loadBlockProof(proof).signatures
  if (cell === undefined) return undefined
  const { validatorListHashShort, catchainSeqno, signatures } = loadBlockSignatures(cell)
  return { type: 'ordinary', validatorSetHash: validatorListHashShort, catchainSeqno, signatures }
}

export interface ReplayStore extends BlockStore {
  readonly index: readonly IndexRow[]
  /** Makes a masterchain block the head. It can be an earlier one: that is a revert and increases the epoch. */
  setHead(seqno: number): void
  idOf(row: IndexRow): BlockId
}

/** The mainnet from its zerostate to masterchain block 199 with all shard blocks: two splits, 606 shard blocks. */
export const createReplayStore = (last = 199): ReplayStore => {
  const { index, rows } = readSet('mainnet-genesis')
  const zeroBocs = new Map([
    [-1, readData('chain/mainnet-zerostate-mc.boc')],
    [0, readData('chain/mainnet-zerostate-wc0.boc')],
  ])
  const zeroRoots = new Map([...zeroBocs].map(([workchain, boc]) => [workchain, parseBocRoot(boc)]))
  const firstMaster = index.find((row) => row.workchain === -1 && row.seqno === 1)!
  const zeroIds = [
    { ...idOf(firstMaster), seqno: 0, rootHash: bytes(firstMaster.prev[0]!.root_hash), fileHash: bytes(firstMaster.prev[0]!.file_hash) },
    idOf(firstMaster.shards![0]!),
  ] as const

  const byRoot = new Map<string, IndexRow>(index.map((row) => [row.root_hash, row]))
  const bocs = new Map(rows.map((row) => [row.root_hash, row]))
  const master = index.filter((row) => row.workchain === -1).sort((a, b) => a.seqno - b.seqno)
  const shardBlocks = index.filter((row) => row.workchain === 0).sort((a, b) => a.seqno - b.seqno)

  // The masterchain block that commits a shard block: the first one whose shard tops reach it.
  const masters = new Map<string, IndexRow>()
  for (const row of master) {
    const queue = (row.shards ?? []).map((top) => top.root_hash)
    for (let hash = queue.pop(); hash !== undefined; hash = queue.pop()) {
      const block = byRoot.get(hash)
      if (block === undefined || masters.has(hash)) continue
      masters.set(hash, row)
      queue.push(...block.prev.map((prev) => prev.root_hash))
    }
  }

  const parsed = new Map<string, Cell>()
  const blockRoot = (hash: string): Cell => {
    let root = parsed.get(hash)
    if (root === undefined) {
      root = parseBocRoot(Buffer.from(bocs.get(hash)!.boc, 'base64'))
      parsed.set(hash, root)
    }
    return root
  }

  const states = new Map<string, Cell>()
  const stateOf = (hash: string): Cell | undefined => {
    const known = states.get(hash)
    if (known !== undefined) return known
    const zero = zeroIds.findIndex((id) => Buffer.from(id.rootHash).toString('hex') === hash)
    if (zero >= 0) return zeroRoots.get(zero === 0 ? -1 : 0)
    const row = byRoot.get(hash)
    if (row === undefined) return undefined
    const parents = row.prev.map((prev) => stateOf(prev.root_hash)!)
    // split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;
    const old = parents.length === 1 ? parents[0]! : beginCell().storeUint(0x5f327da5, 32).storeRef(parents[0]!).storeRef(parents[1]!).end()
    const state = applyUpdate(old, blockRoot(hash).ref(2))
    states.set(hash, state)
    return state
  }

  let head = master.find((row) => row.seqno === last)!
  let epoch = 0
  const waiting = new Set<() => void>()
  const known = (row: IndexRow | undefined): IndexRow | undefined => {
    if (row === undefined) return undefined
    const at = row.workchain === -1 ? row : masters.get(row.root_hash)
    return at !== undefined && at.seqno <= head.seqno ? row : undefined
  }
  const headOf = (): Head => ({ id: idOf(head), utime: head.gen_utime, epoch })
  const covers = (row: IndexRow, shard: bigint | undefined): boolean => {
    if (shard === undefined) return true
    const a = BigInt(`0x${row.shard}`)
    const wide = (a & -a) > (shard & -shard) ? a : shard
    const mask = ~(((wide & -wide) << 1n) - 1n)
    return (a & mask) === (shard & mask)
  }
  const chainOf = (workchain: number): readonly IndexRow[] => (workchain === -1 ? master : workchain === 0 ? shardBlocks : [])
  const find = (workchain: number, shard: bigint | undefined, test: (row: IndexRow) => boolean): BlockId | undefined => {
    const row = known(chainOf(workchain).find((candidate) => covers(candidate, shard) && test(candidate)))
    return row && idOf(row)
  }
  const exact = (id: BlockId): IndexRow | undefined => {
    const row = known(byRoot.get(Buffer.from(id.rootHash).toString('hex')))
    const same = row && row.workchain === id.workchain && row.seqno === id.seqno && BigInt(`0x${row.shard}`) === id.shard
    return same && Buffer.from(id.fileHash).toString('hex') === row.file_hash ? row : undefined
  }
  const isZero = (id: BlockId): boolean => id.seqno === 0 && zeroIds.some((zero) => Buffer.compare(zero.rootHash, id.rootHash) === 0)

  return {
    index,
    idOf,
    setHead(seqno) {
      if (seqno < head.seqno) epoch += 1
      head = master.find((row) => row.seqno === seqno)!
      for (const wake of waiting) wake()
      waiting.clear()
    },
    head: headOf,
    async *heads(signal) {
      for (let seen = ''; !signal.aborted; ) {
        if (seen !== `${epoch}:${head.seqno}`) {
          seen = `${epoch}:${head.seqno}`
          yield headOf()
          continue
        }
        await new Promise<void>((resolve) => {
          waiting.add(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    },
    zeroState: { workchain: -1, rootHash: zeroIds[0].rootHash, fileHash: zeroIds[0].fileHash },
    zeroIds,
    async idBySeqno(workchain, seqno, shard) {
      if (seqno === 0) return zeroIds.find((id) => id.workchain === workchain)
      return find(workchain, shard, (row) => row.seqno === seqno)
    },
    async idByLt(workchain, lt, shard) {
      return find(workchain, shard, (row) => BigInt(row.end_lt) >= lt)
    },
    async idByUtime(workchain, utime, shard) {
      return find(workchain, shard, (row) => row.gen_utime >= utime)
    },
    async block(id): Promise<StoredBlock | undefined> {
      const row = exact(id)
      if (row === undefined) return undefined
      const stored = bocs.get(row.root_hash)!
      const base = { id: idOf(row), boc: Buffer.from(stored.boc, 'base64'), root: blockRoot(row.root_hash) }
      if (row.workchain !== -1 || stored.proof === null) return base
      const signatures = signaturesOf(parseBocRoot(Buffer.from(stored.proof, 'base64')))
      return signatures === undefined ? base : { ...base, signatures }
    },
    async state(id) {
      if (isZero(id)) return stateOf(Buffer.from(id.rootHash).toString('hex'))
      const row = exact(id)
      return row && stateOf(row.root_hash)
    },
    zeroStateBoc: (workchain) => zeroBocs.get(workchain)!,
    async masterOf(id) {
      const row = exact(id)
      const at = row && masters.get(row.root_hash)
      return at && idOf(at)
    },
    async keyBlockBefore(seqno) {
      return master.filter((row) => row.seqno <= Math.min(seqno, head.seqno) && row.key_block).at(-1)?.seqno ?? 0
    },
  }
}
