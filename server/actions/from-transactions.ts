import { opcodeOf } from '../decode/bodies.ts'
import { accountIdOf, type MsgAddressInt } from '../tlb/address.ts'
import { readableExtra } from '../tlb/currency.ts'
import type { Message } from '../tlb/message/message.ts'
import { rawAddress } from '../tlb/raw-address.ts'
import type { Transaction } from '../tlb/transaction/transaction.ts'
import type { Address, Hash, Trace, TraceMessage, TraceTransaction } from './trace.ts'

export interface BlockTransaction {
  readonly tx: Transaction
  readonly hash: Hash
  readonly workchain: number
  /** Seqno of the masterchain block that commits the transaction. */
  readonly mcSeqno: number
}

const addressOf = (address: MsgAddressInt | undefined): Address | null => {
  const id = address && accountIdOf(address)
  return id === undefined || address === undefined ? null : rawAddress(address.workchain, id)
}

/** Without `extra` the extra currencies are not read: a message can have 512 of them in ten cells. */
export const messageOf = (message: Message, extra = true): TraceMessage => {
  const { info, root, body, initCell } = message
  const isInternal = info.type === 'internal'
  return {
    hash: root.hashKey(),
    source: info.type === 'external-in' ? null : addressOf(info.src),
    destination: info.type === 'external-out' ? null : addressOf(info.dest),
    value: isInternal ? info.value.grams : null,
    extraCurrencies: isInternal && extra ? readableExtra(info.value) : undefined,
    createdLt: info.type === 'external-in' ? null : info.createdLt,
    createdAt: info.type === 'external-in' ? null : info.createdAt,
    bounce: isInternal && info.bounce,
    bounced: isInternal && info.bounced,
    opcode: opcodeOf(body) ?? null,
    body,
    init: initCell,
  }
}

export const transactionOf = ({ tx, hash, workchain, mcSeqno }: BlockTransaction): TraceTransaction => {
  const { description } = tx
  const compute = 'compute' in description ? description.compute : undefined
  return {
    hash,
    account: rawAddress(workchain, tx.account),
    lt: tx.lt,
    now: tx.now,
    mcSeqno,
    tickTock: description.type === 'tick-tock',
    aborted: 'aborted' in description && description.aborted,
    noGas: compute?.type === 'skipped' && compute.reason === 'no_gas',
    exitCode: compute?.type === 'vm' ? compute.exitCode : null,
    before: tx.origStatus,
    after: tx.endStatus,
    inMessage: tx.inMsg && messageOf(tx.inMsg),
    outMessages: tx.outMsgs.map((message) => messageOf(message)),
  }
}

/** `id`: hash of the first transaction of the trace. The transactions can be in any order. */
export const traceOf = (id: Hash, transactions: readonly BlockTransaction[]): Trace => ({
  id,
  transactions: transactions.map(transactionOf),
})
