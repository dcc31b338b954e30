import { type AddressBook, addressBook } from '../../book/book.ts'
import { type Metadata, metadata } from '../../book/metadata.ts'
import type { View } from '../../store/queries/head.ts'

/** Accounts as the tables hold them; null is nobody. */
export type Accounts = Iterable<Buffer | null>

/** What stands beside rows that name accounts: how these are written, and what is known of the tokens among them. Empty where the caller wants none. */
export interface Beside {
  book(accounts: Accounts): Promise<AddressBook>
  tokens(accounts: Accounts): Promise<Metadata>
  /** Both, read together. */
  both(accounts: Accounts): Promise<{ readonly address_book: AddressBook; readonly metadata: Metadata }>
}

export interface BesideOptions {
  /** Whether the address book is wanted, and the metadata. */
  readonly book: boolean
  readonly metadata: boolean
  /** Told of a token whose data off the chain is not here yet. */
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
