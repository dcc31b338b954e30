import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface BeginningProps<T> {
  readonly of: readonly T[]
  /** Rows that are drawn at first, and added by each press of the button. */
  readonly first: number
  readonly more: number
  readonly children: (rows: readonly T[]) => ComponentChildren
}

/** The beginning of a long list, with a button that draws more of it: thousands of rows would take a browser long. */
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
    </>
  )
}
