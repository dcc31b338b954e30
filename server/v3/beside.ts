import { type AddressBook, addressBook } from '../book/book.ts'
import { type Metadata, metadata } from '../book/metadata.ts'
import type { View } from '../store/queries/head.ts'

/** What stands beside rows that tell of accounts: how they are written, and what is known of the tokens among them. */
export const beside = async (
  view: View,
  accounts: readonly (Buffer | null)[],
): Promise<{ readonly address_book: AddressBook; readonly metadata: Metadata }> => {
  const [book, tokens] = await Promise.all([addressBook(view, accounts), metadata(view, accounts)])
  return { address_book: book, metadata: tokens }
}
