import type { Facts } from '../../server/actions/facts.ts'
import type { AccountStatusName, Address, Trace, TraceMessage, TraceTransaction } from '../../server/actions/trace.ts'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { opcodeOf } from '../../server/decode/bodies.ts'

/* Traces made by hand, for what no recorded trace shows. */

/** A message, and what it causes the account that receives it to send. */
export interface Sent {
  /** null: to the outside. */
  readonly to: Address | null
  readonly body?: Cell
  /** Nanograms; one GRAM where nothing is said. */
  readonly value?: bigint
  readonly extra?: ReadonlyMap<number, bigint>
  readonly fails?: boolean
  readonly noGas?: boolean
  readonly bounced?: boolean
  readonly bounce?: boolean
  /** The receiver's state before; `active` where nothing is said. */
  readonly before?: AccountStatusName
  readonly after?: AccountStatusName
  readonly init?: Cell
  readonly causes?: readonly Sent[]
  /** Nobody received it: the transaction is missing. */
  readonly lost?: boolean
}

/** How a trace begins: an external message to `account`, which then sends what it `causes`. */
export interface Begin {
  readonly account: Address
  readonly body?: Cell
  readonly tick?: boolean
  readonly fails?: boolean
  readonly causes?: readonly Sent[]
}

/** An account by number. */
export const account = (n: number, workchain = 0): Address => `${workchain}:${n.toString(16).toUpperCase().padStart(64, '0')}`

export const TON = 1_000_000_000n

/** MsgAddressInt or addr_none. */
const storeAddress = (b: Builder, address: Address | null): Builder => {
  if (address === null) return b.storeUint(0, 2)
  const [workchain, hash] = address.split(':')
  return b.storeUint(0b100, 3).storeInt(Number(workchain), 8).storeBytes(Buffer.from(hash!, 'hex'))
}

/** A part of a body: bits, an address, coins, a reference. */
export type Part = (b: Builder) => unknown
export const uint =
  (value: number | bigint, bits: number): Part =>
  (b) =>
    b.storeUint(value, bits)
export const addr =
  (address: Address | null): Part =>
  (b) =>
    storeAddress(b, address)
export const coins =
  (value: bigint): Part =>
  (b) =>
    b.storeCoins(value)
export const ref =
  (...parts: readonly Part[]): Part =>
  (b) =>
    b.storeRef(cell(...parts))
export const cell = (...parts: readonly Part[]): Cell => {
  const b = beginCell()
  for (const part of parts) part(b)
  return b.end()
}

/** A body with an opcode and a query id of 7. */
export const asked = (op: number, ...parts: readonly Part[]): Cell => cell(uint(op, 32), uint(7, 64), ...parts)

export const comment = (text: string): Cell =>
  beginCell()
    .storeUint(0, 32)
    .storeBytes(new Uint8Array(Buffer.from(text)))
    .end()

/** A StateInit of code and data. */
export const stateInit = (code: Cell, data: Cell): Cell => beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).end()

const EMPTY = beginCell().end()

/** A trace, level by level: every message gets a greater lt than those before it. */
export const compose = ({ account: first, body, tick, fails, causes }: Begin): Trace => {
  let count = 0
  const next = (): string => Buffer.from((++count).toString(16).padStart(64, '0'), 'hex').toString('latin1')
  let lt = 1000n
  const messageOf = (from: Address | null, { to, body = EMPTY, value = TON, extra, bounce, bounced, init }: Sent): TraceMessage => ({
    hash: next(),
    source: from,
    destination: to,
    value: from === null || to === null ? null : value,
    extraCurrencies: extra,
    createdLt: from === null ? null : ++lt,
    createdAt: from === null ? null : 1_700_000_000,
    bounce: bounce ?? true,
    bounced: bounced ?? false,
    opcode: opcodeOf(body) ?? null,
    body,
    init,
  })
  const transactions: TraceTransaction[] = []
  const begin: Sent = { to: first, ...(body && { body }), ...(fails && { fails }), ...(causes && { causes }) }
  const open: [Sent, TraceMessage | undefined][] = [[begin, tick ? undefined : messageOf(null, begin)]]
  for (let i = 0; i < open.length; i++) {
    const [sent, inMessage] = open[i]!
    const outMessages: TraceMessage[] = []
    const txLt = ++lt
    for (const out of sent.causes ?? []) {
      const message = messageOf(sent.to, out)
      outMessages.push(message)
      if (out.to !== null && !out.lost) open.push([out, message])
    }
    transactions.push({
      hash: next(),
      account: sent.to!,
      lt: txLt,
      now: 1_700_000_000 + i,
      mcSeqno: 100 + i,
      tickTock: inMessage === undefined,
      aborted: sent.fails ?? false,
      noGas: sent.noGas ?? false,
      exitCode: sent.fails ? 5 : 0,
      before: sent.before ?? 'active',
      after: sent.after ?? 'active',
      inMessage,
      outMessages,
    })
  }
  return { id: transactions[0]!.hash, transactions }
}

export const NO_FACTS: Facts = new Map()
