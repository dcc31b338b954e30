import type { Status } from './live.ts'

export interface OtherNetwork {
  readonly network: string
  /** URL relative to this page. */
  readonly href: string
}

/** Their paths are their names, next to the first network. `path`: path of this page. */
export const otherNetworks = (serviceStatus: Status | undefined, path: string): readonly OtherNetwork[] => {
  const up = serviceStatus !== undefined && path.endsWith(`/${serviceStatus.network}/`) ? '../' : ''
  return (serviceStatus?.networks ?? [])
    .filter(({ network }) => network !== serviceStatus?.network)
    .map(({ network }) => ({ network, href: `${up}${network}/` }))
}
