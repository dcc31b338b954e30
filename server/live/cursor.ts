/*
 * A cursor names a place in the chain, so it stays valid after a restart, in other processes and when the index is made again. It holds the masterchain
 * seqno, the block's root hash, short hashes of earlier blocks (they show how far back two chains agree after a revert), and the place within the block.
 */

/** A masterchain block whose events were sent, with hashes of earlier blocks. */
export interface Position {
  readonly seqno: number
  /** Root hash of the block, 32 bytes; cursors carry the first HASH bytes of it. */
  readonly hash: Buffer
  /** First bytes of the root hashes of the blocks at each of DISTANCES before it; zeros where there is none. */
  readonly ancestors: Buffer
}

/** A place in the chain. All events up to it were sent. */
export interface Cursor extends Position {
  /** Place of the last sent event in the block (places are compared as texts); WHOLE if all events of the block were sent. */
  readonly place: string
}

/** Sorts after every place in a block. */
export const WHOLE = '~'

/**
 * The position after a block. `at` is undefined if the index does not have the block. Its seqno is still a valid position, before the first block of the
 * index. `from`: the last position.
 */
export const placeAfter = (seqno: number, at: Position | undefined, from: Cursor): Cursor =>
  at ? { ...at, place: WHOLE } : { ...from, seqno, place: WHOLE }

/** Bytes of a root hash in a cursor, and of an ancestor's root hash. */
const HASH = 16
const SHORT = 3

/** Distances from a block to its ancestors, in masterchain blocks. */
const DISTANCES = [1, 2, 4, 8, 16, 32, 64, 256] as const

/** The ancestors of a block, from root hashes by seqno, of which some may be missing. */
export const ancestorsOf = (seqno: number, hashes: ReadonlyMap<number, Buffer>): Buffer =>
  Buffer.concat(DISTANCES.map((distance) => hashes.get(seqno - distance)?.subarray(0, SHORT) ?? Buffer.alloc(SHORT)))

/** The seqnos whose root hashes `ancestorsOf` needs. */
export const ancestorSeqnos = (seqno: number): number[] => DISTANCES.map((distance) => seqno - distance).filter((each) => each > 0)

/** Whether a block with this root hash is the one of the position. */
export const isAt = (position: Position, hash: Buffer | undefined): boolean =>
  hash?.subarray(0, HASH).equals(position.hash.subarray(0, HASH)) === true

/** The highest ancestor that a chain still has, by its root hashes; undefined if it has none of them. */
export const lastCommon = (position: Position, hashes: ReadonlyMap<number, Buffer>): number | undefined => {
  for (const [i, distance] of DISTANCES.entries()) {
    const indexed = hashes.get(position.seqno - distance)
    const short = position.ancestors.subarray(i * SHORT, (i + 1) * SHORT)
    if (indexed?.subarray(0, SHORT).equals(short)) return position.seqno - distance
  }
  return undefined
}

/** The text of a cursor: letters, digits and `.-_~` only. */
export const formatCursor = ({ seqno, hash, ancestors, place }: Cursor): string =>
  `${seqno}.${hash.toString('base64url', 0, HASH)}.${ancestors.toString('base64url')}.${place}`

const FORM = /^([1-9]\d{0,9})\.([\w-]{22})\.([\w-]{32})\.([0-9a-z]{1,40}|~)$/

/** Reads the text of a cursor; undefined for any other text. */
export const parseCursor = (text: string): Cursor | undefined => {
  const [, seqno, hash, ancestors, place] = FORM.exec(text) ?? []
  if (seqno === undefined || Number(seqno) > 0x7fffffff) return undefined
  return { seqno: Number(seqno), hash: Buffer.from(hash!, 'base64url'), ancestors: Buffer.from(ancestors!, 'base64url'), place: place! }
}

/** The JSON of an event with its cursor as a member. Some events have none: ''. */
export const withCursor = (json: string, cursor: string): string => (cursor === '' ? json : `${json.slice(0, -1)},"cursor":"${cursor}"}`)
