import { createContext } from 'preact'
import { isRawAddress, SYSTEM } from '../base/address.ts'
import type { Answer } from '../base/types.ts'

/* The roles of the system contracts. Parameter 31 contains only their addresses; the roles follow from other parameters. */

/** Parameters up to this one contain the address of one contract. The name of the parameter is the contract's role. */
const LAST_ADDRESS = 4
/** The account that pays rewards and collects the fees of blocks. */
const REWARDS = [SYSTEM, 'Sender of rewards'] as const

/** Roles of contracts by their raw addresses, from the parameters up to `LAST_ADDRESS`. */
export const rolesOf = (params: Answer<'inspectConfig'>['params']): ReadonlyMap<string, string> => {
  const named = params.flatMap(({ param, name, value }) =>
    param >= 0 && param <= LAST_ADDRESS && name !== null && typeof value === 'string' && isRawAddress(value)
      ? [[value, name] as const]
      : [],
  )
  // If two parameters have the same address, the first one names the role.
  return new Map([REWARDS, ...named.reverse()])
}

/** The roles of the contracts in the view's parameters. */
export const RolesContext = createContext<ReadonlyMap<string, string>>(new Map())
