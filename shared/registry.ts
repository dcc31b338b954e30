import type * as z from 'zod'
import { documents } from './documents.ts'
import { emulate } from './emulate/emulate.ts'
import { type Entry, entriesByName } from './entries.ts'
import { hooks } from './hooks.ts'
import { subscriptions } from './live/subscriptions.ts'
import { local } from './local/chain.ts'
import { localTokens } from './local/tokens.ts'
import { localTrace } from './local/trace.ts'
import type { Method } from './method.ts'
import { accounts } from './v2/accounts.ts'
import { blocks } from './v2/blocks.ts'
import { code } from './v2/code.ts'
import { config } from './v2/config.ts'
import { picture } from './v2/picture.ts'
import { runs } from './v2/run.ts'
import { send } from './v2/send.ts'
import { transactions } from './v2/transactions.ts'
import { utils } from './v2/utils.ts'
import { accounts as v3Accounts } from './v3/accounts.ts'
import { actions } from './v3/actions.ts'
import { balances } from './v3/balance-changes.ts'
import { blocks as v3Blocks } from './v3/blocks.ts'
import { decode } from './v3/decode.ts'
import { dns } from './v3/dns.ts'
import { jettons } from './v3/jettons.ts'
import { legacy } from './v3/legacy.ts'
import { messages as v3Messages } from './v3/messages.ts'
import { wallets } from './v3/multisig-and-vesting.ts'
import { nfts } from './v3/nfts.ts'
import { pending } from './v3/pending.ts'
import { proofs } from './v3/proofs.ts'
import { staking } from './v3/staking.ts'
import { tokens } from './v3/tokens.ts'
import { stats } from './v3/top-accounts.ts'
import { traces } from './v3/traces.ts'
import { transactions as v3Transactions } from './v3/transactions.ts'
import { validators } from './v3/validators.ts'
import { accounts as v4Accounts } from './v4/accounts.ts'
import { blocks as v4Blocks } from './v4/blocks.ts'
import { transactions as v4Transactions } from './v4/transactions.ts'

export const registry = {
  ...accounts,
  ...blocks,
  ...transactions,
  ...runs,
  ...send,
  ...utils,
  ...code,
  ...picture,
  ...config,
  ...v3Blocks,
  ...v3Transactions,
  ...v3Messages,
  ...v3Accounts,
  ...traces,
  ...actions,
  ...balances,
  ...jettons,
  ...nfts,
  ...dns,
  ...tokens,
  ...staking,
  ...validators,
  ...wallets,
  ...pending,
  ...stats,
  ...decode,
  ...proofs,
  ...emulate,
  ...legacy,
  ...v4Blocks,
  ...v4Accounts,
  ...v4Transactions,
  ...subscriptions,
  ...hooks,
  ...local,
  ...localTokens,
  ...localTrace,
  ...documents,
} satisfies Record<string, Method>

export type Registry = typeof registry
export type MethodName = keyof Registry

/** Parameters as a caller sends them. */
export type ParamsIn<M extends MethodName> = z.input<Registry[M]['params']>
/** Parameters as a handler receives them: parsed, with defaults. */
export type Params<M extends MethodName> = z.output<Registry[M]['params']>
export type Result<M extends MethodName> = z.output<Registry[M]['result']>

export const methodNames = Object.keys(registry) as readonly MethodName[]

export type Resolved = Entry<MethodName, Method>

const byName = entriesByName<MethodName, Method>(registry)

/** Finds a method by name or alias, case-sensitive. Undefined for any other text, including `__proto__` and `constructor`. */
export const resolve = (name: string): Resolved | undefined => byName.get(name)
