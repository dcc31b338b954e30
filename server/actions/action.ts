import type { Address, Hash } from './trace.ts'

/* What the classifier finds. v3.md 5; the names of columns are those of TON Center's table `actions`. */

/** What a column of `data` holds. bigint stands for whole numbers of any size, which answers show as text. */
export type Value = string | number | bigint | boolean | null | readonly Value[] | { readonly [name: string]: Value }
export type Values = { readonly [name: string]: Value }

/** What an action tells, by columns that are shared by all types. What a type leaves out is null. */
export interface Columns {
  /** Where it differs from the name of the group. */
  readonly type?: string
  readonly source?: Address | null
  readonly sourceSecondary?: Address | null
  readonly destination?: Address | null
  readonly destinationSecondary?: Address | null
  /** The master of a jetton, or the collection of an NFT; null is TON. Of few types another text. */
  readonly asset?: string | null
  readonly assetSecondary?: string | null
  readonly asset2?: string | null
  readonly asset2Secondary?: string | null
  /** Unsigned. */
  readonly opcode?: number | null
  readonly value?: bigint | null
  readonly amount?: bigint | null
  readonly extraCurrencies?: ReadonlyMap<number, bigint> | undefined
  /** Instead of what the messages themselves tell. */
  readonly success?: boolean
  /** What only this type has, by TON Center's names. */
  readonly data?: Values
  /** Accounts the action is listed under beside those of its transactions, sources and destinations. */
  readonly accounts?: readonly Address[]
}

/** A row of `actions`; `accounts` are the rows of `action_accounts`. */
export interface Action {
  readonly id: Hash
  readonly type: string
  /** Least and greatest lt of the covered messages and transactions. */
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
  /** Hashes of the covered transactions and of the one that began the action. */
  readonly transactions: readonly Hash[]
  readonly accounts: readonly Address[]
  /** Account of the transaction that sent the action's first message; null where it came from outside. */
  readonly initiator: Address | null
  /** The action that this one is a part of. */
  readonly parentId: Hash | null
  /** Types of the actions above it: shown instead of it to clients that know one of them. */
  readonly ancestors: readonly string[]
}

/** classification_state of a trace. */
export type ClassificationState = 'ok' | 'failed' | 'broken'

/** What became of a trace. */
export interface Classification {
  readonly state: ClassificationState
  readonly actions: readonly Action[]
  /** Why `state` is `failed`. */
  readonly error?: unknown
}
