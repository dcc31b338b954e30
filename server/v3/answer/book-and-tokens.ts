import type * as z from 'zod'
import type { MethodDef } from '../../../shared/method.ts'
import { type AddressBook, addressBook } from '../../book/address-book.ts'
import { type Metadata, metadata } from '../../book/token-metadata.ts'
import type { AccountKinds } from '../../store/queries/account-kinds.ts'
import type { View } from '../../store/queries/head.ts'

/** Account keys as the tables have them. null is skipped. */
export type Accounts = Iterable<Buffer | null>

/** Kinds of accounts that are read together with the rows of an answer. They may come later than these. */
export type ComingKinds = AccountKinds | Promise<AccountKinds> | undefined

/** The address book and the metadata of the accounts that an answer names. Either is empty if the caller does not want it. */
export interface BookAndTokensReader {
  book(accounts: Accounts, beside?: ComingKinds): Promise<AddressBook>
  tokens(accounts: Accounts): Promise<Metadata>
}

/** The members of an answer that describe the accounts it names. */
export interface Named {
  readonly address_book?: AddressBook
  readonly metadata?: Metadata
}

export interface BookAndTokensReaderOptions {
  /** Whether the address book is wanted, and the metadata. */
  readonly book: boolean
  readonly metadata: boolean
  /** Called for a token whose off-chain data is not fetched yet. */
  readonly want?: ((token: Buffer) => void) | undefined
}

/** The address book and the metadata as one snapshot of the index has them. */
export const createBookAndTokensReader = (
  view: View,
  { book, metadata: tokens, want }: BookAndTokensReaderOptions,
): BookAndTokensReader => ({
  book: async (accounts, beside) => (book ? addressBook(view, accounts, await beside) : {}),
  tokens: async (accounts) => (tokens ? metadata(view, accounts, want) : {}),
})

/** Whether the answer of a method has a member of this name. */
export const hasMember = ({ result }: MethodDef, member: string): boolean => 'shape' in result && member in (result as z.ZodObject).shape

/** Reads, at once, those of the address book and the metadata that the answer of a method has. */
export const bookAndTokensOf = (
  def: MethodDef,
): ((bookAndTokens: BookAndTokensReader, accounts: Accounts, beside?: ComingKinds) => Promise<Named>) => {
  const [hasBook, hasMetadata] = [hasMember(def, 'address_book'), hasMember(def, 'metadata')]
  return async (bookAndTokens, accounts, beside) => {
    const keys = [...accounts]
    const [book, tokens] = await Promise.all([
      hasBook ? bookAndTokens.book(keys, beside) : undefined,
      hasMetadata ? bookAndTokens.tokens(keys) : undefined,
    ])
    return { ...(book && { address_book: book }), ...(tokens && { metadata: tokens }) }
  }
}
