import { AssertionError } from 'node:assert'
import { formatRaw, parseAddress } from '../../shared/fields/address.ts'
import { suggest } from '../base/suggest.ts'
import { parseBocRoot } from '../cell/boc.ts'
import { traceText } from './trace-text.ts'
import type { AddressLike, CellLike, Trace, TraceExpectation, TraceTransaction, TransactionFilter } from './types.ts'

export type { AddressLike, CellLike, Trace, TraceExpectation, TraceTransaction, TransactionFilter, Wanted } from './types.ts'

/* Assertions about traces, for any test runner. Names are those of @ton/test-utils. */

type Name = keyof TransactionFilter

/** A field of a transaction: its value, and how a wanted value is written the same way. */
interface Field {
  read(transaction: TraceTransaction): unknown
  normal?(wanted: never): unknown
}

const rawAddress = (wanted: AddressLike | null): string | null => {
  if (wanted === null) return null
  const parsed = parseAddress(typeof wanted === 'string' ? wanted : wanted.toRawString())
  if (parsed === undefined) throw new TypeError(`${String(wanted)} is no address`)
  return formatRaw(parsed, 'lower')
}
const hashOf = (boc: Uint8Array): string => parseBocRoot(boc).hashHex()
const cellHash = (wanted: CellLike): string => hashOf(typeof wanted === 'string' ? Buffer.from(wanted, 'base64') : wanted.toBoc())
const amount = (wanted: bigint | string | null): bigint | null => (wanted === null ? null : BigInt(wanted))

const account: Field = { read: (of) => of.account, normal: rawAddress }
const FIELDS: Readonly<Record<Name, Field>> = {
  from: { read: (of) => of.from, normal: rawAddress },
  to: account,
  on: account,
  value: { read: (of) => amount(of.value), normal: amount },
  op: { read: (of) => of.op },
  body: { read: (of) => of.body, normal: cellHash },
  success: { read: (of) => of.success },
  aborted: { read: (of) => of.aborted },
  destroyed: { read: (of) => of.destroyed },
  deploy: { read: (of) => of.old_status !== 'active' && of.end_status === 'active' },
  exitCode: { read: (of) => of.exit_code },
  actionResultCode: { read: (of) => of.result_code },
  inMessageBounced: { read: (of) => of.bounced },
  inMessageBounceable: { read: (of) => of.bounce },
  outMessagesCount: { read: (of) => of.out_messages },
  oldStatus: { read: (of) => of.old_status },
  endStatus: { read: (of) => of.end_status },
  totalFees: { read: (of) => amount(of.total_fees), normal: amount },
  lt: { read: (of) => amount(of.transaction_id.lt), normal: amount },
  now: { read: (of) => of.now },
}

type Test = (transaction: TraceTransaction) => boolean

const testOf = (name: Name, wanted: unknown): Test => {
  const { read, normal } = FIELDS[name]
  if (typeof wanted === 'function') return (of) => Boolean((wanted as (value: unknown) => unknown)(read(of)))
  const value = normal === undefined ? wanted : normal(wanted as never)
  if (name === 'body') return ({ body }) => body !== '' && cellHash(body) === value
  return (of) => read(of) === value
}

/** Tests for the given names; a name that is not known is an error, because it would match nothing or everything. */
const testsOf = (wanted: TransactionFilter): ReadonlyMap<string, Test> => {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
  for (const [name] of given)
    if (!Object.hasOwn(FIELDS, name)) throw new TypeError(suggest('field of a transaction', name, Object.keys(FIELDS)))
  if (given.length === 0) throw new TypeError(`a transaction is looked for by at least one of ${Object.keys(FIELDS).join(', ')}`)
  return new Map(given.map(([name, value]) => [name, testOf(name as Name, value)]))
}

const shown = (value: unknown): string => {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'object' && value !== null && 'toRawString' in value) return (value as { toRawString(): string }).toRawString()
  if (typeof value === 'object' && value !== null && 'toBoc' in value) return 'a cell'
  return JSON.stringify(value)
}

/** The wanted values, each with whether any transaction has it. */
const wantedText = (wanted: TransactionFilter, tests: ReadonlyMap<string, Test>, transactions: readonly TraceTransaction[]): string =>
  [...tests]
    .map(([name, test]) => `  ${name}: ${shown(wanted[name as Name])}${transactions.some(test) ? '' : '   <- no transaction has this'}`)
    .join('\n')

/** All transactions of a trace that have all of these values. */
export const findTransactions = ({ transactions }: Trace, wanted: TransactionFilter): TraceTransaction[] => {
  const tests = [...testsOf(wanted).values()]
  return transactions.filter((of) => tests.every((test) => test(of)))
}

/**
 * Assertions about a trace of `tonway.record` or of `local.trace`. A failure is an AssertionError whose text shows what was wanted and the tree of the trace, with
 * exit codes in words and the last steps of failed transactions.
 */
export const expectTrace = (trace: Trace): TraceExpectation => {
  const check = (wanted: TransactionFilter, isWanted: boolean): void => {
    const found = findTransactions(trace, wanted)
    if (found.length > 0 === isWanted) return
    const text = wantedText(wanted, testsOf(wanted), trace.transactions)
    const message = `expected the trace ${isWanted ? 'to have' : 'not to have'} a transaction with\n${text}\nit is\n${traceText(trace)}`
    throw new AssertionError({ message, actual: found.length, expected: isWanted ? 'a transaction' : 'none', stackStartFn: expectTrace })
  }
  return {
    toHaveTransaction: (wanted) => check(wanted, true),
    not: { toHaveTransaction: (wanted) => check(wanted, false) },
  }
}
