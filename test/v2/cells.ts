import { createHash } from 'node:crypto'
import { Cell as CoreCell } from '@ton/core'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { Cell } from '../../server/cell/cell.ts'

/** A cell of @ton/core as one of ours. */
export const own = (cell: CoreCell): Cell => parseBocRoot(cell.toBoc())

/** sha256 of a name as a dictionary's key. */
export const sha256Key = (name: string): bigint => BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)

/** A cell of @ton/core in base64, with CRC and without index. */
export const b64 = (cell: CoreCell): string => cell.toBoc({ idx: false, crc32: true }).toString('base64')

/** What @ton/core makes of a BoC of ours. Answers about one transaction have the same ones again, and it hashes in JavaScript. */
const MAX_WRITTEN = 1_000
const written = new Map<string, string>()
const rewritten = (boc: string): string => {
  const known = written.get(boc)
  if (known !== undefined) return known
  const core = b64(CoreCell.fromBase64(boc))
  if (written.size >= MAX_WRITTEN) written.clear()
  written.set(boc, core)
  return core
}

/** BoCs of ours in an answer as @ton/core writes them: the order of cells differs, flags and CRC do not. */
export const asCore = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' && member.startsWith('te6cck') ? rewritten(member) : member,
  )
