import type { VNode } from 'preact'
import { useCall } from '../base/call.ts'
import { Loading } from '../parts/layout.tsx'

/** What a part of an account's view shows: an answer about the account. */
export interface PartProps<T> {
  readonly raw: string
  readonly data: T
}

/** A part of an account's view that shows one answer, and shows it again with new blocks. */
export const accountPart =
  <T extends object>(load: (raw: string, signal: AbortSignal) => Promise<T>, View: (props: PartProps<T>) => VNode | null) =>
  ({ of: { raw } }: { readonly of: { readonly raw: string } }) => (
    <Loading of={useCall((signal) => load(raw, signal), [raw], true)}>{(data) => <View raw={raw} data={data} />}</Loading>
  )
