import type { Result } from '../../../shared/registry.ts'
import { yieldToEventLoop } from '../../base/yield.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { configParams } from '../../tlb/config/config-dictionary.ts'
import { readParam } from '../../tlb/config/params.ts'
import type { ValRegistryConfig } from '../../tlb/config/val-registry.ts'
import type { AnswerTexts } from '../answer-texts.ts'

/* inspectConfig: all configuration parameters, decoded. */

type Inspected = Result<'inspectConfig'>['params'][number]

const VALIDATORS = 'Validators of the'
const NAMES: Readonly<Record<number, string>> = {
  0: 'Configuration contract',
  1: 'Elector',
  2: 'Minter of extra currencies',
  3: 'Collector of fees',
  4: 'Root of TON DNS',
  5: 'Burning of fees',
  6: 'Prices of new extra currencies',
  7: 'Extra currencies to mint',
  8: 'Version and capabilities',
  9: 'Parameters that must be set',
  10: 'Critical parameters',
  11: 'Voting on proposals',
  12: 'Workchains',
  13: 'Prices of complaints',
  14: 'Reward for a block',
  15: 'Times of elections',
  16: 'Number of validators',
  17: 'Stakes of validators',
  18: 'Prices of storage',
  19: 'Global id of the network',
  20: 'Gas on the masterchain',
  21: 'Gas on the basechain',
  22: 'Limits of a masterchain block',
  23: 'Limits of a basechain block',
  24: 'Prices of messages on the masterchain',
  25: 'Prices of messages on the basechain',
  28: 'Lifetimes of validator groups',
  29: 'Consensus',
  30: 'Consensus by Simplex',
  31: 'Contracts of the system',
  32: `${VALIDATORS} round before`,
  33: `${VALIDATORS} round before, temporary`,
  34: `${VALIDATORS} current round`,
  35: `${VALIDATORS} current round, temporary`,
  36: `${VALIDATORS} next round`,
  37: `${VALIDATORS} next round, temporary`,
  39: 'Temporary keys of validators',
  40: 'Punishment of validators',
  43: 'Limits of messages and accounts',
  44: 'Suspended accounts',
  45: 'Precompiled contracts',
  46: 'Registry of validators and their collators',
  71: 'Bridge to Ethereum',
  72: 'Bridge to BNB Smart Chain',
  73: 'Bridge to Polygon',
  79: 'Token bridge from Ethereum',
  81: 'Token bridge from BNB Smart Chain',
  82: 'Token bridge from Polygon',
}

const hex = (id: bigint): string => id.toString(16).padStart(64, '0')
const masterchain = (id: Uint8Array | bigint): string =>
  `-1:${(typeof id === 'bigint' ? hex(id) : Buffer.from(id).toString('hex')).toUpperCase()}`

/** Parameters that contain accounts. Each has its own JSON form. */
const SPECIAL: Readonly<Record<number, (value: never) => unknown>> = {
  ...Object.fromEntries([0, 1, 2, 3, 4].map((param) => [param, masterchain])),
  31: (ids: readonly bigint[]) => ids.map(masterchain),
  44: ({ addresses, ...rest }: { addresses: readonly { workchain: number; id: bigint }[] }) => ({
    addresses: addresses.map(({ workchain, id }) => `${workchain}:${hex(id).toUpperCase()}`),
    ...rest,
  }),
  45: (contracts: ReadonlyMap<bigint, bigint>) => [...contracts].map(([hash, gas]) => ({ codeHash: hex(hash), gasUsage: gas })),
  46: ({ contractAddress, ...rest }: ValRegistryConfig) => ({ contractAddress: masterchain(contractAddress), ...rest }),
}

/** The block.tlb name of a field: `gas_price` for `gasPrice`. */
const wireName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Converts a decoded value to JSON: bytes to hex, 64-bit numbers to decimal texts, dictionaries to objects by key. */
const asJson = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), asJson(each)]))
  if (Array.isArray(value)) return value.map(asJson)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(members.map(([name, each]) => [wireName(name), asJson(each)]))
}

/** Null for an unknown parameter, and for a value that does not match block.tlb. */
const decodedValue = (param: number, cell: Cell): unknown => {
  try {
    const value = readParam(param, cell)
    return value === undefined ? null : asJson(SPECIAL[param]?.(value as never) ?? value)
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

/** Decodes all parameters. Yields to the event loop after each, because decoding a validator set takes some milliseconds. */
export const inspectParams = async (config: Cell, texts: AnswerTexts): Promise<Inspected[]> => {
  const found: Inspected[] = []
  for (const [param, cell] of configParams(config)) {
    found.push({ param, name: NAMES[param] ?? null, value: decodedValue(param, cell), boc: await texts.boc(cell) })
    await yieldToEventLoop()
  }
  return found
}
