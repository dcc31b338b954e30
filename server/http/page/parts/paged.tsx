import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { asError, useCall } from '../base/call.ts'
import { Fault, Waiting } from './layout.tsx'

/** One page of rows, and where the next one begins. */
export interface Page<T> {
  readonly rows: readonly T[]
  /** null or undefined after the last page. */
  readonly next: string | null | undefined
}

interface PagedProps<T> {
  /** Loads the page at a cursor; '' is the first one. */
  readonly load: (cursor: string, signal?: AbortSignal) => Promise<Page<T>>
  readonly deps: readonly unknown[]
  /** The first page is loaded again when there are new blocks, until a further page was asked for. */
  readonly follow?: boolean
  readonly lines?: number
  readonly children: (rows: readonly T[]) => ComponentChildren
}

/** A list that grows page by page, by cursor, so that it stays stable while the chain grows. */
export const Paged = <T,>({ load, deps, follow = false, lines = 5, children }: PagedProps<T>) => {
  const key = JSON.stringify(deps)
  const [more, setMore] = useState<{ key: string; pages: readonly Page<T>[] }>({ key, pages: [] })
  const [state, setState] = useState<{ loading: boolean; error?: ReturnType<typeof asError> }>({ loading: false })
  const pages = more.key === key ? more.pages : []
  const first = useCall((signal) => load('', signal), deps, follow && pages.length === 0)
  useEffect(() => setState({ loading: false }), [key])

  const all = first.data === undefined ? [] : [first.data, ...pages]
  const next = all.at(-1)?.next
  const loadMore = async (): Promise<void> => {
    if (!next) return
    setState({ loading: true })
    try {
      const page = await load(next)
      setMore({ key, pages: [...pages, page] })
      setState({ loading: false })
    } catch (thrown) {
      setState({ loading: false, error: asError(thrown) })
    }
  }
  return (
    <>
      {first.error && <Fault error={first.error} again={first.again} />}
      {first.data === undefined && !first.error && <Waiting lines={lines} />}
      {first.data !== undefined && children(all.flatMap(({ rows }) => rows))}
      {state.error && <Fault error={state.error} />}
      {next && (
        <p class="more">
          <button type="button" onClick={loadMore} disabled={state.loading}>
            {state.loading ? 'Loading…' : 'Show more'}
          </button>
        </p>
      )}
    </>
  )
}
