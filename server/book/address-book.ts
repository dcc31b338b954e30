import { parseAddress } from '../../shared/fields/address.ts'
import type { Result } from '../../shared/registry.ts'
import { mapWithPauses } from '../base/yield.ts'
import { type AccountKind, type AccountKinds, accountKinds } from '../store/queries/account-kinds.ts'
import type { View } from '../store/queries/view.ts'
import { accountKey, distinct, friendlyOfKey, nameOf, rawOfKey } from '../store/row-keys.ts'
import { domainsBeside, type EmulatedAccount, type EmulatedAccounts } from './emulated-accounts.ts'
import { interfacesOf, isWalletCode } from './interfaces.ts'

export type AddressBook = Result<'v3.transactions'>['address_book']
export type AddressBookRow = AddressBook[string]

type RowOf = (key: Buffer, kind: AccountKind | undefined, emulated?: EmulatedAccount) => AddressBookRow

interface OfCode {
  /** False for a wallet's code. An account without code is written as non-bounceable too, so that coins sent to it are not returned. */
  readonly isBounceable: boolean
  readonly interfaces: readonly string[]
}

/**
 * The data of the address book that depends on the code alone. `codeHash`: base64. `methods`: ids of the code's get-methods; null or undefined if they were
 * not found.
 */
export const bookOfCode = (codeHash: string, methods: readonly number[] | null | undefined): OfCode => ({
  isBounceable: !isWalletCode(codeHash),
  interfaces: interfacesOf(codeHash, methods),
})

/** Returns a function that creates rows of the address book. Its argument `kind` is undefined for an account that is not indexed. */
const rowMaker = ({ testOnly }: View): RowOf => {
  const codes = new Map<string, OfCode>()
  const ofCode = ({ code_hash, methods }: AccountKind): OfCode | undefined => {
    if (code_hash === null) return undefined
    const name = nameOf(code_hash)
    let book = codes.get(name)
    if (book === undefined) {
      book = bookOfCode(code_hash.toString('base64'), methods)
      codes.set(name, book)
    }
    return book
  }
  return (key, kind, emulated) => {
    const code = kind && ofCode(kind)
    const { isBounceable, interfaces } = emulated?.code ?? {
      isBounceable: code?.isBounceable ?? false,
      interfaces: kind ? (code?.interfaces ?? null) : [],
    }
    return {
      user_friendly: friendlyOfKey(key, isBounceable, testOnly),
      domain: kind?.domain ?? null,
      interfaces: interfaces && [...interfaces],
    }
  }
}

/** The address book of an answer. `kinds`: what is indexed of the accounts. `emulated`: accounts whose emulated state differs from the indexed one. */
export const addressBook = async (
  view: View,
  keys: readonly Buffer[],
  kinds: AccountKinds,
  emulated?: EmulatedAccounts,
): Promise<AddressBook> => {
  const domains = emulated && (await domainsBeside(view, keys, emulated))
  const rowOf = rowMaker(view)
  const book: AddressBook = {}
  await mapWithPauses(
    keys,
    (key) => {
      const [name, address] = [nameOf(key), rawOfKey(key)]
      const row = rowOf(key, kinds.get(name), emulated?.[address])
      book[address] = domains === undefined ? row : { ...row, domain: domains.get(name) ?? null }
    },
    view.signal,
  )
  return book
}

const UNREADABLE: AddressBookRow = { user_friendly: null, domain: null, interfaces: [] }

export const bookOfSpellings = async (view: View, spellings: readonly string[]): Promise<AddressBook> => {
  const addresses = new Map(
    spellings.map((spelling) => {
      const id = parseAddress(spelling)
      return [spelling, id && accountKey(id.workchain, id.hash)]
    }),
  )
  const kinds = await accountKinds(view, distinct([...addresses.values()].map((key) => key ?? null)))
  const rowOf = rowMaker(view)
  const rows = await mapWithPauses(
    [...addresses],
    ([spelling, key]): [string, AddressBookRow] => [spelling, key ? rowOf(key, kinds.get(nameOf(key))) : UNREADABLE],
    view.signal,
  )
  // Unlike an assignment, Object.fromEntries also stores the key `__proto__`.
  return Object.fromEntries(rows)
}
