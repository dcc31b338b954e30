import { CellError } from '../cell/cell.ts'
import { rawAddress } from '../tlb/raw-address.ts'
import { nodeOf } from './node.ts'
import type { Protocol } from './protocol.ts'
import { requestedMessages } from './requested-messages.ts'
import { CALL, type Opcode, Step } from './step.ts'
import type { Address, Trace, TraceMessage, TraceTransaction } from './trace.ts'

/*
 * The accounts whose facts a trace needs: accounts of its transactions, and accounts that its messages name although they took no part, such as the
 * wallets of a failed swap.
 */

/** What to look up for the classification of a trace. */
export interface RequiredFacts {
  readonly accounts: ReadonlySet<Address>
  /** Stake wallets of JVault. Their data names a pool. The pool's data names the wallet with the staked jettons. */
  readonly stakeWallets: ReadonlySet<Address>
  /** Accounts that can be pools of DeDust or of liquid staking: from the messages that such pools get or send. */
  readonly pools: ReadonlySet<Address>
}

type Addresses = readonly (Address | null)[]

/** Functions that read addresses from a message, by opcode. If one throws CellError, the body has another format, and the message adds no addresses. */
type Readers = readonly (readonly [Opcode, (step: Step) => Addresses])[]

/** The accounts that messages of a protocol name. */
export interface RequiredFactsReaders {
  readonly accounts?: Readers
  readonly stakeWallets?: Readers
  readonly pools?: Readers
  /** Reads the body of a message that is requested from a wallet. */
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
  const step = new Step(CALL, [nodeOf(tx, message, undefined)], {})
  for (const reader of readers) {
    // An external message of a wallet names accounts only in the messages that it requests, which are read below.
    if (reader.topic === 'accounts' && message.source === null) continue
    try {
      add(reader.read(step), required[reader.topic])
    } catch (error) {
      if (!(error instanceof CellError)) throw error
    }
  }
}

/** The accounts whose facts `classify` may need. Bounded by the size of the trace; never throws for malformed bodies. */
export type FindRequiredFacts = (trace: Trace) => RequiredFacts

/** Finds the accounts that the matchers of these protocols need. */
export const createRequiredFacts = (protocols: readonly Protocol[]): FindRequiredFacts => {
  const readers = readersOf(protocols)
  /** The receivers of messages that are requested from a wallet. They may have no part in the trace. */
  const requestedOf = ({ body }: TraceMessage): Addresses =>
    requestedMessages(body).flatMap(({ info, body: inner }) => {
      if (info.type !== 'internal' || info.dest.type !== 'std') return []
      const named = protocols.flatMap(({ requiredFacts }) => requiredFacts?.requested?.(inner) ?? [])
      return [rawAddress(info.dest.workchain, info.dest.hash), ...named]
    })
  return ({ transactions }) => {
    const required = { accounts: new Set<Address>(), stakeWallets: new Set<Address>(), pools: new Set<Address>() }
    for (const tx of transactions) {
      required.accounts.add(tx.account)
      const messages = tx.inMessage === undefined ? tx.outMessages : [tx.inMessage, ...tx.outMessages]
      for (const message of messages) {
        if (message.source === null) add(requestedOf(message), required.accounts)
        const readersHere = message.opcode === null ? undefined : readers.get(message.opcode)
        if (readersHere !== undefined) read(readersHere, tx, message, required)
      }
    }
    return required
  }
}
