import type { ComponentChildren } from 'preact'
import { Hash } from '../parts/values.tsx'

/** What a form says after its call, with what it made. */
export const made = (what: string, children: ComponentChildren) => (
  <>
    {what} {children}
  </>
)

export const withTransaction = (what: string, hash: string) => made(what, <Hash of={hash} to="tx" />)
