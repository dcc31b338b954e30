import { fitsFriendly, formatFriendly, parseAddress } from '../../shared/fields/address.ts'
import type { Result } from '../../shared/registry.ts'
import { inTurns } from '../base/in-turns.ts'
import { accountKey, accountOfKey, rawOfKey } from '../store/keys.ts'
import { type AccountKind, accountKinds } from '../store/queries/accounts.ts'
import type { View } from '../store/queries/head.ts'
import type { AccountId } from '../tlb/ids.ts'
import { interfacesOf, isWalletCode } from './interfaces.ts'

export type AddressBook = Result<'v3.transactions'>['address_book']
export type AddressBookRow = AddressBook[string]

/** Bounceable where there is code that is no wallet; else not, so that coins that come before the code stay (v3.md 1.7). */
const friendly = (id: AccountId, code: string | undefined, testOnly: boolean): string | null =>
  fitsFriendly(id) ? formatFriendly(id, { bounceable: code !== undefined && !isWalletCode(code), testOnly }) : null

type RowOf = (id: AccountId, kind: AccountKind | undefined) => AddressBookRow

/** Makes rows; `kind` is undefined for accounts that are not known. Accounts of one code have one list of names. */
const rowMaker = ({ testOnly }: View): RowOf => {
  const names = new Map<string, string[]>()
  const namesOf = (code: string, methods: readonly number[] | null): string[] => {
    const known = names.get(code) ?? interfacesOf(code, methods)
    names.set(code, known)
    return known
  }
  return (id, kind) => {
    const code = kind?.code_hash?.toString('base64')
    const interfaces = code === undefined ? null : namesOf(code, kind!.methods)
    return { user_friendly: friendly(id, code, testOnly), domain: kind?.domain ?? null, interfaces: kind ? interfaces : [] }
  }
}

const nameOf = (key: Buffer): string => key.toString('latin1')

const kindsOf = async (view: View, keys: ReadonlyMap<string, Buffer>): Promise<ReadonlyMap<string, AccountKind>> => {
  const rows = await accountKinds(view, [...keys.values()])
  return new Map(rows.map((row) => [nameOf(row.account), row]))
}

/** The book of an answer: every address it tells, by one query. Keys are accounts as the tables hold them; null is nobody. */
export const addressBook = async (view: View, accounts: Iterable<Buffer | null>): Promise<AddressBook> => {
  const keys = new Map<string, Buffer>()
  for (const key of accounts) if (key) keys.set(nameOf(key), key)
  const kinds = await kindsOf(view, keys)
  const rowOf = rowMaker(view)
  const row = ([name, key]: readonly [string, Buffer]): readonly [string, AddressBookRow] => [
    rawOfKey(key),
    rowOf(accountOfKey(key), kinds.get(name)),
  ]
  return Object.fromEntries(await inTurns([...keys], row, view.signal))
}

const UNREADABLE: AddressBookRow = { user_friendly: null, domain: null, interfaces: [] }

/** The same by the spellings of a request; what is no address has an empty row. */
export const bookOfSpellings = async (view: View, spellings: readonly string[]): Promise<AddressBook> => {
  const asked = new Map(spellings.map((spelling) => [spelling, parseAddress(spelling)]))
  const keyOf = (id: AccountId): Buffer => accountKey(id.workchain, id.hash)
  const keys = new Map([...asked.values()].flatMap((id) => (id ? [[nameOf(keyOf(id)), keyOf(id)] as const] : [])))
  const kinds = await kindsOf(view, keys)
  const rowOf = rowMaker(view)
  // `__proto__` is a spelling like any other.
  return Object.fromEntries([...asked].map(([spelling, id]) => [spelling, id ? rowOf(id, kinds.get(nameOf(keyOf(id)))) : UNREADABLE]))
}
