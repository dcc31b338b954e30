import { WHOLE_SHARD } from './address.ts'
import { groups, workchainText } from './format.ts'
import type { LiveBlock } from './live.ts'

/* Rows of a list of blocks. */

/** A block with transactions, or blocks beside each other in which nothing happened; newest first. */
export const foldEmpty = (blocks: readonly LiveBlock[]): readonly (readonly LiveBlock[])[] => {
  const rows: LiveBlock[][] = []
  let empty: LiveBlock[] | undefined
  for (const block of blocks) {
    if (block.transactions === 0 && empty !== undefined) {
      empty.push(block)
      continue
    }
    const row = [block]
    empty = block.transactions === 0 ? row : undefined
    rows.push(row)
  }
  return rows
}

/** Blocks of one shard beside each other. */
export interface Range {
  readonly workchain: number
  readonly shard: string
  readonly least: number
  readonly most: number
}

/** Which blocks these are, by shard, in the order of their first ones. */
export const rangesOf = (blocks: readonly LiveBlock[]): readonly Range[] => {
  const ranges = new Map<string, Range>()
  for (const { workchain, shard, seqno } of blocks) {
    const key = `${workchain}:${shard}`
    const { least, most } = ranges.get(key) ?? { least: seqno, most: seqno }
    ranges.set(key, { workchain, shard, least: Math.min(least, seqno), most: Math.max(most, seqno) })
  }
  return [...ranges.values()]
}

/** The numbers of a range: `24 to 27`, and of which shard, where its workchain has several. */
export const rangeNumbers = ({ shard, least, most }: Range): string => {
  const text = (seqno: number): string => groups(String(seqno))
  const numbers = least === most ? text(most) : `${text(least)} to ${text(most)}`
  return shard === WHOLE_SHARD ? numbers : `${numbers} of shard ${shard.replace(/0+$/, '') || '0'}`
}

/** The same in a sentence: `masterchain 24 to 27, basechain 25`. */
export const rangesText = (blocks: readonly LiveBlock[]): string =>
  rangesOf(blocks)
    .map((range) => `${workchainText(range.workchain)} ${rangeNumbers(range)}`)
    .join(', ')
