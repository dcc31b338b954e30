import type { Facts } from '../../actions/facts.ts'
import type { Trace } from '../../actions/trace.ts'
import { withTimeout } from '../../base/abort.ts'
import type { Call } from '../../base/call.ts'
import { bookOfCode } from '../../book/address-book.ts'
import type { EmulatedAccount, EmulatedAccounts, EmulatedName, EmulatedToken } from '../../book/emulated-accounts.ts'
import type { AccountState, Chain } from '../../chain/chain-port.ts'
import type { EmulatedNode, EmulatedTrace } from '../../emulate/trace.ts'
import { accountFacts } from '../../index/derive/account-facts.ts'
import { type FactSource, findFacts } from '../../index/topics/actions/facts.ts'
import {
  createRecognizer,
  type GivenState,
  type NoticedStates,
  type ReadTables,
  type RecognizedStates,
  type StateContext,
} from '../../index/topics/states/emulated-states.ts'
import type { TopicConfig } from '../../index/topics/topic-context.ts'
import { TOKEN_KINDS } from '../../store/queries/tokens.ts'
import { nameOf, rawOfKey } from '../../store/row-keys.ts'
import { jettonMasters, jettonWallets } from '../../store/schema/jettons.ts'
import { dnsEntries, nftCollections, nftItems } from '../../store/schema/nfts.ts'
import type { ReadRow } from '../../store/schema/table.ts'
import { type AccountId, type BlockId, MASTERCHAIN } from '../../tlb/ids.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { keyOfNode } from '../shapes/emulated.ts'
import { base64 } from '../shapes/values.ts'

/*
 * Recognizes the accounts of an emulated trace in their states after the trace, because an account may be new or become another kind of contract. States of
 * committed transactions are read from the chain, because the index may not have these blocks yet.
 */

/** Milliseconds for a recognition. After that, accounts are shown as they are indexed. */
export const MAX_TIME = 2_000
/** Maximum length of a recognized token's content. A token with longer content is shown as it is indexed. */
const MAX_CONTENT = 4_096

export interface RecognizedTrace {
  readonly facts: Facts
  readonly accounts: EmulatedAccounts
}

export interface NoticedTrace {
  /** True if an account of the trace is a contract for which the index has a table. */
  readonly hasContracts: boolean
  /** `of`: the trace in the classifier's form, if facts about it are needed. `read`: queries the tables of the index (NO_TABLES without an index). */
  recognize(of: Trace | undefined, read: ReadTables): Promise<RecognizedTrace>
}

export type TraceRecognizer = ReturnType<typeof createTraceRecognizer>

/** Without an index every table is empty. */
export const NO_TABLES: ReadTables = async () => []

const NO_FACTS: Facts = new Map()

const contextOf = (chain: RecognizedChain, at: BlockId, client: string | undefined, signal: AbortSignal): StateContext => {
  let config: Promise<TopicConfig> | undefined
  return {
    at,
    client,
    config() {
      config ??= chain.config(at, signal)
      return config
    },
    libraries: (hashes, stop) => chain.libraries(hashes, stop, at),
    async account(block, id: AccountId, stop) {
      // A contract can name an account of any workchain, but only the masterchain and workchain 0 have blocks.
      if (id.workchain !== MASTERCHAIN && id.workchain !== 0) return undefined
      const { account, accountCell, lastTransLt, genUtime } = await chain.account(id, block, stop)
      return { account: account && accountCell, lastTransLt, genUtime }
    },
  }
}

interface AccountNodes {
  readonly first: EmulatedNode
  readonly last: EmulatedNode
}

const factsOfCell = (cell: AccountState['accountCell']): GivenState['facts'] => accountFacts(cell)!

const stateOf = async ({ first, last }: AccountNodes, chain: RecognizedChain, at: BlockId, signal: AbortSignal): Promise<GivenState> => {
  const key = keyOfNode(last)
  const before = first.before && factsOfCell(first.before.accountCell)
  const { after } = last
  if (after !== undefined) {
    const { accountCell, lastTransLt } = after
    return { key, facts: factsOfCell(accountCell), lastTransLt, utime: last.transaction.now, before }
  }
  const { accountCell, lastTransLt, genUtime } = await chain.account(last.account, at, signal)
  return { key, facts: factsOfCell(accountCell), lastTransLt, utime: genUtime, before }
}

const statesOf = async ({ nodes, at }: EmulatedTrace, chain: RecognizedChain, signal: AbortSignal): Promise<GivenState[]> => {
  const accounts = new Map<string, AccountNodes>()
  for (const node of nodes) {
    const name = nameOf(keyOfNode(node))
    accounts.set(name, { first: accounts.get(name)?.first ?? node, last: node })
  }
  return await Promise.all([...accounts.values()].map((each) => stateOf(each, chain, at, signal)))
}

const NO_CODE = new Uint8Array()

/** Whether the account's code is new, so that the index may have another code or no such account. */
const hasNewCode = ({ facts, before }: GivenState): boolean =>
  before?.codeHash === undefined || Buffer.compare(before.codeHash, facts.codeHash ?? NO_CODE) !== 0

const codeOf = ({ key, facts: { codeHash } }: GivenState, noticed: NoticedStates): NonNullable<EmulatedAccount['code']> =>
  codeHash === undefined ? { isBounceable: false, interfaces: null } : bookOfCode(base64(codeHash), noticed.methodsOf(key))

type TokenTable = typeof jettonMasters | typeof jettonWallets | typeof nftItems | typeof nftCollections
const NOTHING = { content: null, owner: null, jetton: null, balance: null, index: null, domain: null }

/** Tokens by account (`nameOf` of the key). An account that is no token has an empty list. */
const tokensIn = async (source: FactSource, keys: readonly Buffer[]): Promise<ReadonlyMap<string, readonly EmulatedToken[]>> => {
  const found = new Map<string, EmulatedToken[]>(keys.map((key) => [nameOf(key), []]))
  const owners = await source.owners(keys)
  const add = async <T extends TokenTable>(table: T, show: (row: ReadRow<T>) => Partial<EmulatedToken>): Promise<void> => {
    const kind = TOKEN_KINDS.indexOf(table.name)
    for (const [key, [row]] of await source.accountRows(table, owners(table))) found.get(key)?.push({ ...NOTHING, kind, ...show(row!) })
  }
  await add(jettonMasters, ({ content }) => ({ content }))
  await add(jettonWallets, ({ owner, jetton, balance }) => ({ owner: rawOfKey(owner), jetton: rawOfKey(jetton), balance }))
  await add(nftItems, ({ content, index, domain }) => ({ content, index, domain }))
  await add(nftCollections, ({ content }) => ({ content }))
  return found
}

/** DNS names by account (`nameOf` of the key); null for an account that stopped being a DNS name. */
const namesIn = async ({ facts, stored }: RecognizedStates, keys: readonly Buffer[]): Promise<ReadonlyMap<string, EmulatedName | null>> => {
  const found = new Map<string, EmulatedName | null>(stored(dnsEntries).map((key) => [nameOf(key), null]))
  const names = await facts.accountRows(dnsEntries, (await facts.owners(keys))(dnsEntries))
  const items = await facts.accountRows(
    nftItems,
    [...names.values()].map(([row]) => row!.account),
  )
  for (const [key, [row]] of names) {
    const owner = items.get(key)?.[0]?.owner
    found.set(key, { domain: row!.domain, wallet: row!.wallet && rawOfKey(row!.wallet), owner: owner ? rawOfKey(owner) : null })
  }
  return found
}

const isShort = ({ content }: EmulatedToken): boolean => content === null || content.length <= MAX_CONTENT

const accountsOf = async (
  states: readonly GivenState[],
  noticed: NoticedStates,
  recognized: RecognizedStates | undefined,
): Promise<EmulatedAccounts> => {
  const { concerned } = noticed
  const tokens = recognized && (await tokensIn(recognized.facts, concerned))
  const names = recognized && (await namesIn(recognized, concerned))
  const accounts: Record<string, EmulatedAccount> = {}
  for (const state of states) {
    const own = tokens?.get(nameOf(state.key))
    const name = names?.get(nameOf(state.key))
    const account: EmulatedAccount = {
      ...(hasNewCode(state) && { code: codeOf(state, noticed) }),
      ...(own?.every(isShort) === true && { tokens: own }),
      ...(name !== undefined && { name }),
    }
    if (Object.keys(account).length > 0) accounts[rawOfKey(state.key)] = account
  }
  return accounts
}

type RecognizedChain = Pick<Chain, 'account' | 'config' | 'libraries'>

export const createTraceRecognizer = (deps: { readonly chain: RecognizedChain; readonly tvm: Tvm }) => {
  const { chain, tvm } = deps
  const recognizer = createRecognizer({ tvm })

  const notice = async (trace: EmulatedTrace, client: string | undefined, signal: AbortSignal): Promise<NoticedTrace> => {
    const states = await statesOf(trace, chain, signal)
    const noticed = await recognizer.notice(states, contextOf(chain, trace.at, client, signal), signal)
    const hasContracts = noticed.concerned.length > 0
    return {
      hasContracts,
      async recognize(of, read) {
        const recognized = of !== undefined || hasContracts ? await noticed.recognize(read) : undefined
        const [facts] = of === undefined ? [NO_FACTS] : await findFacts(recognized!.facts, [of])
        return { facts: facts!, accounts: await accountsOf(states, noticed, recognized) }
      },
    }
  }

  return {
    /** Calls `use` with the recognized accounts, or with undefined after `maxTime` milliseconds. */
    within: <T>(
      trace: EmulatedTrace,
      { signal: caller, client, maxTime = MAX_TIME }: Pick<Call, 'signal' | 'client'> & { readonly maxTime?: number | undefined },
      use: (noticed: NoticedTrace | undefined) => Promise<T>,
    ): Promise<T> =>
      withTimeout(caller, maxTime, async (signal) => {
        try {
          return await use(await notice(trace, client, signal))
        } catch (error) {
          if (!signal.aborted || caller.aborted) throw error
          return await use(undefined)
        }
      }),
  }
}
