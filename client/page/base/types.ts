import type { Methods } from '../../index.ts'

/** Members of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>

export type Answer<M extends keyof Methods> = Methods[M]['result']

export type Block = Answer<'v3.blocks'>['blocks'][number]
export type BlockPosition = Pick<Block, 'workchain' | 'shard' | 'seqno'>
export type Transaction = Answer<'v3.transactions'>['transactions'][number]
export type Message = NonNullable<Transaction['in_msg']>
/** The fields of a transaction that lists of actions show. */
export type BriefTransaction = Pick<Transaction, 'hash' | 'account' | 'description' | 'in_msg' | 'end_status'>
export type Action = Answer<'v3.actions'>['actions'][number]
export type Trace = Answer<'v3.traces'>['traces'][number]
export type TraceNode = NonNullable<Trace['trace']>
export type AccountState = Answer<'v3.accountStates'>['accounts'][number]
export type Book = Answer<'v3.actions'>['address_book']
export type Metadata = Answer<'v3.actions'>['metadata']
export type NftItem = Answer<'v3.nft.items'>['nft_items'][number]
export interface Names {
  readonly book: Book
  /** Undefined if the answers contain no metadata. */
  readonly metadata?: Metadata | undefined
}
