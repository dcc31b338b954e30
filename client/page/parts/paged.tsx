import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useCall, useRun } from '../base/call.ts'
import { AnswerNames, type Describing } from './answer-names.tsx'
import { Fault, Waiting } from './layout.tsx'
import { AllShown } from './more-rows.tsx'

interface Page extends Describing {
  /** null or undefined on the last page. */
  readonly next_cursor?: string | null | undefined
}

interface PagedProps<P extends Page, T> {
  /** Loads the page at a cursor; '' is the first page. */
  readonly load: (cursor: string, signal?: AbortSignal) => Promise<P>
  readonly rows: (page: P) => readonly T[]
  readonly deps: readonly unknown[]
  /** New blocks reload the first page, until a further page is requested. */
  readonly follow?: boolean
  readonly children: (rows: readonly T[]) => ComponentChildren
}

const namesOf = (pages: readonly Describing[]): Describing => ({
  address_book: Object.assign({}, ...pages.map((page) => page.address_book)),
  ...(pages.every(({ metadata }) => metadata !== undefined) && {
    metadata: Object.assign({}, ...pages.map(({ metadata }) => metadata)),
  }),
})

/** One list that grows page by page: another list needs another key. It uses cursors, so that it stays stable while the chain grows. */
export const Paged = <P extends Page, T>({ load, rows, deps, follow = false, children }: PagedProps<P, T>) => {
  // The first and all further pages, once a further page is loaded. Until then empty: the first page is in `first`, which new blocks may replace.
  const [pages, setPages] = useState<readonly P[]>([])
  const [{ busy, error }, run] = useRun<void>()
  const first = useCall((signal) => load('', signal), deps, follow && pages.length === 0)
  // Once a second page is loaded, the first page is not replaced. A newer first page would leave a gap before the second page.
  const all = pages.length > 0 ? pages : first.data === undefined ? [] : [first.data]
  const next = all.at(-1)?.next_cursor
  const loadMore = async (): Promise<void> => {
    if (next && !busy) await run(async () => setPages([...all, await load(next)]))
  }
  return (
    <>
      {first.error && pages.length === 0 && <Fault error={first.error} again={first.again} />}
      {all.length === 0 && !first.error && <Waiting lines={5} />}
      {all.length > 0 && <AnswerNames of={namesOf(all)}>{children(all.flatMap(rows))}</AnswerNames>}
      {error && <Fault error={error} />}
      {next && (
        <p class="more">
          <button type="button" onClick={loadMore} aria-disabled={busy}>
            {busy ? 'Loading…' : 'Show more'}
          </button>
        </p>
      )}
      {!next && pages.length > 0 && <AllShown count={all.flatMap(rows).length} />}
    </>
  )
}
