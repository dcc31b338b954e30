import { BOUNCED } from '../../actions/step.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import { attempt } from '../../cell/error.ts'
import { INTERNAL_TRANSFER } from '../../protocols/jettons/bodies.ts'
import { opcode as jetton } from '../../protocols/jettons/messages.ts'
import type { MessageRow } from '../../store/queries/messages-of-transactions.ts'
import type { TransactionRow } from '../../store/queries/transactions/transaction-key.ts'
import { nameOf, rawOfKey } from '../../store/row-keys.ts'
import { JETTON_BURN, JETTON_TRANSFER } from '../../tlb/message/token-messages.ts'

/*
 * Balance changes of accounts, by the rules of TON Center's CalculateBalanceChanges (toncenter/ton-indexer eb9fbfa, ton-index-go/index/crud/balances.go):
 * `changes` has the received and sent coins, less fees. The cost of a message for its sender belongs to the transaction that receives the message, so an
 * action without its first transaction still includes that cost. The result of a jetton transfer belongs to the transaction that received the transfer.
 * These mistakes of TON Center are not copied:
 * - It counts the jettons of transfers that were aborted, and of transfers whose receiver sent them back.
 * - It does not count jettons that are minted or burnt.
 * - Jettons of a sender or receiver with an unknown wallet are counted for the account "".
 * - A transaction without a message (tick-tock) has no fees and sends its messages without fees; an action that begins with such a transaction is an error.
 * - The sender of the first message pays for it without being part of the trace: the zero address of the masterchain loses what validators gain.
 * - A trace with a message to nowhere, or with a message that was not received yet, is an error. IHR fees of old messages are lost.
 * - `contract_deploy` and actions that TON Center does not show have null in place of the three members.
 * The change of an account by a complete trace is its balance after the trace less its balance before it, with two exceptions. The account of configuration
 * parameter 5 (blackhole_addr) burns what it receives, so `changes` has more than its balance gains. A jetton wallet with unusual code may change its
 * balance of jettons without a message that says so.
 */

export interface WithMessages {
  readonly row: TransactionRow
  readonly received: MessageRow | undefined
  readonly sent: readonly MessageRow[]
}

export interface Wallet {
  readonly owner: Buffer
  readonly jetton: Buffer
}

interface Move extends Wallet {
  readonly amount: bigint
}

const BURN_NOTIFICATION = jetton('internal jetton_burn_notification')

/** Opcodes (in their stored, signed form) of messages that change the balance of a jetton wallet. */
const MOVING: ReadonlySet<number | null> = new Set([JETTON_TRANSFER, JETTON_BURN, INTERNAL_TRANSFER, BOUNCED | 0])

/** Whether a transaction changes the jettons of its account, if the account is a jetton wallet. */
export const mayMove = ({ row, received }: WithMessages): boolean => row.aborted === false && MOVING.has(received?.opcode ?? null)

/**
 * The change of a jetton wallet's balance by a message that it accepted. Of bounced messages only an internal transfer and a burn notification give jettons
 * back. Undefined for other bounced messages, and for a body without an amount.
 */
const amountOf = (boc: Buffer): bigint | undefined =>
  attempt(() => {
    const body = parseBocRoot(boc).slice()
    const first = body.loadUint(32)
    const opcode = first === BOUNCED ? body.loadUint(32) : first
    body.skip(64)
    const amount = body.loadCoins()
    if (first !== BOUNCED) return opcode === INTERNAL_TRANSFER ? amount : -amount
    return opcode === INTERNAL_TRANSFER || opcode === BURN_NOTIFICATION ? amount : undefined
  })

/** Changes of a jetton wallet's balance by the hash (base64) of the body that makes them. */
export type Amounts = ReadonlyMap<string, bigint>

/**
 * Reads the amounts in bodies, given as BoCs by hash. A body can have as many cells as a message, and thousands of messages the same body, so each is read
 * once, in a step of its own.
 */
export function* amountsIn(bodies: Iterable<readonly [string, Buffer]>): Generator<void, Amounts> {
  const amounts = new Map<string, bigint>()
  for (const [hash, boc] of bodies) {
    const amount = amountOf(boc)
    if (amount !== undefined) amounts.set(hash, amount)
    yield
  }
  return amounts
}

export const moveOf = (of: WithMessages, wallet: Wallet | undefined, amounts: Amounts): Move | undefined => {
  if (wallet === undefined || !mayMove(of)) return undefined
  const amount = amounts.get(of.received!.body_hash.toString('base64'))
  return amount === undefined ? undefined : { ...wallet, amount }
}

type Sums = Map<string, bigint>

export interface BalanceChanges {
  readonly changes: Sums
  readonly fees: Sums
  readonly jettons: Map<string, Sums>
}

const add = (sums: Sums, account: Buffer, amount: bigint): void => {
  const address = rawOfKey(account)
  sums.set(address, (sums.get(address) ?? 0n) + amount)
}

const big = (amount: string | null): bigint => BigInt(amount ?? 0)
/** The nanograms that a message carries. Before global version 12 its receiver also got the IHR fee. */
const carried = ({ value, ihr_fee }: MessageRow): bigint => big(value) + big(ihr_fee)

/**
 * Sums coins, fees and jettons by account. Jettons whose sum is zero are omitted. `costs`: messages whose value and forward fee are subtracted from their
 * sender together with a transaction. `moves`: jetton transfers that are counted with a transaction.
 */
const sum = (
  transactions: readonly WithMessages[],
  costs: (of: WithMessages) => readonly MessageRow[],
  moves: (of: WithMessages) => readonly Move[],
): BalanceChanges => {
  const [changes, fees, jettons]: [Sums, Sums, Map<string, Sums>] = [new Map(), new Map(), new Map()]
  for (const each of transactions) {
    const { account, total_fees } = each.row
    add(fees, account, big(total_fees))
    add(changes, account, (each.received ? carried(each.received) : 0n) - big(total_fees))
    for (const message of costs(each)) {
      add(fees, message.source!, big(message.fwd_fee))
      add(changes, message.source!, -carried(message) - big(message.fwd_fee))
    }
    for (const { owner, jetton, amount } of moves(each)) {
      const own = jettons.get(rawOfKey(owner)) ?? new Map<string, bigint>()
      jettons.set(rawOfKey(owner), own)
      add(own, jetton, amount)
    }
  }
  for (const [owner, sums] of jettons) {
    for (const [jetton, amount] of sums) if (amount === 0n) sums.delete(jetton)
    if (sums.size === 0) jettons.delete(owner)
  }
  return { changes, fees, jettons }
}

export const changesOfTransaction = (of: WithMessages, move: Move | undefined): BalanceChanges =>
  sum(
    [of],
    ({ sent }) => sent,
    () => (move ? [move] : []),
  )

/**
 * Sums the balance changes by `part`, some or all of a trace's transactions. `whole`: all transactions of the trace, by lt. `walletOf`: the jetton wallet
 * at an account. `moveOfEach`: the jettons that a transaction moves.
 */
export const changesInTrace = (
  whole: readonly WithMessages[],
  part: readonly WithMessages[],
  walletOf: (account: Buffer) => Wallet | undefined,
  moveOfEach: (of: WithMessages) => Move | undefined,
): BalanceChanges => {
  const senders = new Map(whole.flatMap((each) => each.sent.map((message) => [nameOf(message.msg_hash), each] as const)))
  const arrived = new Set(whole.flatMap(({ received }) => (received ? [nameOf(received.msg_hash)] : [])))
  /** The transaction that began a series of transfers between jetton wallets, by each transaction of the series. */
  const beginnings = new Map<WithMessages, WithMessages>()
  const moves = new Map<WithMessages, Move[]>()
  for (const each of whole) {
    const sender = each.received && senders.get(nameOf(each.received.msg_hash))
    const [own, before] = [walletOf(each.row.account), sender && walletOf(sender.row.account)]
    const beginning = own && before?.jetton.equals(own.jetton) ? (beginnings.get(sender!) ?? each) : each
    beginnings.set(each, beginning)
    const move = moveOfEach(each)
    if (move) moves.set(beginning, [...(moves.get(beginning) ?? []), move])
  }
  const costs = ({ received, sent }: WithMessages): MessageRow[] => [
    ...(received && senders.has(nameOf(received.msg_hash)) ? [received] : []),
    ...sent.filter(({ msg_hash }) => !arrived.has(nameOf(msg_hash))),
  ]
  return sum(part, costs, (of) => moves.get(of) ?? [])
}

/** Drops the first transaction of an action, because TON Center does not show its changes. Keeps it if it received an external message or none. */
export const withoutFirst = (transactions: readonly WithMessages[]): readonly WithMessages[] =>
  transactions[0]?.received?.source ? transactions.slice(1) : transactions

const objectOf = (members: Iterable<readonly [string, string]>): string =>
  `{${[...members].map(([name, text]) => `"${name}":${text}`).join(',')}}`
const numbers = (sums: Sums): string => objectOf([...sums].map(([name, amount]) => [name, amount.toString()]))

/** Writes JSON without JSON.stringify, which cannot write bigints. */
export const writeChanges = ({ changes, fees, jettons }: BalanceChanges): string => {
  const texts = (sums: Sums): string => objectOf([...sums].map(([jetton, amount]) => [jetton, `"${amount}"`]))
  const owned = [...jettons].map(([owner, sums]) => [owner, texts(sums)] as const)
  return `{"changes":${numbers(changes)},"fees":${numbers(fees)},"jettons":${objectOf(owned)}}`
}
