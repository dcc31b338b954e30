import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { dictFromEntries } from '../cell/dict.ts'
import type { Chain } from '../chain/chain-port.ts'
import { libraryHash } from '../chain/run-with-libraries.ts'

/** MAX_LIBRARIES: maximum in one answer of a lite-server. MAX_DEPTH: depth to which tonlib searches code for libraries. */
const MAX_LIBRARIES = 16
const MAX_DEPTH = 24
const MAX_CELLS = 256

const referenced = (code: Cell): Uint8Array[] => {
  const found = new Map<string, Uint8Array>()
  const seen = new Set<string>()
  const open: { readonly cell: Cell; readonly depth: number }[] = [{ cell: code, depth: 0 }]
  for (let next = open.pop(); next && found.size < MAX_LIBRARIES && seen.size < MAX_CELLS; next = open.pop()) {
    const { cell, depth } = next
    const key = cell.hashHex()
    if (seen.has(key) || depth >= MAX_DEPTH) continue
    seen.add(key)
    const hash = libraryHash(cell)
    if (hash) found.set(key, hash)
    for (let i = 0; i < cell.refCount; i++) open.push({ cell: cell.ref(i), depth: depth + 1 })
  }
  return [...found.values()]
}

/** Reads the public libraries that code references, as root of a Hashmap 256 ^Cell. Returns undefined if the code references none. */
export const librariesFor = async (chain: Chain, code: Cell, signal: AbortSignal): Promise<Cell | undefined> => {
  const hashes = referenced(code)
  if (hashes.length === 0) return undefined
  const entries = (await chain.libraries(hashes, signal)).map(
    ({ hash, code: root }) => [BigInt(`0x${Buffer.from(hash).toString('hex')}`), root] as const,
  )
  return dictFromEntries(
    256,
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, cell]) => [key, beginCell().storeRef(cell)] as const),
  )
}
