import { createContext } from 'preact'
import { isRawAddress, SYSTEM } from '../base/address.ts'
import type { Answer } from '../base/types.ts'

/* What the contracts of the system are. Parameter 31 has only their addresses. */

/** Parameters that are the address of one contract, as the name of the parameter says. */
const LAST_ADDRESS = 4
/** The account that pays rewards, and takes the fees of blocks. */
const REWARDS = [SYSTEM, 'Sender of rewards'] as const

/** What contracts are, by their raw addresses, as the other parameters say it. */
export const rolesOf = (params: Answer<'inspectConfig'>['params']): ReadonlyMap<string, string> => {
  const named = params.flatMap(({ param, name, value }) =>
    param >= 0 && param <= LAST_ADDRESS && name !== null && typeof value === 'string' && isRawAddress(value)
      ? [[value, name] as const]
      : [],
  )
  // Of two parameters with the same address the first one counts.
  return new Map([REWARDS, ...named.reverse()])
}

/** The contracts of the view's parameters. */
export const RolesContext = createContext<ReadonlyMap<string, string>>(new Map())
