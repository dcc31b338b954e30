import type { Address, Hash } from './trace.ts'

/* What the classifier finds. Column names are those of TON Center's table `actions` (https://github.com/toncenter/ton-indexer, commit eb9fbfa). */

/** A value in `data`. A bigint is a whole number of any size; answers show it as text. */
export type Value = string | number | bigint | boolean | null | readonly Value[] | { readonly [name: string]: Value }
export type Values = { readonly [name: string]: Value }

/** The contents of an action, in columns that all types share. A column that a type does not set is null. */
export interface Columns {
  /** Set if the type differs from the kind of the step. */
  readonly type?: string
  readonly source?: Address | null
  readonly sourceSecondary?: Address | null
  readonly destination?: Address | null
  readonly destinationSecondary?: Address | null
  /** The master of a jetton, or the collection of an NFT; null is Gram. A few types hold another text here. */
  readonly asset?: string | null
  readonly assetSecondary?: string | null
  readonly asset2?: string | null
  readonly asset2Secondary?: string | null
  /** Unsigned. JVault's types hold an exit code here, which can be negative. */
  readonly opcode?: number | null
  /** Nanograms. tgBTC's key types hold a time here. */
  readonly value?: bigint | null
  /** Units of the asset; nanograms for Gram. */
  readonly amount?: bigint | null
  readonly extraCurrencies?: ReadonlyMap<number, bigint> | undefined
  /** Overrides the success that is derived from the messages. */
  readonly success?: boolean
  /** Values that only this type has, under TON Center's names. */
  readonly data?: Values
  /** Accounts that list the action, in addition to those of its transactions, sources and destinations. */
  readonly accounts?: readonly Address[]
}

/** A row of `actions`; `accounts` are the rows of `action_accounts`. */
export interface Action {
  readonly id: Hash
  readonly type: string
  /** Smallest and largest lt of the covered messages and transactions. */
  readonly startLt: bigint
  readonly endLt: bigint
  /** Unix seconds. */
  readonly startUtime: number
  readonly endUtime: number
  /** The last masterchain block of its transactions. */
  readonly mcSeqnoEnd: number
  readonly success: boolean
  readonly source: Address | null
  readonly sourceSecondary: Address | null
  readonly destination: Address | null
  readonly destinationSecondary: Address | null
  readonly asset: string | null
  readonly assetSecondary: string | null
  readonly asset2: string | null
  readonly asset2Secondary: string | null
  readonly opcode: number | null
  readonly value: bigint | null
  readonly amount: bigint | null
  readonly extraCurrencies: ReadonlyMap<number, bigint> | undefined
  readonly data: Values
  /** Hashes of the covered transactions and of the transaction that sent the first message. */
  readonly transactions: readonly Hash[]
  readonly accounts: readonly Address[]
  /** Account of the transaction that sent the action's first message; null if the message came from outside. */
  readonly initiator: Address | null
  /** The action that this one is a part of. */
  readonly parentId: Hash | null
  /** Types of the actions above this one. A client that knows one of these types gets that action instead of this one. */
  readonly ancestors: readonly string[]
}

/** classification_state of a trace. */
export type ClassificationState = 'ok' | 'failed' | 'broken'

/** The result of classifying a trace. */
export interface Classification {
  readonly state: ClassificationState
  readonly actions: readonly Action[]
  /** The error, if `state` is `failed`. */
  readonly error?: unknown
}
