import { methodId } from '../../../../shared/fields/method-id.ts'
import { inParallel } from '../../../base/in-parallel.ts'
import { portionsOf } from '../../../base/memory/portions.ts'
import { createPauses, mapWithPauses } from '../../../base/yield.ts'
import type { Cell } from '../../../cell/cell.ts'
import { libraryHash } from '../../../chain/libraries.ts'
import { nameOf } from '../../../store/row-keys.ts'
import { rowsOf } from '../../../store/rows/copy-rows.ts'
import { contractCodes } from '../../../store/schema/contracts.ts'
import { select } from '../../../store/schema/select.ts'
import type { AccountView, BlockView, Topic, TopicContext } from '../topic.ts'
import { methodIds } from './method-dictionary.ts'

/* Finds the get-methods of each code, which show other topics what kind of contract an account can be. Each code is read once. */

export interface DetectedCode {
  readonly codeHash: Buffer
  readonly methods: readonly number[]
}

export interface Detected {
  /** Ids of the get-methods of an account's code; undefined if the account has no code, or if the code cannot be read. */
  methodsOf(account: AccountView): ReadonlySet<number> | undefined
  /** Codes that contract_codes does not have. */
  readonly fresh: readonly DetectedCode[]
}

const METHODS = select(contractCodes, ['code_hash', 'methods'], 'where code_hash = any($1::bytea[])')

/** Name under which `once` of a context shares the result of `detect`. */
export const CODES = 'contracts.codes'

/** Finds the get-methods of a block's accounts, in contract_codes or in the code itself. */
const detect = ({ accounts }: BlockView, context: TopicContext): Promise<Detected> =>
  context.once(CODES, () =>
    detectIn(accounts, {
      async stored(hashes) {
        const rows = await context.rows(METHODS, [hashes])
        return new Map(await mapWithPauses(rows, (row) => [nameOf(row.code_hash), new Set(row.methods)] as const))
      },
      codes: async (unread) => (await context.states(unread)).map((state) => state?.code),
      library: (hash) => context.library(hash),
    }),
  )

export interface CodeSource {
  /** Stored get-methods by code hash (32 one-byte characters). */
  stored(hashes: readonly Buffer[]): Promise<ReadonlyMap<string, ReadonlySet<number>>>
  codes(accounts: readonly AccountView[]): Promise<readonly (Cell | undefined)[]>
  library(hash: Uint8Array): Promise<Cell | undefined>
}

export const detectIn = async (accounts: readonly AccountView[], source: CodeSource): Promise<Detected> => {
  const byCode = new Map<string, AccountView>()
  for (const account of accounts) if (account.status === 'active' && account.codeHash) byCode.set(nameOf(account.codeHash), account)
  const found = new Map<string, ReadonlySet<number>>()
  const fresh: DetectedCode[] = []
  if (byCode.size > 0) {
    for (const [name, methods] of await source.stored([...byCode.values()].map(({ codeHash }) => codeHash!))) found.set(name, methods)
    const unread = [...byCode].filter(([name]) => !found.has(name))
    const codes = unread.length === 0 ? [] : await source.codes(unread.map(([, account]) => account))
    // One block can deploy a thousand codes with two thousand methods each.
    const pause = createPauses()
    for (const [i, [name, { codeHash }]] of unread.entries()) {
      const own = codes[i]
      if (own === undefined) continue
      const library = libraryHash(own)
      // A library that is not found may become public later. The library is requested again when a contract with this code changes.
      const code = library === undefined ? own : await source.library(library)
      if (code === undefined) continue
      const methods = methodIds(code)
      found.set(name, new Set(methods))
      fresh.push({ codeHash: codeHash!, methods })
      await pause()
    }
  }
  return {
    fresh,
    methodsOf: ({ status, codeHash }) => (status === 'active' && codeHash ? found.get(nameOf(codeHash)) : undefined),
  }
}

export const contractsTopic: Topic = {
  name: 'contracts',
  version: 2,
  tables: [contractCodes],
  async derive(block, context) {
    const { fresh } = await detect(block, context)
    const rows = fresh.map(({ codeHash, methods }) => ({ code_hash: codeHash, mc_seqno: block.mcSeqno, methods }))
    return [rowsOf(contractCodes, rows)]
  },
}

/** Number of contracts whose rows are written together. One block can touch thousands, each with 32 KiB of content, or with 512 members. */
export const AT_ONCE = 100

export const hasMethods = (methods: ReadonlySet<number> | undefined, ids: readonly number[]): boolean =>
  methods !== undefined && ids.every((id) => methods.has(id))

export const idsOf = (...names: readonly string[]): readonly number[] => names.map(methodId)

/**
 * The accounts of a block as contracts. `having`: those whose code has these get-methods. `stored`: keys of those with rows in a table. These rows are
 * replaced, so an account that is, for example, no jetton wallet any more loses its row of jetton_wallets.
 */
export const contractsOf = async (block: BlockView, context: TopicContext) => {
  const { accounts } = block
  const { methodsOf } = await detect(block, context)
  const stored = await context.once('contracts.rows', () => context.owners(accounts.map(({ key }) => key)))
  return { methodsOf, stored, having: (ids: readonly number[]) => accounts.filter((account) => hasMethods(methodsOf(account), ids)) }
}

/** Number of accounts whose states are read together. */
export const STATES_AT_ONCE = 16

/** Evaluates accounts in parallel. Leaves out those without a result. */
export const evaluateEach = async <T>(
  accounts: readonly AccountView[],
  context: TopicContext,
  evaluate: (account: AccountView, context: TopicContext) => Promise<T | undefined>,
): Promise<readonly T[]> => {
  const results: T[] = []
  // A query reads the states of a portion, which the runs then find in memory. Each state can have 65,536 cells.
  for (const some of portionsOf(accounts, STATES_AT_ONCE)) {
    await context.states(some)
    const found = await inParallel(some, (account) => evaluate(account, context))
    results.push(...found.filter((result) => result !== undefined))
  }
  return results
}
