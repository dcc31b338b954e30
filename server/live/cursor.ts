/*
 * A cursor is a position in the chain, not in the index, so it stays valid after a restart, in every process, and after the index is rebuilt. It consists
 * of the masterchain seqno, the block's root hash, short hashes of earlier blocks (they show how far back two chains agree after a revert), and the
 * position within the block.
 */

/** A masterchain block whose events were sent, with hashes of earlier blocks. */
export interface Position {
  readonly seqno: number
  /** Root hash of the block, 32 bytes. Cursors contain its first HASH bytes. */
  readonly hash: Buffer
  /** First bytes of the root hashes of earlier blocks, those that are DISTANCES before this block; zeros for a missing hash. */
  readonly ancestors: Buffer
}

/** A position in the chain. All events up to it were sent. */
export interface Cursor extends Position {
  /** Position of the last sent event within the block; WHOLE if all events of the block were sent. Compared as strings. */
  readonly place: string
}

/** Sorts before the position of every event in a block. */
export const START = '0'
/** Sorts after the position of every event in a block. */
export const WHOLE = '~'

/**
 * Returns the cursor after all events of the block `seqno`. If the index does not have the block (`at` is undefined), the cursor keeps the hashes of
 * `from`. Such a cursor is valid: it is before the first block of the index.
 */
export const placeAfter = (seqno: number, at: Position | undefined, from: Cursor): Cursor =>
  at ? { ...at, place: WHOLE } : { ...from, seqno, place: WHOLE }

/** Bytes in a cursor: of the block's root hash (HASH), and of the root hash of each earlier block (SHORT). */
const HASH = 16
const SHORT = 3

const DISTANCES = [1, 2, 4, 8, 16, 32, 64, 256] as const

/** Joins the first bytes of the root hashes of the blocks that are DISTANCES before block `seqno`. `hashes`: root hashes by seqno; some may be missing. */
export const ancestorsOf = (seqno: number, hashes: ReadonlyMap<number, Buffer>): Buffer =>
  Buffer.concat(DISTANCES.map((distance) => hashes.get(seqno - distance)?.subarray(0, SHORT) ?? Buffer.alloc(SHORT)))

export const ancestorSeqnos = (seqno: number): number[] => DISTANCES.map((distance) => seqno - distance).filter((each) => each > 0)

export const isAt = (position: Position, hash: Buffer | undefined): boolean =>
  hash?.subarray(0, HASH).equals(position.hash.subarray(0, HASH)) === true

/**
 * Returns the seqno of the newest block before the position that has the same root hash in the position and in `hashes` (by seqno); undefined if there is
 * none.
 */
export const lastCommon = (position: Position, hashes: ReadonlyMap<number, Buffer>): number | undefined => {
  for (const [i, distance] of DISTANCES.entries()) {
    const indexed = hashes.get(position.seqno - distance)
    const short = position.ancestors.subarray(i * SHORT, (i + 1) * SHORT)
    if (indexed?.subarray(0, SHORT).equals(short)) return position.seqno - distance
  }
  return undefined
}

/** Formats a cursor with letters, digits and `.-_~` only. */
export const formatCursor = ({ seqno, hash, ancestors, place }: Cursor): string =>
  `${seqno}.${hash.toString('base64url', 0, HASH)}.${ancestors.toString('base64url')}.${place}`

const FORM = /^([1-9]\d{0,9})\.([\w-]{22})\.([\w-]{32})\.([0-9a-z]{1,40}|~)$/

/** Returns undefined if the text is not a cursor. */
export const parseCursor = (text: string): Cursor | undefined => {
  const [, seqno, hash, ancestors, place] = FORM.exec(text) ?? []
  if (seqno === undefined || Number(seqno) > 0x7fffffff) return undefined
  return { seqno: Number(seqno), hash: Buffer.from(hash!, 'base64url'), ancestors: Buffer.from(ancestors!, 'base64url'), place: place! }
}

/** Adds the cursor to the JSON of an event. An event in no block has no cursor (''), so its JSON stays as it is. */
export const withCursor = (json: string, cursor: string): string => (cursor === '' ? json : `${json.slice(0, -1)},"cursor":"${cursor}"}`)
