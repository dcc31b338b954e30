import type { Status } from './live.ts'

export interface OtherNetwork {
  readonly network: string
  /** URL relative to this page. */
  readonly href: string
}

/** The networks of the service except the present one. The page of each is at a path with the network's name. `path`: path of this page. */
export const otherNetworks = (serviceStatus: Status | undefined, path: string): readonly OtherNetwork[] => {
  const up = serviceStatus !== undefined && path.endsWith(`/${serviceStatus.network}/`) ? '../' : ''
  return (serviceStatus?.networks ?? [])
    .filter(({ network }) => network !== serviceStatus?.network)
    .map(({ network }) => ({ network, href: `${up}${network}/` }))
}
