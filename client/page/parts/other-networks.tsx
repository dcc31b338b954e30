import type { ComponentChildren } from 'preact'
import { status } from '../base/live.ts'
import { useStore } from '../base/store.ts'

interface Props {
  /** The view that each link leads to; '' for the overview. */
  readonly view?: string
  readonly children: ComponentChildren
}

/** Links to the other networks of the service after a text; nothing if there are none. The page of each is at a path with the network's name. */
export const OtherNetworks = ({ view = '', children }: Props) => {
  const { network: own, networks } = useStore(status) ?? { networks: [] }
  const others = networks.filter(({ network }) => network !== own)
  const up = location.pathname.endsWith(`/${own}/`) ? '../' : ''
  if (others.length === 0) return null
  return (
    <>
      {children}{' '}
      {others.map(({ network }) => (
        <a key={network} href={`${up}${network}/${view}`}>
          {network}{' '}
        </a>
      ))}
    </>
  )
}
