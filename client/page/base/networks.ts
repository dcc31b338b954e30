import type { Status } from './live.ts'

/** Another network of the service, and where its page is. */
export interface OtherNetwork {
  readonly network: string
  /** Relative to this page. */
  readonly href: string
}

/** The other networks of the service. They are served under their names, beside the first one. `path`: of this page. */
export const otherNetworks = (serviceStatus: Status | undefined, path: string): readonly OtherNetwork[] => {
  const up = serviceStatus !== undefined && path.endsWith(`/${serviceStatus.network}/`) ? '../' : ''
  return (serviceStatus?.networks ?? [])
    .filter(({ network }) => network !== serviceStatus?.network)
    .map(({ network }) => ({ network, href: `${up}${network}/` }))
}
