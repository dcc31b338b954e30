import type { Status } from './live.ts'

/** Another network of the service, and where its page is. */
export interface OtherNetwork {
  readonly network: string
  /** Relative to this page. */
  readonly href: string
}

/** The other networks of the service. They are served under their names, beside the first one. `path`: of this page. */
export const otherNetworks = (known: Status | undefined, path: string): readonly OtherNetwork[] => {
  const up = known !== undefined && path.endsWith(`/${known.network}/`) ? '../' : ''
  return (known?.networks ?? [])
    .filter(({ network }) => network !== known?.network)
    .map(({ network }) => ({ network, href: `${up}${network}/` }))
}
