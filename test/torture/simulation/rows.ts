import type { Gate } from './gate.ts'

/* The rows of the index, read beside the gate. */

export interface Rows {
  readonly head: { readonly seqno: number; readonly epoch: string } | undefined
  readonly checkpoint: { readonly seqno: number; readonly first: number; readonly root: string } | undefined
  /** Masterchain blocks. */
  readonly blocks: readonly { readonly seqno: number; readonly root: string }[]
  readonly transactions: readonly TransactionRow[]
  readonly hashes: readonly string[]
  readonly messages: readonly MessageRow[]
  readonly traces: readonly TraceRow[]
  readonly accounts: readonly { readonly account: string; readonly balance: string; readonly lt: string }[]
}

export interface TransactionRow {
  readonly hash: string
  readonly account: string
  readonly lt: string
  readonly previous: string
  readonly previousLt: string
  readonly seqno: number
  readonly trace: string
  readonly fees: string
  readonly balance: string | null
}

export interface MessageRow {
  readonly hash: string
  readonly account: string
  readonly lt: string
  readonly direction: number
  readonly isInternal: boolean
}

export interface TraceRow {
  readonly id: string
  readonly nodes: number
  readonly edges: number
  readonly pending: number
  readonly end: number
}

/** The addresses from which the chain itself sends: coins for validators. */
const SYSTEM = `'\\xffffffff${'0'.repeat(64)}', '\\xffffffff${'3'.repeat(64)}'`

const text = (column: string): string => `encode(${column}, 'base64')`

export const readRows = async ({ read }: Pick<Gate, 'read'>): Promise<Rows> => {
  const [head] = await read<NonNullable<Rows['head']>>('select mc_seqno as seqno, epoch::text from published_head')
  const [checkpoint] = await read<NonNullable<Rows['checkpoint']>>(
    `select mc_seqno as seqno, coalesce(kept_mc_seqno, first_mc_seqno) as first, ${text('root_hash')} as root from index_checkpoint`,
  )
  return {
    head,
    checkpoint,
    blocks: await read(`select seqno, ${text('root_hash')} as root from blocks where workchain = -1 order by seqno`),
    transactions: await read(
      `select ${text('hash')} as hash, ${text('account')} as account, lt::text, ${text('prev_trans_hash')} as previous, prev_trans_lt::text as "previousLt", mc_seqno as seqno,
        ${text('trace_id')} as trace, total_fees::text as fees, after_balance::text as balance from transactions order by transactions.lt, account`,
    ),
    hashes: (await read<{ hash: string }>(`select ${text('hash')} as hash from tx_by_hash`)).map(({ hash }) => hash),
    messages: await read(
      `select ${text('msg_hash')} as hash, ${text('tx_account')} as account, tx_lt::text as lt, direction, source is not null and destination is not null and source not in (${SYSTEM}) as "isInternal" from messages`,
    ),
    traces: await read(`select ${text('trace_id')} as id, nodes, edges, pending_edges as pending, mc_seqno_end as end from traces`),
    accounts: await read(`select ${text('account')} as account, balance::text, last_trans_lt::text as lt from accounts`),
  }
}
