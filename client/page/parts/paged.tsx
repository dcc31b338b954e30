import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { asError, useCall } from '../base/call.ts'
import { Fault, Waiting } from './layout.tsx'
import { AllShown } from './more-rows.tsx'

interface Page<T> {
  readonly rows: readonly T[]
  /** null or undefined on the last page. */
  readonly next: string | null | undefined
}

/** Loads the page at a cursor; '' is the first page. */
export type Load<T> = (cursor: string, signal?: AbortSignal) => Promise<Page<T>>

interface PagedProps<T> {
  readonly load: Load<T>
  readonly deps: readonly unknown[]
  /** New blocks reload the first page, until a further page is requested. */
  readonly follow?: boolean
  readonly lines?: number
  readonly children: (rows: readonly T[]) => ComponentChildren
}

/** A list that grows page by page. It uses cursors, so that it stays stable while the chain grows. */
export const Paged = <T,>({ load, deps, follow = false, lines = 5, children }: PagedProps<T>) => {
  const key = JSON.stringify(deps)
  // The first and all further pages, once a further page is loaded. Until then empty: the first page is in `first`, which new blocks may replace.
  const [more, setMore] = useState<{ key: string; pages: readonly Page<T>[] }>({ key, pages: [] })
  const [state, setState] = useState<{ loading: boolean; error?: ReturnType<typeof asError> }>({ loading: false })
  const pages = more.key === key ? more.pages : []
  const first = useCall((signal) => load('', signal), deps, follow && pages.length === 0)
  // Once a second page is loaded, the first page is not replaced. A newer first page would leave a gap before the second page.
  const all = pages.length > 0 ? pages : first.data === undefined ? [] : [first.data]
  useEffect(() => setState({ loading: false }), [key])

  const next = all.at(-1)?.next
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
      {all.length === 0 && !first.error && <Waiting lines={lines} />}
      {all.length > 0 && children(all.flatMap(({ rows }) => rows))}
      {state.error && <Fault error={state.error} />}
      {next && (
        <p class="more">
          <button type="button" onClick={loadMore} aria-disabled={state.loading}>
            {state.loading ? 'Loading…' : 'Show more'}
          </button>
        </p>
      )}
      {!next && pages.length > 0 && <AllShown count={all.reduce((sum, { rows }) => sum + rows.length, 0)} />}
    </>
  )
}
