import type { Address, Hash } from './trace.ts'

/* Types of the classifier's result. Columns have the names of TON Center's table `actions` (https://github.com/toncenter/ton-indexer, commit eb9fbfa). */

/** A value in the column `data`. Answers show a bigint as text. */
export type Value = string | number | bigint | boolean | null | readonly Value[] | { readonly [name: string]: Value }
export type Values = { readonly [name: string]: Value }

/** The columns that action types set. null: the type does not set the column. */
export interface TypeColumns {
  readonly source: Address | null
  readonly sourceSecondary: Address | null
  readonly destination: Address | null
  readonly destinationSecondary: Address | null
  /** Raw address of the jetton's master or of the NFT collection; null stands for Gram. A few action types store another text here. */
  readonly asset: string | null
  readonly assetSecondary: string | null
  readonly asset2: string | null
  readonly asset2Secondary: string | null
  /** Unsigned opcode. JVault's action types store an exit code here, which can be negative. */
  readonly opcode: number | null
  /** Nanograms. tgBTC's action types for keys store a time here. */
  readonly value: bigint | null
  /** Units of the asset; nanograms for Gram. */
  readonly amount: bigint | null
  readonly extraCurrencies: ReadonlyMap<number, bigint> | undefined
  /** Values that only this action type has, by TON Center's field names. */
  readonly data: Values
}

/** What a step says of the columns of its action. */
export interface Columns extends Partial<TypeColumns> {
  /** Type of the action, if it differs from the kind of its step (step.ts). */
  readonly type?: string
  /** False for a group that failed. For a single message: overrides the success that is derived from its transaction. */
  readonly success?: boolean
  /** Accounts that list the action, in addition to those of its transactions, sources and destinations. */
  readonly accounts?: readonly Address[]
}

/** A row of the table `actions`. */
export interface Action extends TypeColumns {
  readonly id: Hash
  readonly type: string
  /** Smallest and largest lt of the action's messages and transactions. */
  readonly startLt: bigint
  readonly endLt: bigint
  /** Unix seconds. */
  readonly startUtime: number
  readonly endUtime: number
  /** Seqno of the last masterchain block that commits transactions of the action. */
  readonly mcSeqnoEnd: number
  readonly success: boolean
  /** Hashes of the action's transactions, and of the transaction that sent its first message. */
  readonly transactions: readonly Hash[]
  /** Rows of the table `action_accounts`. */
  readonly accounts: readonly Address[]
  /** Account that sent the action's first message; null for an external message. */
  readonly initiator: Address | null
  /** Id of the action that contains this action. */
  readonly parentId: Hash | null
  /** Types of all actions that contain this action. A client that supports one of these types gets the containing action instead. */
  readonly ancestors: readonly string[]
}

/** Value of `classification_state` of a trace in answers. */
export type ClassificationState = 'ok' | 'failed' | 'broken'

export interface Classification {
  readonly state: ClassificationState
  readonly actions: readonly Action[]
  readonly error?: unknown
}
