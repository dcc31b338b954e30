import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { asError, useCall } from '../base/call.ts'
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

/** A list that grows page by page. It uses cursors, so that it stays stable while the chain grows. */
export const Paged = <P extends Page, T>({ load, rows, deps, follow = false, children }: PagedProps<P, T>) => {
  const key = JSON.stringify(deps)
  // The first and all further pages, once a further page is loaded. Until then empty: the first page is in `first`, which new blocks may replace.
  const [more, setMore] = useState<{ key: string; pages: readonly P[] }>({ key, pages: [] })
  const [state, setState] = useState<{ loading: boolean; error?: ReturnType<typeof asError> }>({ loading: false })
  const pages = more.key === key ? more.pages : []
  const first = useCall((signal) => load('', signal), deps, follow && pages.length === 0)
  // Once a second page is loaded, the first page is not replaced. A newer first page would leave a gap before the second page.
  const all = pages.length > 0 ? pages : first.data === undefined ? [] : [first.data]
  useEffect(() => setState({ loading: false }), [key])

  const next = all.at(-1)?.next_cursor
  const loadMore = async (): Promise<void> => {
    if (!next || state.loading) return
    setState({ loading: true })
    try {
      const page = await load(next)
      setMore({ key, pages: [...all, page] })
      setState({ loading: false })
    } catch (thrown) {
      setState({ loading: false, error: asError(thrown) })
    }
  }
  return (
    <>
      {first.error && pages.length === 0 && <Fault error={first.error} again={first.again} />}
      {all.length === 0 && !first.error && <Waiting lines={5} />}
      {all.length > 0 && <AnswerNames of={namesOf(all)}>{children(all.flatMap(rows))}</AnswerNames>}
      {state.error && <Fault error={state.error} />}
      {next && (
        <p class="more">
          <button type="button" onClick={loadMore} aria-disabled={state.loading}>
            {state.loading ? 'Loading…' : 'Show more'}
          </button>
        </p>
      )}
      {!next && pages.length > 0 && <AllShown count={all.flatMap(rows).length} />}
    </>
  )
}
