import type * as z from 'zod'
import type { MethodDef } from '../../../shared/method.ts'
import { type AddressBook, addressBook } from '../../book/address-book.ts'
import type { EmulatedAccounts } from '../../book/emulated-accounts.ts'
import { type Metadata, metadata } from '../../book/token-metadata.ts'
import { accountKinds } from '../../store/queries/account-kinds.ts'
import type { View } from '../../store/queries/view.ts'
import { distinct } from '../../store/row-keys.ts'
import type { Overrides, V3Index } from './answer.ts'

export interface NamedAccounts {
  /** Account keys. Nulls are skipped. */
  readonly accounts: Iterable<Buffer | null>
  /** States of accounts after an emulation, which differ from the index. */
  readonly emulated?: EmulatedAccounts | undefined
}

export interface BookAndTokensOptions {
  readonly book: boolean
  readonly metadata: boolean
  readonly want?: V3Index['want']
  /** Maximum bytes of the contents of tokens. Tokens beyond it are left out. */
  readonly maxBytes?: number | undefined
}

/** Maximum bytes of the contents of tokens beside events or emulated transactions. Contracts choose their contents, and what is about them is one text. */
export const MAX_METADATA = 8 << 20

/** Reads the address book and the metadata. Each is empty if the answer has no such member. */
export const readBookAndTokens = async (view: View, { accounts, emulated }: NamedAccounts, options: BookAndTokensOptions) => {
  const { want, maxBytes } = options
  const keys = distinct(accounts)
  const kinds = options.book ? await accountKinds(view, keys) : undefined
  const [book, tokens]: [AddressBook, Metadata] = await Promise.all([
    kinds ? addressBook(view, keys, kinds, emulated) : {},
    options.metadata ? metadata(view, keys, { want, kinds, emulated, maxBytes }) : {},
  ])
  return { book, tokens }
}

export const hasMember = ({ result }: MethodDef, member: string): boolean => 'shape' in result && member in (result as z.ZodObject).shape

export interface BookMembers {
  readonly address_book?: AddressBook
  readonly metadata?: Metadata
}

/** Returns a function that reads the members `address_book` and `metadata`, whichever the answers of a method have. */
export const bookMembersOf = (def: MethodDef, { want }: V3Index) => {
  const [hasBook, hasMetadata] = [hasMember(def, 'address_book'), hasMember(def, 'metadata')]
  return async (view: View, named: NamedAccounts, overrides: Overrides, maxBytes?: number): Promise<BookMembers> => {
    const { x_no_address_book, x_no_metadata } = overrides
    const options = { book: hasBook && !x_no_address_book, metadata: hasMetadata && !x_no_metadata, want, maxBytes }
    const { book, tokens } = await readBookAndTokens(view, named, options)
    return { ...(hasBook && { address_book: book }), ...(hasMetadata && { metadata: tokens }) }
  }
}
