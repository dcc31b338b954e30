import { attempt } from '../cell/error.ts'
import type { Protocol } from './protocol.ts'
import { CALL, nodeOf, type Opcode, Step } from './step.ts'
import type { Address, Trace, TraceMessage, TraceTransaction } from './trace.ts'
import { requestedMessages } from './unsent-messages.ts'

/*
 * Finds the accounts whose facts a trace needs: accounts of its transactions, and accounts that only its messages name, such as the wallets of a failed
 * swap.
 */

export interface RequiredFacts {
  readonly accounts: ReadonlySet<Address>
  /** JVault stake wallets. A stake wallet names its pool in its data, and the pool names its lock wallet. */
  readonly stakeWallets: ReadonlySet<Address>
  /** Accounts that may be pools of DeDust or of liquid staking, judged by the opcodes of their messages. */
  readonly pools: ReadonlySet<Address>
}

/** Maximum number of accounts besides those of the transactions, and of pools. A message can name 17. Of a trace that names more, none of these are read. */
const MAX_NAMED = 10_000
const newRequired = (own: Iterable<Address>) => ({ accounts: new Set(own), stakeWallets: new Set<Address>(), pools: new Set<Address>() })

type Addresses = readonly (Address | null)[]

/** Functions that read addresses from a message, by opcode. A function that throws CellError adds no addresses: the body has an unexpected format. */
type Readers = readonly (readonly [Opcode, (step: Step) => Addresses])[]

export interface RequiredFactsReaders {
  readonly accounts?: Readers
  readonly stakeWallets?: Readers
  readonly pools?: Readers
  readonly requested?: (body: TraceMessage['body']) => Addresses
}

const TOPICS = ['accounts', 'stakeWallets', 'pools'] as const

interface Reader {
  readonly topic: (typeof TOPICS)[number]
  readonly read: (step: Step) => Addresses
}

const add = (addresses: Addresses, set: Set<Address>): void => {
  for (const address of addresses) if (address !== null) set.add(address)
}

const readersOf = (protocols: readonly Protocol[]): ReadonlyMap<Opcode, readonly Reader[]> => {
  const readers = new Map<Opcode, Reader[]>()
  for (const { requiredFacts } of protocols)
    for (const topic of TOPICS)
      for (const [opcode, read] of requiredFacts?.[topic] ?? []) readers.set(opcode, [...(readers.get(opcode) ?? []), { topic, read }])
  return readers
}

const read = (
  readers: readonly Reader[],
  tx: TraceTransaction,
  message: TraceMessage,
  required: Readonly<Record<Reader['topic'], Set<Address>>>,
): void => {
  for (const reader of readers) {
    // The external message of a wallet names accounts only in its requested messages, which are read below.
    if (reader.topic === 'accounts' && message.source === null) continue
    const step = new Step(CALL, [nodeOf(tx, message, undefined)], {})
    add(attempt(() => reader.read(step)) ?? [], required[reader.topic])
  }
}

/**
 * The accounts whose facts `classify` may need. Bounded by the size of the trace; never throws for malformed bodies. Yields after each transaction and
 * each message.
 */
export const createRequiredFacts = (protocols: readonly Protocol[]) => {
  const readers = readersOf(protocols)
  /** Receivers of the messages that a wallet is requested to send. If the messages were not sent, the receivers have no transactions in the trace. */
  const requestedOf = (message: TraceMessage): Addresses =>
    requestedMessages(message.body).flatMap(({ destination, body }) =>
      destination === null ? [] : [destination, ...protocols.flatMap(({ requiredFacts }) => requiredFacts?.requested?.(body) ?? [])],
    )
  return function* ({ transactions }: Trace): Generator<void, RequiredFacts> {
    const own = new Set(transactions.map(({ account }) => account))
    const required = newRequired(own)
    for (const tx of transactions) {
      const messages = tx.inMessage === undefined ? tx.outMessages : [tx.inMessage, ...tx.outMessages]
      for (const message of messages) {
        if (message.source === null) add(requestedOf(message), required.accounts)
        // The bodies that name accounts are those of messages to accounts.
        if (message.opcode !== null && message.destination !== null) read(readers.get(message.opcode) ?? [], tx, message, required)
        yield
      }
      yield
      if (required.accounts.size + required.pools.size > own.size + MAX_NAMED) return newRequired(own)
    }
    return required
  }
}
