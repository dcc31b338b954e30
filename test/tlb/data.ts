import { Cell as CoreCell } from '@ton/core'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { Cell, CellError } from '../../server/cell/cell.ts'
import { openProof } from '../../server/cell/merkle.ts'
import { type ChainBlock, readChain } from '../cell/data.ts'
import { hasData, listData, readData, readJson } from '../kit/data.ts'

/* Real data of the test-data folder (its README tells what is where), read once and kept. */

export const file = readData
export const json = readJson
/** Names of the files in a folder that end so; without `.gz`. */
export const list = (folder: string, ending: string): string[] =>
  listData(folder, new RegExp(`${ending.replaceAll('.', '\\.')}$`)).map((path) => path.slice(folder.length + 1))

/** The first root of a BoC (a few files have more than one). */
export const cellOf = (boc: Uint8Array): Cell => parseBocRoot(boc)
export const base64 = (text: string): Cell => cellOf(Buffer.from(text, 'base64'))

export interface NamedBlock {
  readonly name: string
  readonly boc: Buffer
  readonly root: Cell
}

/** All single blocks of blocks/. */
export const singleBlocks = (): NamedBlock[] =>
  list('blocks', '.boc').map((name) => {
    const boc = file(`blocks/${name}`)
    return { name, boc, root: cellOf(boc) }
  })

/** Blocks of chain/<name>.blocks.jsonl.gz in order. */
export const chainRows = (name: string): ChainBlock[] => readChain(`chain/${name}.blocks.jsonl.gz`)

export const CHAINS = [
  'mainnet-genesis',
  'mainnet-mc-2429445-2429447',
  'mainnet-mc-2660-2690',
  'mainnet-mc-3082181-3082201',
  'mainnet-shard2000-571525-571555',
]

interface InlineRow {
  readonly root_hash: string
  readonly kind: string
  readonly boc: string
  /** Of blocks: false where parts are pruned. */
  readonly complete?: boolean
  readonly global_id?: number
  readonly pruned_branches?: number
  /** Why whoever made the folder could not read it. */
  readonly error?: string
}
/** Rows of inline/<name> with their cell. A handful are malformed on purpose or have several roots: those are left out. */
export const inline = (name: string): (InlineRow & { readonly root: Cell })[] =>
  json<InlineRow[]>(`inline/${name}`).flatMap((row) => {
    try {
      return [{ ...row, root: base64(row.boc) }]
    } catch (error) {
      if (error instanceof CellError && error.kind === 'boc') return []
      throw error
    }
  })

/** Bundles of what a collator read; the pack of a clone has the first. */
const bundles = (): string[] => ['mainnet-bundle-56703839', 'testnet-bundle-36649624'].filter((name) => hasData(`chain/${name}.json`))

/** All whole blocks of the folder: single ones, chains, bundles and inline ones (but for network 42, a fork with a schema of its own). */
export const allBlocks = (): NamedBlock[] => [
  ...singleBlocks(),
  ...CHAINS.flatMap((chain) =>
    chainRows(chain).map((row) => {
      const boc = Buffer.from(row.boc, 'base64')
      return { name: row.id, boc, root: cellOf(boc) }
    }),
  ),
  { name: 'toncore/block.boc', boc: file('toncore/block.boc'), root: cellOf(file('toncore/block.boc')) },
  ...bundles().flatMap((bundle) =>
    json<{ blocks: { root_hash: string; boc: string }[] }>(`chain/${bundle}.json.gz`).blocks.map((row) => {
      const boc = Buffer.from(row.boc, 'base64')
      return { name: `${bundle} ${row.root_hash.slice(0, 8)}`, boc, root: cellOf(boc) }
    }),
  ),
  ...(hasData('inline/block.json') ? inline('block.json') : [])
    .filter((row) => row.complete && row.global_id !== 42)
    .map((row) => ({ name: `inline ${row.root_hash.slice(0, 8)}`, boc: Buffer.from(row.boc, 'base64'), root: row.root })),
]

/** Whole shard states: zerostates, masterchain states, the shard with 6,325 accounts, and mainnet ones of inline/ (the others are made by hand, with sums that do not add up). */
export const wholeStates = (): { readonly name: string; readonly root: Cell }[] => [
  ...list('chain', '.boc').map((name) => ({ name, root: cellOf(file(`chain/${name}`)) })),
  ...inline('shard_state.json')
    .filter((row) => row.pruned_branches === 0 && row.global_id === -239)
    .map((row) => ({ name: `inline ${row.root_hash.slice(0, 8)}`, root: row.root })),
]

/** State proofs of the two bundles: Merkle proofs whose child keeps what a collator reads. */
export const provenStates = (): { readonly name: string; readonly root: Cell }[] =>
  bundles().flatMap((bundle) =>
    json<{ states: { named_root_hash: string; proof_root: boolean; boc: string }[] }>(`chain/${bundle}.json.gz`).states.map((row) => {
      const root = base64(row.boc)
      return { name: `${bundle} ${row.named_root_hash.slice(0, 8)}`, root: row.proof_root ? openProof(root) : root }
    }),
  )

/** The same cell as @ton/core has it. */
export const toCore = (cell: Cell): CoreCell => CoreCell.fromBoc(Buffer.from(serializeBoc(cell)))[0]!

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A record with cells as hashes, bytes as hex, maps as entries and absent members left out: for comparing what was read. */
export const plain = (value: unknown): unknown => {
  if (value instanceof Cell) return value.hashHex()
  if (value instanceof Uint8Array) return hex(value)
  if (value instanceof Map) return [...value].map(plain)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, plain(member)]),
  )
}
