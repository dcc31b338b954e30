import { AssertionError } from 'node:assert'
import { stripVTControlCharacters } from 'node:util'
import { formatFriendly, formatRaw, parseAddress } from '../../shared/fields/address.ts'
import { suggest } from '../base/suggest.ts'
import { parseBocRoot } from '../cell/boc.ts'
import { localTraceLines } from '../cli/ask/local-trace.ts'
import { shown as shownAddress } from '../cli/ask/trace.ts'
import type { Trace, TraceExpectation, TraceTransaction, TransactionFilter } from './types.ts'

export type { AddressLike, CellLike, Expected as Wanted, Trace, TraceExpectation, TraceTransaction, TransactionFilter } from './types.ts'

/* Assertions about traces, for any test runner. Their names are those of @ton/test-utils. */

const MAX_CHARACTERS = 20_000

const traceText = (trace: Trace): string => {
  const text = stripVTControlCharacters(localTraceLines(trace).join('\n'))
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n...` : text
}

type Name = keyof TransactionFilter

const STATUSES: readonly TraceTransaction['old_status'][] = ['uninit', 'frozen', 'active', 'nonexist']

/**
 * A type of field values. `words`: its description. `normal`: converts an expected value to the form in transactions; returns undefined if the value is not
 * of this type.
 */
interface Kind {
  readonly words: string
  normal(expected: unknown): unknown
}
interface Field extends Kind {
  read(transaction: TraceTransaction): unknown
}

const hashOf = (boc: Uint8Array): string => parseBocRoot(boc).hashHex()
const hashOfBody = (boc: string): string => hashOf(Buffer.from(boc, 'base64'))
const amount = (digits: string | null): bigint | null => (digits === null ? null : BigInt(digits))
const hasMember = <K extends string>(value: unknown, name: K): value is { readonly [name in K]: () => unknown } =>
  typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function'

const ADDRESS: Kind = {
  words: 'address',
  normal(expected) {
    const parsed = parseAddress(String(hasMember(expected, 'toRawString') ? expected.toRawString() : expected))
    return parsed && formatRaw(parsed, 'lower')
  },
}
const CELL: Kind = {
  words: 'cell',
  normal(expected) {
    const boc = hasMember(expected, 'toBoc') ? expected.toBoc() : typeof expected === 'string' ? Buffer.from(expected, 'base64') : undefined
    if (boc === undefined) return undefined
    try {
      return hashOf(boc as Uint8Array)
    } catch {
      return undefined
    }
  },
}
const AMOUNT: Kind = {
  words: 'amount: a bigint, or decimal digits',
  normal: (expected) =>
    typeof expected === 'bigint' || (typeof expected === 'string' && /^\d+$/.test(expected)) ? BigInt(expected) : undefined,
}
const NUMBER: Kind = { words: 'integer', normal: (expected) => (Number.isInteger(expected) ? expected : undefined) }
const FLAG: Kind = { words: 'boolean', normal: (expected) => (typeof expected === 'boolean' ? expected : undefined) }
const STATUS: Kind = {
  words: `status: ${STATUSES.join(', ')}`,
  normal: (expected) => STATUSES.find((status) => status === expected),
}
const orNull = ({ words, normal }: Kind): Kind => ({
  words: `${words}, or null`,
  normal: (expected) => (expected === null ? null : normal(expected)),
})

const account: Field = { ...ADDRESS, read: (of) => of.account }
const FIELDS: Readonly<Record<Name, Field>> = {
  from: { ...orNull(ADDRESS), read: (of) => of.from },
  to: account,
  on: account,
  value: { ...orNull(AMOUNT), read: (of) => amount(of.value) },
  op: { ...orNull(NUMBER), read: (of) => of.op },
  body: { ...CELL, read: (of) => of.body },
  success: { ...FLAG, read: (of) => of.success },
  aborted: { ...FLAG, read: (of) => of.aborted },
  destroyed: { ...FLAG, read: (of) => of.destroyed },
  deploy: { ...FLAG, read: (of) => of.old_status !== 'active' && of.end_status === 'active' },
  exitCode: { ...orNull(NUMBER), read: (of) => of.exit_code },
  actionResultCode: { ...orNull(NUMBER), read: (of) => of.result_code },
  inMessageBounced: { ...FLAG, read: (of) => of.bounced },
  inMessageBounceable: { ...FLAG, read: (of) => of.bounce },
  outMessagesCount: { ...NUMBER, read: (of) => of.out_messages },
  oldStatus: { ...STATUS, read: (of) => of.old_status },
  endStatus: { ...STATUS, read: (of) => of.end_status },
  totalFees: { ...AMOUNT, read: (of) => amount(of.total_fees) },
  lt: { ...AMOUNT, read: (of) => amount(of.transaction_id.lt) },
  now: { ...NUMBER, read: (of) => of.now },
}

const shown = (value: unknown): string => {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return value.toString()
  if (hasMember(value, 'toRawString')) return shownAddress(String(value.toRawString()), {})
  if (typeof value === 'object' && value !== null && 'toBoc' in value) return 'a cell'
  return JSON.stringify(value)
}

const shownAs = (name: Name, value: unknown, book: Trace['address_book']): string => {
  const { normal } = FIELDS[name]
  if (typeof value === 'function' || value === null) return shown(value)
  if (name === 'op') return `0x${Number(value).toString(16).padStart(8, '0')}`
  if (!['from', 'to', 'on'].includes(name)) return shown(value)
  const raw = String(normal(value))
  // The trace does not show whether an account outside it is a wallet, so the given friendly form is used.
  const given = book[raw] === undefined && typeof value === 'string' && !value.includes(':') ? parseAddress(value) : undefined
  return given === undefined ? shownAddress(raw, book) : formatFriendly(given, { bounceable: given.bounceable })
}

const testOf = (name: Name, expected: unknown): ((transaction: TraceTransaction) => boolean) => {
  const { read, normal, words } = FIELDS[name]
  if (typeof expected === 'function') return (of) => Boolean((expected as (value: unknown) => unknown)(read(of)))
  const value = normal(expected)
  if (value === undefined) throw new TypeError(`${name}: ${shown(expected)} is not valid; expected: ${words}`)
  if (name === 'body') return ({ body }) => body !== '' && hashOfBody(body) === value
  return (of) => read(of) === value
}

/** Throws for an unknown name and for the value undefined, because such a test would match nothing or everything. */
const testsOf = (filter: TransactionFilter) => {
  const given = Object.entries(filter)
  for (const [name, value] of given) {
    if (!Object.hasOwn(FIELDS, name)) throw new TypeError(suggest('field of a transaction', name, Object.keys(FIELDS)))
    if (value === undefined) throw new TypeError(`${name} is undefined: leave it out if it may be anything`)
  }
  if (given.length === 0) throw new TypeError(`a transaction is looked for by at least one of ${Object.keys(FIELDS).join(', ')}`)
  return (given as [Name, unknown][]).map(([name, value]) => ({ name, value, test: testOf(name, value) }))
}

export const findTransactions = (trace: Trace, filter: TransactionFilter): TraceTransaction[] => {
  // Without type checking, a test may omit `await` or pass only the list of transactions.
  if (!Array.isArray(trace?.transactions)) throw new TypeError('this is not a trace; pass the whole value of `await tonway.record(...)`')
  const tests = testsOf(filter)
  return trace.transactions.filter((of) => tests.every(({ test }) => test(of)))
}

/**
 * Assertions about a trace of `tonway.record` or of `local.trace`. A failure is an AssertionError. Its message shows the expected values and the tree of
 * the trace, with explanations of exit codes and the last steps of failed transactions.
 */
export const expectTrace = (trace: Trace): TraceExpectation => {
  /** The stack of the error begins with the caller of `assertion`, so that test runners show that line. */
  const check = (filter: TransactionFilter, isExpected: boolean, assertion: TraceExpectation['toHaveTransaction']): void => {
    const found = findTransactions(trace, filter)
    if (found.length > 0 === isExpected) {
      if (isExpected || (trace.complete && !trace.truncated)) return
      const message = `the trace is not whole, so nothing can be said of what it does not have; it is\n${traceText(trace)}`
      throw new AssertionError({ message, stackStartFn: assertion })
    }
    const { transactions, address_book } = trace
    const lines = testsOf(filter).map(({ name, value, test }) => {
      const note = transactions.some(test) ? '' : '   <- no transaction has this'
      return `  ${name}: ${shownAs(name, value, address_book)}${note}\n`
    })
    const message = `expected the trace ${isExpected ? 'to have' : 'not to have'} a transaction with\n${lines.join('')}it is\n${traceText(trace)}`
    // Without the members `actual` and `expected`, test runners print this message alone. Otherwise they would also print a comparison of the two values,
    // which does not help.
    throw new AssertionError({ message, stackStartFn: assertion })
  }
  const toHaveTransaction = (filter: TransactionFilter): void => check(filter, true, toHaveTransaction)
  const notToHaveTransaction = (filter: TransactionFilter): void => check(filter, false, notToHaveTransaction)
  return { toHaveTransaction, not: { toHaveTransaction: notToHaveTransaction } }
}
