import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { createHeadHub } from '../../../server/chain/head-hub.ts'
import type { SignatureSet } from '../../../server/chain/liteserver.ts'
import type { BlockStore, Genesis, MadeBlock, StoredBlock } from '../../../server/chain/local/model.ts'
import { shardsIntersect } from '../../../server/tlb/block/shard-ident.ts'
import { type BlockId, MASTERCHAIN, sameBlock } from '../../../server/tlb/ids.ts'
import type { NetworkStep } from './network.ts'

/*
 * All blocks of the network, in a file. In memory: the states of the masterchain, because an index that is verified asks for old configurations, and the
 * newest states of the shards.
 */

/** Steps whose states of shards and parsed blocks are kept. */
const STATES = 500
const PARSED = 20

interface Stored {
  readonly id: BlockId
  readonly at: number
  readonly size: number
  readonly endLt: bigint
  readonly utime: number
}

/** One masterchain block and the shard blocks that it commits, in their order. */
interface StoredStep {
  readonly master: Stored
  readonly state: Cell
  readonly shards: readonly Stored[]
  readonly signatures: SignatureSet
}

export interface NetworkStore extends BlockStore {
  add(step: NetworkStep): void
  close(): void
}

const isOf = ({ id }: Stored, shard: bigint | undefined): boolean => shard === undefined || shardsIntersect(id.shard, shard)

/** `file`: a name for the file of the blocks. It is unlinked at once, so nothing of it stays when the process ends. */
export const createNetworkStore = (genesis: Genesis, file: string): NetworkStore => {
  const descriptor = openSync(file, 'w+')
  rmSync(file)
  let end = 0
  const zeros = [genesis.masterState, genesis.shardState] as const
  const steps: StoredStep[] = []
  const keyBlocks: number[] = [0]
  const hub = createHeadHub({ id: genesis.masterState.id, utime: genesis.tip.master.utime, epoch: 0 })
  /** Newest blocks, by root hash. Maps keep the order in which they were filled. */
  const states = new Map<string, Cell>()
  const parsed = new Map<string, Cell>()
  const perStep: number[] = []
  /** Index of the step that commits a block of workchain 0, by seqno. */
  const bySeqno = new Map<number, number[]>()

  const write = ({ id, boc, root, info, state }: MadeBlock): Stored => {
    writeSync(descriptor, boc, 0, boc.length, end)
    const stored = { id, at: end, size: boc.length, endLt: info.endLt, utime: info.genUtime }
    end += boc.length
    if (id.workchain !== MASTERCHAIN) states.set(root.hashKey(), state)
    parsed.set(root.hashKey(), root)
    return stored
  }
  const forget = (of: Map<string, Cell>, keptSteps: number): void => {
    const most = perStep.slice(-keptSteps).reduce((sum, count) => sum + count, 0)
    for (const key of of.keys()) {
      if (of.size <= most) return
      of.delete(key)
    }
  }
  /** The blocks of a workchain in a step. */
  const blocksOf = (step: StoredStep, workchain: number): readonly Stored[] => (workchain === MASTERCHAIN ? [step.master] : step.shards)
  /** The first block of a shard that has reached something which no earlier step has. */
  const firstReaching = (workchain: number, shard: bigint | undefined, has: (block: Stored) => boolean): BlockId | undefined => {
    if (workchain !== MASTERCHAIN && workchain !== 0) return undefined
    let [low, high] = [0, steps.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (has(steps[middle]!.master)) high = middle
      else low = middle + 1
    }
    // A masterchain block ends after the shard blocks that it commits; a shard may have made none in this step.
    for (let i = low; i < steps.length; i++) {
      const found = blocksOf(steps[i]!, workchain).find((block) => isOf(block, shard) && has(block))
      if (found !== undefined) return found.id
    }
    return undefined
  }
  const find = (id: BlockId): { readonly stored: Stored; readonly step: StoredStep } | undefined => {
    const places = id.workchain === MASTERCHAIN ? [id.seqno - 1] : (bySeqno.get(id.seqno) ?? [])
    for (const place of places) {
      const step = steps[place]
      const stored = step && blocksOf(step, id.workchain).find((block) => sameBlock(block.id, id))
      if (stored !== undefined) return { stored, step: step! }
    }
    return undefined
  }
  const read = ({ at, size }: Stored): Uint8Array => {
    const boc = new Uint8Array(size)
    readSync(descriptor, boc, 0, size, at)
    return boc
  }

  return {
    head: hub.head,
    heads: hub.heads,
    zeroState: genesis.zeroState,
    zeroIds: [zeros[0].id, zeros[1].id],
    async idBySeqno(workchain, seqno, shard) {
      if (seqno === 0) return zeros.find(({ id }) => id.workchain === workchain)?.id
      if (workchain === MASTERCHAIN) return steps[seqno - 1]?.master.id
      for (const place of bySeqno.get(seqno) ?? []) {
        const found = steps[place]!.shards.find((block) => block.id.seqno === seqno && isOf(block, shard))
        if (workchain === 0 && found !== undefined) return found.id
      }
      return undefined
    },
    idByLt: async (workchain, lt, shard) => firstReaching(workchain, shard, (block) => block.endLt >= lt),
    idByUtime: async (workchain, utime, shard) => firstReaching(workchain, shard, (block) => block.utime >= utime),
    async block(id): Promise<StoredBlock | undefined> {
      const found = find(id)
      if (found === undefined) return undefined
      const boc = read(found.stored)
      const root = parsed.get(Buffer.from(id.rootHash).toString('latin1')) ?? parseBocRoot(boc)
      return { id, boc, root, ...(id.workchain === MASTERCHAIN && { signatures: found.step.signatures }) }
    },
    async state(id) {
      if (id.seqno === 0) return zeros.find((zero) => sameBlock(zero.id, id))?.root
      if (id.workchain === MASTERCHAIN) return find(id)?.step.state
      return states.get(Buffer.from(id.rootHash).toString('latin1'))
    },
    zeroStateBoc: (workchain) => zeros.find(({ id }) => id.workchain === workchain)!.boc,
    masterOf: async (id) => find(id)?.step.master.id,
    keyBlockBefore: async (seqno) => keyBlocks.findLast((key) => key <= seqno)!,
    add({ master, shards, signatures }) {
      const place = steps.length
      const stored = shards.map(write)
      steps.push({ master: write(master), state: master.state, shards: stored, signatures })
      for (const { id } of stored) {
        const places = bySeqno.get(id.seqno) ?? []
        if (places.at(-1) !== place) bySeqno.set(id.seqno, [...places, place])
      }
      if (master.info.keyBlock) keyBlocks.push(master.id.seqno)
      perStep.push(shards.length + 1)
      if (perStep.length > STATES) perStep.shift()
      forget(states, STATES)
      forget(parsed, PARSED)
      hub.set({ id: master.id, utime: master.info.genUtime, epoch: 0 })
    },
    close() {
      hub.close()
      closeSync(descriptor)
    },
  }
}
