import { type AddressBook, addressBook } from '../../book/address-book.ts'
import { type Metadata, metadata } from '../../book/token-metadata.ts'
import type { View } from '../../store/queries/head.ts'

/** Account keys as the tables have them. null is skipped. */
export type Accounts = Iterable<Buffer | null>

/** The address book and the metadata of the accounts that an answer names. Either is empty if the caller does not want it. */
export interface Beside {
  book(accounts: Accounts): Promise<AddressBook>
  tokens(accounts: Accounts): Promise<Metadata>
  /** Both, read at once. */
  both(accounts: Accounts): Promise<{ readonly address_book: AddressBook; readonly metadata: Metadata }>
}

export interface BesideOptions {
  /** Whether the address book is wanted, and the metadata. */
  readonly book: boolean
  readonly metadata: boolean
  /** Called for a token whose off-chain data is not fetched yet. */
  readonly want?: ((token: Buffer) => void) | undefined
}

export const createBeside = (view: View, options: BesideOptions): Beside => {
  const book: Beside['book'] = async (accounts) => (options.book ? addressBook(view, accounts) : {})
  const tokens: Beside['tokens'] = async (accounts) => (options.metadata ? metadata(view, accounts, options.want) : {})
  return {
    book,
    tokens,
    async both(accounts) {
      const keys = [...accounts]
      const [address_book, known] = await Promise.all([book(keys), tokens(keys)])
      return { address_book, metadata: known }
    },
  }
}
