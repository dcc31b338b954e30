import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Book, Metadata, Names } from '../base/types.ts'

const NamesContext = createContext<Names>({ book: {} })

/** Names and tokens in the answer that the part of the view shows. */
export const useNames = (): Names => useContext(NamesContext)

/** The part of an answer that describes its accounts. */
export interface Describing {
  readonly address_book?: Book | undefined
  readonly metadata?: Metadata | undefined
}

/** Shows accounts by the names in this answer. Without an address book in it, by those of the part around it. */
export const AnswerNames = ({ of, children }: { readonly of: unknown; readonly children: ComponentChildren }) => {
  const outer = useNames()
  const { address_book: book, metadata } = (of ?? {}) as Describing
  return <NamesContext.Provider value={book === undefined ? outer : { book, metadata }}>{children}</NamesContext.Provider>
}
