import { WHOLE_SHARD } from './address.ts'
import { groups, workchainText } from './format.ts'
import type { Block } from './types.ts'

/** What these functions need of a block. */
type BriefBlock = Pick<Block, 'workchain' | 'shard' | 'seqno' | 'tx_count'>

/** Groups blocks into rows, newest first. A row is one block with transactions, or a sequence of empty blocks. */
export const foldEmpty = <B extends BriefBlock>(blocks: readonly B[]): readonly (readonly B[])[] => {
  const rows: B[][] = []
  let empty: B[] | undefined
  for (const block of blocks) {
    if (block.tx_count === 0 && empty !== undefined) {
      empty.push(block)
      continue
    }
    const row = [block]
    empty = block.tx_count === 0 ? row : undefined
    rows.push(row)
  }
  return rows
}

export interface Range {
  readonly workchain: number
  readonly shard: string
  readonly least: number
  readonly most: number
}

/** The ranges of these blocks by shard, in the order of the first block of each shard. */
export const rangesOf = (blocks: readonly BriefBlock[]): readonly Range[] => {
  const ranges = new Map<string, Range>()
  for (const { workchain, shard, seqno } of blocks) {
    const key = `${workchain}:${shard}`
    const { least, most } = ranges.get(key) ?? { least: seqno, most: seqno }
    ranges.set(key, { workchain, shard, least: Math.min(least, seqno), most: Math.max(most, seqno) })
  }
  return [...ranges.values()]
}

/** The seqnos of a range: `24 to 27`. The text names the shard if its workchain is split. */
export const rangeNumbers = ({ shard, least, most }: Range): string => {
  const text = (seqno: number): string => groups(String(seqno))
  const numbers = least === most ? text(most) : `${text(least)} to ${text(most)}`
  return shard === WHOLE_SHARD ? numbers : `${numbers} of shard ${shard.replace(/0+$/, '') || '0'}`
}

/** The ranges of these blocks in words: `masterchain 24 to 27, basechain 25`. */
export const rangesText = (blocks: readonly BriefBlock[]): string =>
  rangesOf(blocks)
    .map((range) => `${workchainText(range.workchain)} ${rangeNumbers(range)}`)
    .join(', ')
