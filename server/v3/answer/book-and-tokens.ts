import type * as z from 'zod'
import type { MethodDef } from '../../../shared/method.ts'
import { type AddressBook, addressBook } from '../../book/address-book.ts'
import type { EmulatedAccounts } from '../../book/emulated-accounts.ts'
import { type Metadata, metadata } from '../../book/token-metadata.ts'
import type { AccountKinds } from '../../store/queries/account-kinds.ts'
import type { View } from '../../store/queries/view.ts'

/** Account keys. Nulls are skipped. */
export type Accounts = Iterable<Buffer | null>

/**
 * What the address book needs about accounts (code hash, get-methods, domain), read together with the rows of an answer. A promise if it may arrive after
 * the rows.
 */
export type ComingKinds = AccountKinds | Promise<AccountKinds> | undefined

interface BookAndTokens {
  readonly book: AddressBook
  readonly tokens: Metadata
}

/** Reads the address book and the metadata of the accounts in an answer. Each is empty if the caller does not want it. */
export interface BookAndTokensReader {
  book(accounts: Accounts, beside?: ComingKinds, emulated?: EmulatedAccounts): Promise<AddressBook>
  tokens(accounts: Accounts, emulated?: EmulatedAccounts): Promise<Metadata>
  both(accounts: Accounts, beside?: ComingKinds, emulated?: EmulatedAccounts): Promise<BookAndTokens>
}

export interface Named {
  readonly address_book?: AddressBook
  readonly metadata?: Metadata
}

export interface BookAndTokensReaderOptions {
  /** Whether the answer has an address book, and whether it has metadata. */
  readonly book: boolean
  readonly metadata: boolean
  readonly want?: ((token: Buffer) => void) | undefined
}

export const createBookAndTokensReader = (
  view: View,
  { book: hasBook, metadata: hasTokens, want }: BookAndTokensReaderOptions,
): BookAndTokensReader => {
  const book: BookAndTokensReader['book'] = async (accounts, beside, emulated) =>
    hasBook ? addressBook(view, accounts, await beside, emulated) : {}
  const tokens: BookAndTokensReader['tokens'] = async (accounts, emulated) => (hasTokens ? metadata(view, accounts, want, emulated) : {})
  return {
    book,
    tokens,
    async both(accounts, beside, emulated) {
      const keys = [...accounts]
      const [read, found] = await Promise.all([book(keys, beside, emulated), tokens(keys, emulated)])
      return { book: read, tokens: found }
    },
  }
}

export const hasMember = ({ result }: MethodDef, member: string): boolean => 'shape' in result && member in (result as z.ZodObject).shape

/** Returns a function that reads the address book, the metadata or both in parallel, whichever the answer of the method has. */
export const bookAndTokensOf = (
  def: MethodDef,
): ((bookAndTokens: BookAndTokensReader, accounts: Accounts, beside?: ComingKinds, emulated?: EmulatedAccounts) => Promise<Named>) => {
  const [hasBook, hasMetadata] = [hasMember(def, 'address_book'), hasMember(def, 'metadata')]
  return async (bookAndTokens, accounts, beside, emulated) => {
    if (hasBook && hasMetadata) {
      const { book, tokens } = await bookAndTokens.both(accounts, beside, emulated)
      return { address_book: book, metadata: tokens }
    }
    if (hasBook) return { address_book: await bookAndTokens.book(accounts, beside, emulated) }
    return hasMetadata ? { metadata: await bookAndTokens.tokens(accounts, emulated) } : {}
  }
}
