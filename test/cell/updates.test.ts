import { describe, expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { applyUpdate } from '../../server/cell/merkle.ts'
import { hasData, readData } from '../kit/data.ts'
import { makeUpdate } from '../kit/make-update.ts'
import { bytesOf, type ChainBlock, readChain } from './data.ts'

interface IndexEntry {
  readonly id: string
  readonly prev: readonly { readonly root_hash: string }[]
  readonly after_merge: boolean
  readonly after_split: boolean
  readonly state_update: { readonly old_hash: string; readonly new_hash: string }
}

const index = (name: string): Map<string, IndexEntry> =>
  new Map((JSON.parse(readData(name).toString()) as IndexEntry[]).map((entry) => [entry.id, entry]))

/** block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState) extra:^BlockExtra */
const stateUpdate = (block: ChainBlock): Cell => parseBocRoot(bytesOf(block.boc)).ref(2)

const provenHash = (state: Cell): string => Buffer.from(state.hash(0)).toString('hex')

/** Applies a block to a state, checks it against the index, and (where the state is whole) makes the same step with our own update. */
const step = (state: Cell, block: ChainBlock, entry: IndexEntry): Cell => {
  const update = stateUpdate(block)
  expect(provenHash(state), block.id).toBe(entry.state_update.old_hash)
  const next = applyUpdate(state, update)
  expect(provenHash(next), block.id).toBe(entry.state_update.new_hash)
  if (state.level !== 0) return next
  const own = makeUpdate(state, next)
  expect(applyUpdate(state, own).hashHex(), block.id).toBe(entry.state_update.new_hash)
  return next
}

describe('Merkle updates of real blocks', () => {
  it('the Merkle updates of real blocks lead the masterchain from the zerostate to block 199', () => {
    const entries = index('chain/mainnet-genesis.index.json')
    let state = parseBocRoot(readData('chain/mainnet-zerostate-mc.boc'))
    const blocks = readChain('chain/mainnet-genesis.blocks.jsonl.gz').filter((block) => block.workchain === -1)
    expect(blocks.map((block) => block.seqno)).toEqual(Array.from({ length: 199 }, (_, i) => i + 1))
    for (const block of blocks) state = step(state, block, entries.get(block.id)!)
    expect(state.hashHex()).toBe(parseBocRoot(readData('chain/mainnet-state-mc-199.boc')).hashHex())
  })

  it('the Merkle updates of real blocks lead the workchain from the zerostate through every shard block of the genesis', () => {
    const entries = index('chain/mainnet-genesis.index.json')
    const zero = parseBocRoot(readData('chain/mainnet-zerostate-wc0.boc'))
    const states = new Map<string, Cell>()
    let applied = 0
    let afterSplit = 0
    for (const block of readChain('chain/mainnet-genesis.blocks.jsonl.gz')) {
      if (block.workchain !== 0) continue
      const entry = entries.get(block.id)!
      let state = block.seqno === 1 ? zero : states.get(entry.prev[0]!.root_hash)!
      if (entry.after_split) {
        // The state of a new shard is cut out of its parent's by rules of blocks, not of cells: begin with as much of it as the update names.
        state = stateUpdate(block).ref(0)
        afterSplit++
      }
      states.set(block.root_hash, step(state, block, entry))
      applied++
    }
    expect([applied, afterSplit]).toEqual([606, 6])
  })

  for (const [name, from, to] of [
    ['chain/mainnet-mc-2660-2690', '2659', '2690'],
    ['chain/mainnet-shard2000-571525-571555', '571524', '571555'],
  ] as const) {
    it(`the Merkle updates of real blocks lead ${name} from its first state to its last`, () => {
      const entries = index(`${name}.index.json`)
      let state = parseBocRoot(readData(`${name}.state-${from}.boc.gz`))
      for (const block of readChain(`${name}.blocks.jsonl.gz`)) state = step(state, block, entries.get(block.id)!)
      // Every step was compared with the index; the last state lies beside it where all data does.
      const last = `${name}.state-${to}.boc`
      if (hasData(last)) expect(state.hashHex()).toBe(parseBocRoot(readData(last)).hashHex())
    })
  }

  it('Merkle updates made here are as small as TON’s', () => {
    const entries = index('chain/mainnet-genesis.index.json')
    let state = parseBocRoot(readData('chain/mainnet-zerostate-mc.boc'))
    let ours = 0
    let theirs = 0
    for (const block of readChain('chain/mainnet-genesis.blocks.jsonl.gz').filter((b) => b.workchain === -1)) {
      const update = stateUpdate(block)
      const next = applyUpdate(state, update)
      expect(next.hashHex()).toBe(entries.get(block.id)!.state_update.new_hash)
      ours += serializeBoc(makeUpdate(state, next)).length
      theirs += serializeBoc(update).length
      state = next
    }
    expect(ours).toBeLessThanOrEqual(theirs)
  })
})
