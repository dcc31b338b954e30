import { fitsFriendly, formatFriendly, parseAddress } from '../../shared/fields/address.ts'
import type { Result } from '../../shared/registry.ts'
import { inTurns } from '../base/in-turns.ts'
import { type AccountKind, accountKinds } from '../store/queries/accounts.ts'
import type { View } from '../store/queries/head.ts'
import { accountKey, accountOfKey, nameOf, rawOfKey } from '../store/row-keys.ts'
import type { AccountId } from '../tlb/ids.ts'
import { interfacesOf, isWalletCode } from './interfaces.ts'

export type AddressBook = Result<'v3.transactions'>['address_book']
export type AddressBookRow = AddressBook[string]

/** Bounceable only if there is code that is not a wallet, so that coins sent before deployment stay (v3.md 1.7). */
const friendly = (id: AccountId, code: string | undefined, testOnly: boolean): string | null =>
  fitsFriendly(id) ? formatFriendly(id, { bounceable: code !== undefined && !isWalletCode(code), testOnly }) : null

type RowOf = (id: AccountId, kind: AccountKind | undefined) => AddressBookRow

/** Returns a function that makes rows; `kind` is undefined for unknown accounts. Accounts with the same code share a list of names. */
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

const kindsOf = async (view: View, keys: ReadonlyMap<string, Buffer>): Promise<ReadonlyMap<string, AccountKind>> => {
  const rows = await accountKinds(view, [...keys.values()])
  return new Map(rows.map((row) => [nameOf(row.account), row]))
}

/** The address book of an answer, made with one query. `accounts`: keys as in the tables; null is skipped. */
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

/** The address book by the addresses as the request wrote them. An invalid address has an empty row. */
export const bookOfSpellings = async (view: View, spellings: readonly string[]): Promise<AddressBook> => {
  const asked = new Map(spellings.map((spelling) => [spelling, parseAddress(spelling)]))
  const keyOf = (id: AccountId): Buffer => accountKey(id.workchain, id.hash)
  const keys = new Map([...asked.values()].flatMap((id) => (id ? [[nameOf(keyOf(id)), keyOf(id)] as const] : [])))
  const kinds = await kindsOf(view, keys)
  const rowOf = rowMaker(view)
  // Object.fromEntries also keeps the spelling `__proto__`.
  return Object.fromEntries([...asked].map(([spelling, id]) => [spelling, id ? rowOf(id, kinds.get(nameOf(keyOf(id)))) : UNREADABLE]))
}
