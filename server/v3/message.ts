import type { Result } from '../../shared/registry.ts'
import { parseBocRoot } from '../cell/boc.ts'
import { CellError, EMPTY_CELL } from '../cell/cell.ts'
import type { MessageRow } from '../store/queries/messages.ts'
import { readSnake, utf8 } from '../tlb/message/snake.ts'
import { base64, extra, maybeAddress, present } from './wire.ts'

export type WireMessage = Result<'v3.messages'>['messages'][number]
type Content = NonNullable<WireMessage['message_content']>

const TEXT = 0
/** Hash of the empty cell: a body that says nothing. */
const NOTHING = Buffer.from(EMPTY_CELL.hash()).toString('base64')
/** A comment longer than any is not decoded. */
const WHOLE = 1 << 20

/** Text of a comment: `text#00000000` and a snake of UTF-8. */
const comment = (boc: Buffer): string | undefined => {
  try {
    const cell = parseBocRoot(boc)
    if (cell.exotic) return undefined
    const s = cell.slice()
    s.skip(32)
    const bytes = readSnake(s, WHOLE)
    return bytes && !bytes.cut ? utf8(bytes) : undefined
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/** Contents of an answer by cell hash; each is written once. */
export const createContents = (bocs: ReadonlyMap<string, Buffer>) => {
  const comments = new Map<string, string | undefined>()
  const commentOf = (hash: string): string | undefined => {
    if (!comments.has(hash)) comments.set(hash, comment(bocs.get(hash)!))
    return comments.get(hash)
  }
  return {
    body: (hash: Buffer, opcode: number | null): Content | null => {
      const key = base64(hash)
      const boc = bocs.get(key)
      if (!boc) return null
      const text = opcode === TEXT ? commentOf(key) : undefined
      const empty = key === NOTHING ? { '@type': 'empty_cell' } : null
      const decoded = text === undefined ? empty : { type: 'text_comment', '@type': 'text_comment', comment: text }
      return { hash: key, body: base64(boc), decoded }
    },
    init: (hash: Buffer | null): Content | null => {
      const boc = hash && bocs.get(base64(hash))
      return boc ? { hash: base64(hash), body: base64(boc), decoded: null } : null
    },
  }
}
export type Contents = ReturnType<typeof createContents>

/** A row of messages as v3 tells it. */
export const toMessage = (row: MessageRow, contents: Contents): WireMessage => {
  const internal = row.created_lt !== null && row.value !== null
  const content = contents.body(row.body_hash, row.opcode)
  return {
    hash: base64(row.msg_hash),
    ...present({ hash_norm: row.msg_hash_norm && base64(row.msg_hash_norm) }),
    source: maybeAddress(row.source),
    destination: maybeAddress(row.destination),
    value: row.value,
    value_extra_currencies: extra(row.value_extra),
    fwd_fee: row.fwd_fee,
    // Since global version 12 extra_flags stand in its place.
    ihr_fee: row.ihr_fee ?? (internal ? '0' : null),
    extra_flags: row.extra_flags,
    created_lt: row.created_lt,
    created_at: row.created_at,
    opcode: row.opcode === null ? null : `0x${(row.opcode >>> 0).toString(16).padStart(8, '0')}`,
    // By the tag alone, also where the text cannot be read (v3.md 9.4).
    decoded_opcode: row.opcode === TEXT ? 'text_comment' : null,
    ihr_disabled: row.ihr_disabled,
    bounce: row.bounce,
    bounced: row.bounced,
    import_fee: row.import_fee,
    message_content: content,
    init_state: contents.init(row.init_hash),
  }
}

/** Cells that the messages of an answer show. */
export function* cellHashes(rows: readonly MessageRow[]): Generator<Buffer> {
  for (const row of rows) {
    yield row.body_hash
    if (row.init_hash) yield row.init_hash
  }
}
