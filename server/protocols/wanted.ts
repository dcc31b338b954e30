import { rawAddress } from '../actions/answer-texts.ts'
import { nodeOf } from '../actions/node.ts'
import { loadAddress, opcodeOf, skipCoins } from '../actions/read.ts'
import { requestedMessages } from '../actions/requested-messages.ts'
import { CALL, Step } from '../actions/step.ts'
import type { Address, Trace, TraceMessage, TraceTransaction } from '../actions/trace.ts'
import { CellError } from '../cell/cell.ts'
import { loadJettonTransfer } from '../tlb/message/token-messages.ts'
import { loadRoute, SWAP, SWAP_EXTERNAL, SWAP_JETTON, SWAP_PEER } from './dedust/swap.ts'
import { PAY_JETTON, PAY_NATIVE } from './dedust/v2.ts'
import { JETTON_TRANSFER, loadNotification, NOTIFICATION, rawOf } from './jettons/bodies.ts'
import { UNSTAKE, UNSTAKE_REQUEST } from './jvault/actions.ts'
import { STONFI_SWAP } from './stonfi/swap.ts'
import { loadSwapV2, SWAP_V2, walletsOfRoute } from './stonfi/v2-bodies.ts'
import { FUND_ACCOUNT, loadPayToRouter, PAY_TO, POOL_SWAP, wantedBy } from './tonco/bodies.ts'
import { DEPOSIT, START_DISTRIBUTION, WITHDRAW } from './tonstakers/actions.ts'

/*
 * The accounts whose facts a trace needs: accounts of its transactions, and accounts that its messages name although they took no part, such as the
 * wallets of a failed swap.
 */

/** What to look up for the classification of a trace. */
export interface Wanted {
  readonly accounts: ReadonlySet<Address>
  /** Stake wallets of JVault. Their data names a pool. The pool's data names the wallet with the staked jettons (staking/jvault.ts). */
  readonly stakeWallets: ReadonlySet<Address>
  /** Accounts that can be pools of DeDust or of liquid staking: from the messages that such pools get or send. */
  readonly pools: ReadonlySet<Address>
}

const stonfiWallet = (step: Step): (Address | null)[] => {
  const payload = loadJettonTransfer(step.message.body)?.forwardPayload
  return opcodeOf(payload) === STONFI_SWAP ? [loadAddress(payload!.slice().skip(32))] : []
}

const notifiedWallets = (step: Step): (Address | null)[] => {
  const { payload } = loadNotification(step)
  if (payload === undefined) return []
  const op = opcodeOf(payload)
  if (op === SWAP_V2 || op === FUND_ACCOUNT) return [loadAddress(payload.slice().skip(32))]
  return op === POOL_SWAP ? [wantedBy(payload)?.wallet ?? null] : []
}

/** What to read from a message, by its opcode. */
type Readers = ReadonlyMap<number, (step: Step) => (Address | null)[]>

const readers: Readers = new Map([
  [JETTON_TRANSFER, stonfiWallet],
  [NOTIFICATION, notifiedWallets],
  [SWAP_V2, (step) => walletsOfRoute(loadSwapV2(step))],
  [PAY_TO, (step) => loadPayToRouter(step).payments.map(({ wallet }) => wallet)],
])

/** The pools of an order to DeDust that jettons brought, and a pool that was paid in jettons. */
const poolsOfNotification = (step: Step): (Address | null)[] => {
  const { payload } = loadNotification(step)
  const op = opcodeOf(payload)
  if (op === SWAP_JETTON) return loadRoute(payload!.slice().skip(32))
  return op === PAY_JETTON ? [step.destination] : []
}

const poolsOfSwap = (step: Step): (Address | null)[] => {
  const s = step.body().skip(64)
  skipCoins(s)
  return loadRoute(s)
}

const receiver = (step: Step): (Address | null)[] => [step.destination]

const poolReaders: Readers = new Map([
  ...[SWAP_EXTERNAL, SWAP_PEER, PAY_NATIVE, DEPOSIT, WITHDRAW].map((op) => [op, receiver] as const),
  [START_DISTRIBUTION, (step) => [step.source]],
  [SWAP, poolsOfSwap],
  [NOTIFICATION, poolsOfNotification],
])

const namedBy = (tx: TraceTransaction, message: TraceMessage, by: Readers): (Address | null)[] => {
  const read = message.opcode === null ? undefined : by.get(message.opcode)
  if (read === undefined) return []
  try {
    return read(new Step(CALL, [nodeOf(tx, message, undefined)], {}))
  } catch (error) {
    if (error instanceof CellError) return []
    throw error
  }
}

/** The receivers of messages that a wallet was asked to send. They may have no part in the trace. */
const asked = ({ body }: TraceMessage): (Address | null)[] =>
  requestedMessages(body).flatMap(({ info, body: inner }) => {
    if (info.type !== 'internal' || info.dest.type !== 'std') return []
    return [rawAddress(info.dest.workchain, info.dest.hash), rawOf(loadJettonTransfer(inner)?.destination ?? null)]
  })

/** The accounts whose facts `classify` can ask for. Bounded by the size of the trace; never throws for malformed bodies. */
export const wantedFacts = ({ transactions }: Trace): Wanted => {
  const accounts = new Set<Address>()
  const stakeWallets = new Set<Address>()
  const pools = new Set<Address>()
  for (const tx of transactions) {
    accounts.add(tx.account)
    const messages = tx.inMessage === undefined ? tx.outMessages : [tx.inMessage, ...tx.outMessages]
    for (const message of messages) {
      const named = message.source === null ? asked(message) : namedBy(tx, message, readers)
      for (const address of named) if (address !== null) accounts.add(address)
      for (const pool of namedBy(tx, message, poolReaders)) if (pool !== null) pools.add(pool)
      if ((message.opcode === UNSTAKE || message.opcode === UNSTAKE_REQUEST) && message.destination !== null)
        stakeWallets.add(message.destination)
    }
  }
  return { accounts, stakeWallets, pools }
}
