import { runSteps } from '../../base/yield.ts'
import { parseBocRootSteps } from '../../cell/boc.ts'
import { type Cell, EMPTY_CELL } from '../../cell/cell.ts'
import { ACCOUNT_STATUSES } from '../../store/codes.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { smallOf } from '../../store/queries/large-values.ts'
import { accountOfKey, nameOf } from '../../store/row-keys.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { cells } from '../../store/schema/messages.ts'
import { type Select, select } from '../../store/schema/select.ts'
import type { ReadRow } from '../../store/schema/table.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { completeCells } from '../derive/complete-cells.ts'
import type { AccountChange } from '../derive/group-rows.ts'
import { type AccountSource, requestFacts, requestState } from '../derive/request-facts.ts'
import type { AccountCode, AccountView } from './topic.ts'

/* Accounts in the form that topics read: from the blocks that are being derived, otherwise from the database. */

/** An account with the origin of its cells: a change in the current group of blocks or a requested state, otherwise a stored row. */
interface ViewWithOrigin extends AccountView {
  readonly change?: AccountChange
  readonly stored?: StoredAccount
}

const hash = (bytes: Uint8Array | undefined): Buffer | undefined => bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const viewOf = (change: AccountChange): ViewWithOrigin => {
  const { key, facts, lastTransLt, mcSeqno, utime } = change
  return {
    key,
    id: accountOfKey(key),
    status: ACCOUNT_STATUSES[facts.status]!,
    balance: facts.balance,
    codeHash: hash(facts.codeHash),
    dataHash: hash(facts.dataHash),
    lastTransLt,
    mcSeqno,
    utime,
    change,
  }
}

const COLUMNS = ['account', 'mc_seqno', 'status', 'balance', 'utime', 'last_trans_lt', 'code_hash', 'data_hash'] as const
type StoredAccount = Pick<ReadRow<typeof accounts>, (typeof COLUMNS)[number] | 'data_boc'> & { readonly data_bytes: number | null }

/** Longest data that is read together with its account, in bytes. Longer data is read when it is needed: a trace can name ten thousand accounts with 8 MB each. */
const SMALL = 4 << 10
const ACCOUNTS = `select ${COLUMNS.join(', ')}, ${smallOf('data_boc', SMALL, 'data_boc', 'data_bytes')}
  from ${accounts.name} where account = any($1::bytea[])` as Select<StoredAccount>
const DATA = select(accounts, ['data_boc'], 'where account = $1')
const FIRST_LTS = select(accounts, ['account', 'first_lt'], 'where account = any($1::bytea[])')
const LAST_CHANGES = select(accounts, ['account', 'mc_seqno'], 'where account = any($1::bytea[])')
const CELLS = select(cells, ['hash', 'boc'], 'where hash = any($1::bytea[])')

const storedView = (row: StoredAccount): ViewWithOrigin => ({
  key: row.account,
  id: accountOfKey(row.account),
  status: ACCOUNT_STATUSES[row.status]!,
  balance: BigInt(row.balance),
  codeHash: row.code_hash ?? undefined,
  dataHash: row.data_hash ?? undefined,
  lastTransLt: BigInt(row.last_trans_lt),
  mcSeqno: row.mc_seqno,
  utime: Number(row.utime),
  stored: row,
})

/** Bytes of stored data in completed states beyond which they do not stay in memory. */
const MAX_WHOLE = 64 << 20

const originOf = ({ change, stored }: ViewWithOrigin): object => change ?? stored!

export type AccountViews = ReturnType<typeof createAccountViews>

export interface ViewsDeps {
  readonly connection: Pick<Connection, 'query'>
  readonly source: AccountSource
  readonly partial: boolean
}

export const createAccountViews = ({ connection, source, partial }: ViewsDeps, signal: AbortSignal) => {
  const noted = new Map<string, AccountChange>()
  const codes = new Map<string, Cell>()
  /** Completed states by origin. They are cached, because several get-methods usually run on one contract. */
  let whole = new WeakMap<object, Promise<AccountCode | undefined>>()
  let bytes = 0

  /** Reads a stored bag in turns: the data of one account can have 65,536 cells, and a block can lead to the data of many accounts. */
  const cellOf = (boc: Buffer): Promise<Cell> => runSteps(parseBocRootSteps(boc), signal)

  const read = (keys: readonly Buffer[]): Promise<StoredAccount[]> =>
    keys.length === 0 ? Promise.resolve([]) : connection.query(ACCOUNTS, [keys])

  const dataOf = async ({ account, data_boc, data_bytes }: StoredAccount): Promise<Buffer | null> =>
    data_boc ?? (data_bytes === null ? null : ((await connection.query(DATA, [account]))[0]?.data_boc ?? null))

  const readCodes = async (hashes: ReadonlySet<string>): Promise<void> => {
    const missing = [...hashes].filter((each) => !codes.has(each)).map((each) => Buffer.from(each, 'latin1'))
    if (missing.length === 0) return
    for (const row of await connection.query(CELLS, [missing])) codes.set(row.hash.toString('latin1'), await cellOf(row.boc))
  }

  const noteCode = ({ facts: { code } }: AccountChange): void => {
    if (code?.levelMask === 0) codes.set(code.hashKey(), code)
  }

  let block: BlockId | undefined
  const requestedAccounts = new Map<string, AccountView | undefined>()

  const requestedAccount = async (key: Buffer): Promise<AccountView | undefined> => {
    const name = nameOf(key)
    if (block === undefined || key.length !== 36 || requestedAccounts.has(name)) return requestedAccounts.get(name)
    const change = await requestState(source, block, key, signal)
    if (change !== undefined) noteCode(change)
    requestedAccounts.set(name, change && viewOf(change))
    return requestedAccounts.get(name)
  }

  const ask = async (change: AccountChange): Promise<AccountCode | undefined> => {
    const found = await requestFacts(source, change, signal)
    return found?.code && { code: found.code, data: found.data ?? EMPTY_CELL }
  }

  const stateOf = async (account: ViewWithOrigin, before: StoredAccount | undefined): Promise<AccountCode | undefined> => {
    if (account.codeHash === undefined) return undefined
    const code = codes.get(account.codeHash.toString('latin1'))
    if (account.stored !== undefined) {
      const data = await dataOf(account.stored)
      if (code === undefined || (data === null && account.dataHash !== undefined)) return undefined
      return { code, data: data === null ? EMPTY_CELL : await cellOf(data) }
    }
    const change = account.change!
    let { data } = change.facts
    if (data !== undefined && data.levelMask !== 0) {
      const boc = before && (await dataOf(before))
      const roots = [...(boc ? [await cellOf(boc)] : []), ...(code === undefined ? [] : [code])]
      data = await runSteps(completeCells(roots, change.cells, data), signal)
      if (data === undefined) return ask(change)
    }
    return code === undefined ? ask(change) : { code, data: data ?? EMPTY_CELL }
  }

  return {
    /** Returns accounts after the blocks that `note` has added so far. */
    async at(keys: readonly Buffer[]): Promise<readonly (AccountView | undefined)[]> {
      const missing = keys.filter((key) => !noted.has(key.toString('latin1')))
      const rows = new Map((await read(missing)).map((row) => [row.account.toString('latin1'), row]))
      const views: (AccountView | undefined)[] = []
      for (const key of keys) {
        const [change, row] = [noted.get(nameOf(key)), rows.get(nameOf(key))]
        // After a revert, and at the start of a range, rows are derived at a block before that of some stored states.
        const isStored = row !== undefined && row.mc_seqno <= (block?.seqno ?? row.mc_seqno)
        if (change !== undefined) views.push(viewOf(change))
        else views.push(isStored ? storedView(row) : row || partial ? await requestedAccount(key) : undefined)
      }
      return views
    },
    async states(views: readonly AccountView[]): Promise<readonly (AccountCode | undefined)[]> {
      const requested = views as readonly ViewWithOrigin[]
      if (bytes > MAX_WHOLE) [whole, bytes] = [new WeakMap(), 0]
      const own = whole
      const all = [...new Set(requested.filter((account) => !own.has(originOf(account))))]
      const partial = all.filter(({ change }) => change?.facts.data !== undefined && change.facts.data.levelMask !== 0)
      await readCodes(new Set(all.flatMap(({ codeHash }) => codeHash?.toString('latin1') ?? [])))
      const before = new Map((await read(partial.map(({ key }) => key))).map((row) => [row.account.toString('latin1'), row]))
      for (const account of all) {
        const row = account.stored ?? before.get(account.key.toString('latin1'))
        if (!own.has(originOf(account))) own.set(originOf(account), stateOf(account, row))
        await own.get(originOf(account))
        bytes += row?.data_bytes ?? 0
      }
      return await Promise.all(requested.map((account) => own.get(originOf(account))))
    },
    /** Returns `first_lt` from the stored row, otherwise from the row that is about to be written. */
    async firstLts(views: readonly AccountView[]): Promise<(account: AccountView) => bigint> {
      const rows = views.length === 0 ? [] : await connection.query(FIRST_LTS, [views.map(({ key }) => key)])
      const stored = new Map(rows.map(({ account, first_lt }) => [account.toString('latin1'), BigInt(first_lt)]))
      return ({ key, lastTransLt }) => {
        const name = key.toString('latin1')
        return stored.get(name) ?? noted.get(name)?.firstLt ?? lastTransLt
      }
    },
    /** Returns a function that finds the masterchain seqno of an account's last change; 0 if the account is not indexed. */
    async lastChanges(keys: readonly Buffer[]): Promise<(key: Buffer) => number> {
      const rows = keys.length === 0 ? [] : await connection.query(LAST_CHANGES, [keys])
      const stored = new Map(rows.map(({ account, mc_seqno }) => [nameOf(account), mc_seqno]))
      return (key) => noted.get(nameOf(key))?.mcSeqno ?? stored.get(nameOf(key)) ?? 0
    },
    /** Adds the changes of the next block, which `at` includes from then on. */
    note(changes: readonly AccountChange[], master: BlockId): void {
      block = master
      requestedAccounts.clear()
      for (const change of changes) {
        noted.set(change.key.toString('latin1'), change)
        noteCode(change)
      }
    },
  }
}
