import { EMPTY_CELL, RAW } from '../samples.ts'
import { ADDRESS_FORMS, formatRaw, type ParsedAddress, parseAddress } from './address.ts'
import { decodeBase64 } from './base64.ts'
import { type Field, FieldError, field, quote } from './field.ts'
import { readInteger } from './ints.ts'

/* Parameters of emulate.bundle. */

const MAX_MESSAGES = 16
const MAX_OVERRIDES = 64
const MAX_CURRENCIES = 16
const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const

type Members = Readonly<Record<string, unknown>>

const fail = (text: string, expected?: string): FieldError => new FieldError(text, expected === undefined ? {} : { expected })

/** The items of a list as objects that have no other members than `known`. Members that are null count as absent. */
const itemsOf = (name: string, value: unknown, most: number, known: readonly string[]): readonly Members[] => {
  if (!Array.isArray(value)) throw fail(`${name} is not an array`)
  if (value.length > most) throw fail(`${name} has ${value.length} items, and may have at most ${most}`)
  return value.map((item: unknown, i) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) throw fail(`${name}[${i}] is not an object`)
    const unknown = Object.keys(item).find((key) => !known.includes(key))
    if (unknown !== undefined) throw fail(`${name}[${i}] has an unknown member ${quote(unknown)} (known: ${known.join(', ')})`)
    return Object.fromEntries(Object.entries(item).filter(([, member]) => member !== null && member !== undefined))
  })
}

const bytesIn = (name: string, value: unknown): Uint8Array => {
  const bytes = typeof value === 'string' ? decodeBase64(value) : undefined
  if (bytes === undefined || bytes.length === 0) throw fail(`${name} is not a BoC as standard padded base64`)
  return bytes
}

/** A message of a bundle. */
export interface BundleMessage {
  readonly boc: Uint8Array
  readonly ignoreSignatures: boolean
}
export interface BundleMessageIn {
  readonly boc: string
  readonly ignore_chksig?: boolean
}

const messageOf = ({ boc, ignore_chksig: ignored = false }: Members, i: number): BundleMessage => {
  if (boc === undefined) throw fail(`messages[${i}].boc is required`)
  if (typeof ignored !== 'boolean') throw fail(`messages[${i}].ignore_chksig is not true or false`)
  return { boc: bytesIn(`messages[${i}].boc`, boc), ignoreSignatures: ignored }
}

const bocWire = { type: 'string', contentEncoding: 'base64' } as const

/** The messages of a bundle, in their order. */
export const bundleMessages = (what: string): Field<readonly BundleMessage[], readonly BundleMessageIn[]> =>
  field({
    what,
    example: [{ boc: EMPTY_CELL }],
    expected: `1 to ${MAX_MESSAGES} objects with boc (a message as a BoC) and ignore_chksig (true: the signature checks of its first transaction pass)`,
    wire: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_MESSAGES,
      items: { type: 'object', properties: { boc: bocWire, ignore_chksig: { type: 'boolean' } }, required: ['boc'] },
    },
    read: (value) => {
      const items = itemsOf('messages', value, MAX_MESSAGES, ['boc', 'ignore_chksig'])
      if (items.length === 0) throw fail('messages has no items')
      return items.map(messageOf)
    },
  })

/** The state of an account that an emulation begins with, where it differs from that of the chain. */
export interface AccountOverride {
  readonly address: ParsedAddress
  readonly balance?: bigint
  /** By currency id. */
  readonly extra_currencies?: readonly (readonly [number, bigint])[]
  readonly code?: Uint8Array
  readonly data?: Uint8Array
  readonly status?: (typeof STATUSES)[number]
}
export interface AccountOverrideIn {
  readonly address: string
  readonly balance?: string | number | null
  readonly extra_currencies?: Readonly<Record<string, string | number>> | null
  readonly code?: string | null
  readonly data?: string | null
  readonly status?: (typeof STATUSES)[number] | null
}

const amountIn = (name: string, value: unknown, bits: bigint): bigint => {
  const amount = readInteger(value)
  if (amount === undefined || amount < 0n || amount >= 2n ** bits) throw fail(`${name} is not a whole number from 0 to 2^${bits} - 1`)
  return amount
}

const currenciesIn = (name: string, value: unknown): readonly (readonly [number, bigint])[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fail(`${name} is not an object`)
  const entries = Object.entries(value)
  if (entries.length > MAX_CURRENCIES) throw fail(`${name} has ${entries.length} currencies, and may have at most ${MAX_CURRENCIES}`)
  return entries.flatMap(([id, text]) => {
    if (!/^(0|[1-9]\d{0,9})$/.test(id) || Number(id) > 0xffff_ffff)
      throw fail(`${name} has ${quote(id)}, which is not the number of a currency`)
    const amount = amountIn(`${name}[${id}]`, text, 248n)
    return amount === 0n ? [] : [[Number(id), amount] as const]
  })
}

/** Throws for members that do not go together. */
const checkStatus = (name: string, { status, code, data, balance, extra_currencies: extra }: AccountOverride): void => {
  if (status === 'nonexist' && [code, data, balance, extra].some((member) => member !== undefined))
    throw fail(`${name}.status is nonexist, so the account has no balance, extra_currencies, code or data`)
  if (status === 'uninit' && (code !== undefined || data !== undefined))
    throw fail(`${name}.status is uninit, so the account has no code or data`)
  if ([status, code, data, balance, extra].every((member) => member === undefined))
    throw fail(`${name} changes nothing: at least one of balance, extra_currencies, code, data, status should be specified`)
}

const MEMBERS = ['address', 'balance', 'extra_currencies', 'code', 'data', 'status']

const overrideOf = (item: Members, i: number): AccountOverride => {
  const name = `overrides[${i}]`
  const { balance, extra_currencies: extra, code, data } = item
  const address = typeof item['address'] === 'string' ? parseAddress(item['address']) : undefined
  if (address === undefined) throw fail(`${name}.address is not an address`, ADDRESS_FORMS)
  const status = STATUSES.find((each) => each === item['status'])
  if (item['status'] !== undefined && status === undefined) throw fail(`${name}.status is not one of ${STATUSES.join(', ')}`)
  const override = {
    address,
    ...(balance !== undefined && { balance: amountIn(`${name}.balance`, balance, 120n) }),
    ...(extra !== undefined && { extra_currencies: currenciesIn(`${name}.extra_currencies`, extra) }),
    ...(code !== undefined && { code: bytesIn(`${name}.code`, code) }),
    ...(data !== undefined && { data: bytesIn(`${name}.data`, data) }),
    ...(status && { status }),
  }
  checkStatus(name, override)
  return override
}

const integerWire = {
  oneOf: [
    { type: 'string', pattern: '^[0-9]+$' },
    { type: 'integer', minimum: 0 },
  ],
} as const

/** States of accounts in place of those that the chain has. */
export const accountOverrides = (what: string): Field<readonly AccountOverride[], readonly AccountOverrideIn[]> =>
  field({
    what,
    example: [{ address: RAW, balance: '5000000000' }],
    expected: `at most ${MAX_OVERRIDES} objects with address and at least one of balance (nanograms), extra_currencies (amounts by number of the currency), code, data (BoCs), status (${STATUSES.join(', ')})`,
    wire: {
      type: 'array',
      maxItems: MAX_OVERRIDES,
      items: {
        type: 'object',
        properties: {
          address: { type: 'string' },
          balance: integerWire,
          extra_currencies: { type: 'object', additionalProperties: integerWire },
          code: bocWire,
          data: bocWire,
          status: { enum: [...STATUSES] },
        },
        required: ['address'],
      },
    },
    read: (value) => {
      const overrides = itemsOf('overrides', value, MAX_OVERRIDES, MEMBERS).map(overrideOf)
      const first = new Map<string, number>()
      for (const [i, { address }] of overrides.entries()) {
        const raw = formatRaw(address, 'upper')
        const before = first.get(raw)
        if (before !== undefined) throw fail(`overrides[${i}].address is that of overrides[${before}]: each account has one override`)
        first.set(raw, i)
      }
      return overrides
    },
  })
