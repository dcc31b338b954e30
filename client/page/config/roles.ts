import { createContext } from 'preact'
import { isRawAddress, SYSTEM } from '../base/address.ts'
import type { Answer } from '../base/types.ts'

/* The roles of the system contracts. Parameter 31 contains only their addresses; the roles follow from the parameters that name these addresses. */

/** Each parameter up to this one contains the address of one contract. The name of the parameter is the contract's role. */
const LAST_ADDRESS = 4
const REWARDS = [SYSTEM, 'Sender of rewards'] as const

/** Roles of contracts by raw address, from the parameters up to `LAST_ADDRESS`. */
export const rolesOf = (params: Answer<'inspectConfig'>['params']): ReadonlyMap<string, string> => {
  const named = params.flatMap(({ param, name, value }) =>
    param >= 0 && param <= LAST_ADDRESS && name !== null && typeof value === 'string' && isRawAddress(value)
      ? [[value, name] as const]
      : [],
  )
  // If two parameters have the same address, the first one names the role.
  return new Map([REWARDS, ...named.reverse()])
}

/** Roles of system contracts by raw address (`rolesOf`), for the configuration that the view shows. */
export const RolesContext = createContext<ReadonlyMap<string, string>>(new Map())
