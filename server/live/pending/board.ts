import { createGroups } from '../../base/memory/multi-map.ts'
import type { PendingNews, PublishedTrace } from './published-trace.ts'

/* The pending traces that endpoints and events read. */

export interface Posted {
  readonly hash: string
  readonly hashNorm: string
  readonly accounts: readonly string[]
  /** Length of the uncompressed JSON, in characters. */
  readonly characters: number
  /** The compressed PublishedTrace; `unpack` reads it. */
  readonly packed: Buffer
  /** Seqno of the masterchain block by which all transactions of the trace are in blocks. undefined until then. */
  readonly committedAt: number | undefined
}

/** `published`: the uncompressed trace. Only the process that made the trace passes it. */
type NewsListener = (news: PendingNews, published?: PublishedTrace) => void

export interface PendingBoard {
  /** `published`: the uncompressed trace, if the caller has it. It is passed to listeners and not stored. */
  take(news: PendingNews, published?: PublishedTrace): void
  /** Traces that touch an account (raw address in upper case), newest first. */
  ofAccount(account: string): readonly Posted[]
  /** The trace of a message, by its hash or its normalized hash (base64). */
  ofMessage(hash: string): Posted | undefined
  size(): number
  bytes(): number
  /** Calls `listener` for each later change. Returns a function that removes the listener. */
  onNews(listener: NewsListener): () => void
}

export const createBoard = (): PendingBoard => {
  const posted = new Map<string, Posted>()
  const norms = new Map<string, string>()
  const byAccount = createGroups<string>()
  const listeners = new Set<NewsListener>()
  let bytes = 0

  const remove = (hashNorm: string): boolean => {
    const entry = posted.get(hashNorm)
    if (entry === undefined) return false
    posted.delete(hashNorm)
    if (norms.get(entry.hash) === hashNorm) norms.delete(entry.hash)
    for (const account of entry.accounts) byAccount.delete(account, hashNorm)
    bytes -= entry.packed.length
    return true
  }
  const put = ({ hash, hashNorm, accounts, characters, packed }: PendingNews & { readonly kind: 'trace' }): void => {
    const committedAt = posted.get(hashNorm)?.committedAt
    remove(hashNorm)
    posted.set(hashNorm, { hash, hashNorm, accounts, characters, packed, committedAt })
    norms.set(hash, hashNorm)
    for (const account of accounts) byAccount.add(account, hashNorm)
    bytes += packed.length
  }
  const apply = (news: PendingNews): boolean => {
    const entry = posted.get(news.hashNorm)
    if (news.kind === 'trace') {
      if (entry?.packed.equals(news.packed)) return false
      put(news)
      return true
    }
    if (news.kind === 'gone') return remove(news.hashNorm)
    if (entry !== undefined) posted.set(news.hashNorm, { ...entry, committedAt: news.seqno })
    return entry !== undefined
  }

  return {
    take(news, published) {
      if (apply(news)) for (const listener of listeners) listener(news, published)
    },
    ofAccount: (account) =>
      byAccount
        .of(account)
        .flatMap((hash) => posted.get(hash) ?? [])
        .reverse(),
    ofMessage: (hash) => posted.get(hash) ?? posted.get(norms.get(hash) ?? ''),
    size: () => posted.size,
    bytes: () => bytes,
    onNews(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
