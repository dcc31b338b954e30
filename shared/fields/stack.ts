import { decodeBase64 } from './base64.ts'
import { type Field, FieldError, field } from './field.ts'

/** An argument of a get-method as a handler receives it. `boc`: the bytes of a BoC that is not validated yet. */
export type StackArgument =
  | { readonly type: 'num'; readonly value: bigint }
  | { readonly type: 'cell' | 'slice'; readonly boc: Uint8Array }
  | { readonly type: 'tuple' | 'list'; readonly items: readonly StackArgument[] }

/** tonlib's limits for an input stack. */
const MAX_ENTRIES = 8000
const MAX_DEPTH = 1024

const NUMBER = /^(-?)(0x[0-9a-fA-F]+|\d+)$/i
const MIN_INT257 = -(2n ** 256n)
const MAX_INT257 = 2n ** 256n - 1n

/** Parses a 257-bit integer from a decimal, 0x or -0x text of at most 255 characters; undefined for other texts. */
export const parseInt257 = (text: string): bigint | undefined => {
  const match = text.length <= 255 ? NUMBER.exec(text) : null
  if (match === null) return undefined
  const value = BigInt(match[2]!.toLowerCase()) * (match[1] === '-' ? -1n : 1n)
  return value >= MIN_INT257 && value <= MAX_INT257 ? value : undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads an object's own member. Inherited names such as `constructor` must not be found, and JSON can contain `__proto__`. */
const member = (value: unknown, name: string): unknown => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined)

const boc = (value: unknown, invalid: string, empty: string): Uint8Array => {
  const bytes = typeof value === 'string' ? decodeBase64(value) : undefined
  if (bytes === undefined) throw new FieldError(invalid)
  if (bytes.length === 0) throw new FieldError(empty)
  return bytes
}

interface Budget {
  left: number
}
const spend = (budget: Budget, depth: number): void => {
  if (--budget.left < 0) throw new FieldError(`Stack holds more than ${MAX_ENTRIES} entries`)
  if (depth > MAX_DEPTH) throw new FieldError(`Stack is nested deeper than ${MAX_DEPTH}`)
}

const readElements = (value: unknown, tag: string, budget: Budget, depth: number): readonly StackArgument[] => {
  const elements = member(value, 'elements')
  if (member(value, '@type') !== tag || !Array.isArray(elements))
    throw new FieldError(`Invalid ${tag.slice(4)}, object of type ${tag} with array elements expected`)
  return elements.map((element) => readStd(element, budget, depth + 1))
}

const readStd = (entry: unknown, budget: Budget, depth: number): StackArgument => {
  spend(budget, depth)
  const tag = member(entry, '@type')
  const inner = (name: string, type: string): unknown => {
    const value = member(entry, name)
    if (member(value, '@type') !== type) throw new FieldError(`Invalid ${String(tag)}, ${name} of type ${type} expected`)
    return value
  }
  switch (tag) {
    case 'tvm.stackEntryNumber': {
      const text = member(inner('number', 'tvm.numberDecimal'), 'number')
      const value = typeof text === 'string' ? parseInt257(text) : undefined
      if (value === undefined) throw new FieldError(`Invalid number: ${shown(text)}`)
      return { type: 'num', value }
    }
    case 'tvm.stackEntryCell':
    case 'tvm.stackEntrySlice': {
      const type = tag === 'tvm.stackEntryCell' ? 'cell' : 'slice'
      const bytes = member(inner(type, `tvm.${type}`), 'bytes')
      return { type, boc: boc(bytes, `Invalid tvm.${type}, base64 bytes expected`, `Empty tvm.${type}`) }
    }
    case 'tvm.stackEntryTuple':
      return { type: 'tuple', items: readElements(inner('tuple', 'tvm.tuple'), 'tvm.tuple', budget, depth) }
    case 'tvm.stackEntryList':
      return { type: 'list', items: readElements(inner('list', 'tvm.list'), 'tvm.list', budget, depth) }
    case 'tvm.stackEntryUnsupported':
      throw new FieldError(`Unsupported stack entry type: ${tag}`, { kind: 'CHAIN' })
    default:
      throw new FieldError('Invalid stack entry, object with @type tvm.stackEntry* expected')
  }
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, 100)

const readNumber = (value: unknown): bigint => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return BigInt(value)
    throw new FieldError('Wrong type of number in stack entry')
  }
  if (typeof value !== 'string') throw new FieldError('Wrong type of number in stack entry')
  const number = parseInt257(value)
  if (number === undefined) throw new FieldError(`Invalid number: ${shown(value)}`)
  return number
}

const readLegacy = (entry: unknown, budget: Budget): StackArgument => {
  spend(budget, 0)
  if (!Array.isArray(entry)) throw new FieldError('Invalid stack entry format: array of exact 2 elements expected')
  if (entry.length !== 2) throw new FieldError(`Expected 2 elements in stack entry, got: ${entry.length}`)
  const [type, value]: readonly unknown[] = entry
  if (typeof type !== 'string') throw new FieldError('Expected string as first element in stack entry')
  switch (type) {
    case 'num':
    case 'number':
    case 'int':
    case 'integer':
      return { type: 'num', value: readNumber(value) }
    case 'tvm.Cell':
    case 'tvm.Slice':
      return { type: type === 'tvm.Cell' ? 'cell' : 'slice', boc: boc(value, `Invalid ${type}, base64 string expected`, `Empty ${type}`) }
    case 'cell':
    case 'slice':
      return { type, boc: boc(member(value, 'bytes'), `Invalid ${type}, object with field bytes expected`, `Empty ${type}`) }
    case 'tuple':
    case 'tvm.Tuple':
      return { type: 'tuple', items: readElements(value, 'tvm.tuple', budget, 0) }
    case 'list':
    case 'tvm.List':
      return { type: 'list', items: readElements(value, 'tvm.list', budget, 0) }
    default:
      throw new FieldError(`Unsupported stack entry type: ${shown(type)}`, { kind: 'UNSUPPORTED_STACK' })
  }
}

export type StdStackEntryIn =
  | { readonly '@type': 'tvm.stackEntryNumber'; readonly number: { readonly '@type': 'tvm.numberDecimal'; readonly number: string } }
  | { readonly '@type': 'tvm.stackEntryCell'; readonly cell: { readonly '@type': 'tvm.cell'; readonly bytes: string } }
  | { readonly '@type': 'tvm.stackEntrySlice'; readonly slice: { readonly '@type': 'tvm.slice'; readonly bytes: string } }
  | { readonly '@type': 'tvm.stackEntryTuple'; readonly tuple: StdTupleIn }
  | { readonly '@type': 'tvm.stackEntryList'; readonly list: StdListIn }
export interface StdTupleIn {
  readonly '@type': 'tvm.tuple'
  readonly elements: readonly StdStackEntryIn[]
}
export interface StdListIn {
  readonly '@type': 'tvm.list'
  readonly elements: readonly StdStackEntryIn[]
}
export type LegacyStackEntryIn =
  | readonly ['num' | 'number' | 'int' | 'integer', string | number | bigint]
  | readonly ['tvm.Cell' | 'tvm.Slice', string]
  | readonly ['cell' | 'slice', { readonly bytes: string }]
  | readonly ['tuple' | 'tvm.Tuple', StdTupleIn]
  | readonly ['list' | 'tvm.List', StdListIn]

/** Adds the index of the entry to the text of a FieldError that `read` throws. */
const naming = <T>(i: number, expected: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    throw new FieldError(error.say, { stage: error.stage, kind: error.kind, expected: `${expected}; entry ${i} is none` })
  }
}

const stack = <In>(
  read: (entry: unknown, budget: Budget) => StackArgument,
  { what, example, expected, items }: { what: string; example: unknown; expected: string; items: object },
): Field<readonly StackArgument[], readonly In[]> =>
  field({
    what,
    example,
    expected,
    wire: { type: 'array', items },
    missing: 'Stack should be array',
    read: (value) => {
      if (!Array.isArray(value)) throw new FieldError('Stack should be array')
      const budget = { left: MAX_ENTRIES }
      return value.map((entry, i) => naming(i, expected, () => read(entry, budget)))
    },
  })

/** Arguments as [type, value] pairs. The first is pushed first. */
export const legacyStack = (what: string) =>
  stack<LegacyStackEntryIn>(readLegacy, {
    what,
    example: [['num', '0x1f']],
    expected: 'an array of [type, value] pairs with types num, tvm.Cell, tvm.Slice, cell, slice, tuple, list',
    items: { $ref: '#/components/schemas/LegacyStackArgument' },
  })

/** Arguments as typed objects. The first is pushed first. */
export const stdStack = (what: string) =>
  stack<StdStackEntryIn>((entry, budget) => readStd(entry, budget, 0), {
    what,
    example: [{ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '31' } }],
    expected: 'an array of tvm.stackEntry* objects',
    items: { $ref: '#/components/schemas/StackEntry' },
  })
