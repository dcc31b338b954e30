import type { Status } from './live.ts'

/** Another network of the service, and the address of its page. */
export interface OtherNetwork {
  readonly network: string
  /** URL relative to this page. */
  readonly href: string
}

/** The other networks of the service. Their paths are their names, next to the first network. `path`: path of this page. */
export const otherNetworks = (serviceStatus: Status | undefined, path: string): readonly OtherNetwork[] => {
  const up = serviceStatus !== undefined && path.endsWith(`/${serviceStatus.network}/`) ? '../' : ''
  return (serviceStatus?.networks ?? [])
    .filter(({ network }) => network !== serviceStatus?.network)
    .map(({ network }) => ({ network, href: `${up}${network}/` }))
}
