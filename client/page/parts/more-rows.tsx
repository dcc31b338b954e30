import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { groups } from '../base/format.ts'
import { Table, type TableProps } from './layout.tsx'

/** Replaces the button for more rows once all rows are shown. Takes the focus from the removed button, so that keyboard users keep their position. */
export const AllShown = ({ count }: { readonly count: number }) => {
  const own = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement === document.body) own.current?.focus({ preventScroll: true })
  }, [])
  return (
    <p class="more dim" role="status" tabIndex={-1} ref={own}>
      {`All ${groups(String(count))} are shown.`}
    </p>
  )
}

interface BeginningProps<T> {
  readonly of: readonly T[]
  /** Number of rows that are drawn at first, and the number that each press of the button adds. */
  readonly first: number
  readonly more: number
  readonly children: (rows: readonly T[]) => ComponentChildren
}

/** A long list that is drawn in part, with a button that draws more. Drawing thousands of rows at once would block the browser. */
export const Beginning = <T,>({ of, first, more, children }: BeginningProps<T>) => {
  const [most, setMost] = useState(first)
  const left = of.length - most
  return (
    <>
      {children(of.slice(0, most))}
      {left > 0 && (
        <p class="more">
          <button type="button" onClick={() => setMost(most + more)}>
            {`Show more (${left} left)`}
          </button>
        </p>
      )}
      {left <= 0 && most > first && <AllShown count={of.length} />}
    </>
  )
}

interface LongTableProps<T> extends Omit<TableProps<T>, 'id'>, Omit<BeginningProps<T>, 'children'> {}

export const LongTable = <T,>({ of, first, more, ...table }: LongTableProps<T>) => (
  <Beginning of={of} first={first} more={more}>
    {(shown) => <Table {...table} of={shown} id={(_, i) => String(i)} />}
  </Beginning>
)
