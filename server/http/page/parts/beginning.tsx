import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface BeginningProps<T> {
  readonly of: readonly T[]
  /** Rows that are drawn at first, and with each press of the button. */
  readonly first: number
  readonly more: number
  readonly children: (rows: readonly T[]) => ComponentChildren
}

/** The beginning of a long list that is all there, with a button that draws more of it: a browser takes long over thousands of rows. */
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
