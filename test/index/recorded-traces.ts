import { parseBocRoot } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import type { Message } from '../../server/tlb/message/message.ts'
import type { Transaction } from '../../server/tlb/transaction/transaction.ts'
import { listData, readJson } from '../kit/data.ts'

/* Traces that TON Center recorded, as transactions of ours. */

export interface RecordedMessage {
  readonly msg_hash: string
  readonly source: string | null
  readonly destination: string | null
  readonly body: string
}
export interface RecordedTransaction {
  readonly mc_block_seqno: number
  readonly account: string
  readonly hash: string
  readonly lt: string
  readonly now: number
  readonly parent_tx: string | null
  readonly in_msg: RecordedMessage | null
  readonly out_msgs: readonly RecordedMessage[]
}
export interface RecordedTrace {
  readonly trace_id: string
  readonly external_hash: string | null
  readonly state: string
  readonly mc_seqno_start: number
  readonly mc_seqno_end: number
  readonly start_lt: string
  readonly end_lt: string
  readonly start_utime: number
  readonly end_utime: number
  readonly pending_edges_: number
  readonly edges_: number
  readonly nodes_: number
  readonly edges: readonly {
    readonly msg_hash: string
    readonly parent_tx: string
    readonly child_tx: string | null
    readonly kind: string
  }[]
  readonly transactions: readonly RecordedTransaction[]
}

/** The 73 traces. */
export const traces: readonly RecordedTrace[] = listData('traces', /\.json$/).map((path) => readJson<RecordedTrace>(path))
/** 32 one-byte characters of a hash in base64. */
export const key = (base64: string): string => Buffer.from(base64, 'base64').toString('latin1')
export const base64 = (hash: string): string => Buffer.from(hash, 'latin1').toString('base64')

/** A cell that has the recorded hash: what the assembler looks at of a message's root. */
const withHash = (base64Hash: string): Cell => ({ hashKey: () => key(base64Hash) }) as unknown as Cell

const address = (text: string) => {
  const [workchain, hash] = text.split(':')
  return { type: 'std' as const, workchain: Number(workchain), hash: Buffer.from(hash!, 'hex') }
}

const message = (recorded: RecordedMessage): Message => {
  const { source, destination } = recorded
  const info =
    source === null
      ? { type: 'external-in', src: undefined, dest: address(destination!), importFee: 0n }
      : destination === null
        ? { type: 'external-out', src: address(source), dest: undefined, createdLt: 0n, createdAt: 0 }
        : { type: 'internal', src: address(source), dest: address(destination) }
  const body = recorded.body ? parseBocRoot(Buffer.from(recorded.body, 'base64')) : beginCell().end()
  return { info, body, root: withHash(recorded.msg_hash) } as unknown as Message
}

/** What the assembler looks at of a transaction. */
export const transaction = (recorded: RecordedTransaction): Transaction =>
  ({
    lt: BigInt(recorded.lt),
    now: recorded.now,
    inMsg: recorded.in_msg === null ? undefined : message(recorded.in_msg),
    outMsgs: recorded.out_msgs.map(message),
  }) as unknown as Transaction
