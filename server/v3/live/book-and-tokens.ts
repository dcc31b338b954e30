import { mapWithPauses } from '../../base/yield.ts'
import type { EmulatedAccount } from '../../book/emulated-accounts.ts'
import type { BookAndTokens, EventQuery, LiveEvent } from '../../live/events.ts'
import type { View } from '../../store/queries/view.ts'
import { keyOfRaw } from '../../store/row-keys.ts'
import { MAX_METADATA, readBookAndTokens } from '../answer/book-and-tokens.ts'

function* namedBy({ body }: LiveEvent): Generator<string> {
  if (body.type === 'account_state_change') yield body.account
  else if (body.type === 'jettons_change') yield* [body.wallet, body.owner, body.jetton]
  else if (body.type === 'transactions') for (const { named } of body.transactions) yield* named
  else if (body.type === 'actions') for (const { named } of body.actions) yield* named
  else if (body.type === 'trace') {
    yield* body.named
    for (const { named } of body.actions) yield* named
  }
}

/** Leaves out the metadata of accounts that does not fit: emulated accounts have contents that are not in the index. */
const withinBound = async (tokens: Readonly<Record<string, object>>): Promise<Record<string, object>> => {
  const fitting: Record<string, object> = {}
  let left = MAX_METADATA
  await mapWithPauses(Object.entries(tokens), ([name, token]) => {
    const { length } = JSON.stringify(token)
    if (length > left) return
    left -= length
    fitting[name] = token
  })
  return fitting
}

/** Reads the address book and the metadata of all accounts in the events, if the query requests them. */
export const bookAndTokensOfEvents = async (
  view: View,
  events: readonly LiveEvent[],
  query: Pick<EventQuery, 'book' | 'metadata'>,
  want?: (token: Buffer) => void,
): Promise<BookAndTokens> => {
  if (events.length === 0 || !(query.book || query.metadata)) return { book: {}, tokens: {} }
  const names = new Set<string>()
  await mapWithPauses(events, (event) => {
    for (const name of namedBy(event)) names.add(name)
  })
  const emulated: Record<string, EmulatedAccount> = Object.assign({}, ...events.map((event) => event.emulated ?? {}))
  const named = { accounts: await mapWithPauses(names, keyOfRaw), emulated: Object.keys(emulated).length > 0 ? emulated : undefined }
  const { book, tokens } = await readBookAndTokens(view, named, { ...query, want, maxBytes: MAX_METADATA })
  return { book, tokens: await withinBound(tokens) }
}
