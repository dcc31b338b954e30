import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { dictFromEntries } from '../../server/cell/dict.ts'
import { makeProof } from '../../server/cell/merkle.ts'
import { bytesOf, readChain } from '../cell/data.ts'
import { listData, readData } from '../kit/data.ts'
import { makeUpdate } from '../kit/make-update.ts'
import { seedOf } from './boc.ts'
import type { Seed } from './mutate.ts'

/** Small bags made here: every exotic type, several levels, shared cells, all forms of the header. */
export const madeSeeds = (): Seed[] => {
  const dict = (add: number): Cell =>
    dictFromEntries(
      16,
      Array.from({ length: 12 }, (_, i) => [BigInt(i * 1777), beginCell().storeUint(i + add, 64)] as const),
    )!
  const tree = beginCell().storeRef(dict(0)).storeRef(EMPTY_CELL).storeUint(7, 5).end()
  const update = makeUpdate(dict(0), dict(1))
  const nested = beginCell().storeRef(update).storeRef(tree).end()
  const proof = makeProof(nested, (cell) => cell.depth() > 1)
  const library = beginCell().storeUint(2, 8).storeBytes(tree.hash()).endExotic()
  const roots: [string, Cell | Cell[]][] = [
    ['empty', EMPTY_CELL],
    ['tree', tree],
    ['update', update],
    ['proof', proof],
    ['library', beginCell().storeRef(library).end()],
    ['roots', [proof, update, tree]],
  ]
  return roots.flatMap(([name, root]) =>
    [{}, { crc32c: false }, { index: true }, { index: true, cacheBits: true, hashes: true }].map((options, i) =>
      seedOf(`made ${name} ${i}`, Buffer.from(serializeBoc(root, options))),
    ),
  )
}

/** Real files of up to `maxBytes`. */
export const realSeeds = (maxBytes: number): Seed[] => {
  const found: Seed[] = []
  const add = (name: string, bytes: Buffer): void => {
    if (bytes.length <= maxBytes) found.push(seedOf(name, bytes))
  }
  for (const folder of ['blocks', 'config', 'codes', 'toncore', 'recorded/liteserver-tl', 'chain']) {
    for (const name of listData(folder, /\.boc$/)) if (!name.endsWith('toncore/configProof.boc')) add(name, readData(name))
  }
  readChain('chain/mainnet-genesis.blocks.jsonl.gz').forEach((block, i) => {
    if (i % 40 !== 0) return
    add(block.id, bytesOf(block.boc))
    if (block.proof !== null) add(`proof of ${block.id}`, bytesOf(block.proof))
  })
  return found
}
