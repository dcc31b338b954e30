import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import type { VALIDATOR_EVENTS } from '../../../store/codes.ts'
import { accountKey } from '../../../store/row-keys.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import type { validatorEvents } from '../../../store/schema/validators.ts'
import { ELECTOR_OPS, loadNewStake, type NewStake } from '../../../tlb/contracts/elector.ts'
import { MASTERCHAIN } from '../../../tlb/ids.ts'
import type { Message } from '../../../tlb/message/message.ts'
import type { BlockView, PlacedTransaction } from '../topic.ts'

type Kind = (typeof VALIDATOR_EVENTS)[number]

interface StakeEvent {
  readonly kind: Kind
  readonly amount: bigint
  readonly stake?: NewStake | undefined
  readonly queryId?: bigint | undefined
  readonly reason?: number | undefined
}

/** Nanograms that the elector deducts from a stake for its confirmation message. */
const CONFIRMATION = 1_000_000_000n

const opOf = (body: Cell): number | undefined => {
  if (body.exotic) return undefined
  const s = body.slice()
  return s.remainingBits < 32 ? undefined : s.loadUint(32)
}

const reply = (messages: readonly Message[], op: number): Message | undefined => messages.find(({ body }) => opOf(body) === op)
const amountOf = (message: Message | undefined): bigint => (message?.info.type === 'internal' ? message.info.value.grams : 0n)

/** new_stake_error#ee6f454c query_id:uint64 reason:uint32. */
const reasonOf = (error: Message | undefined): number | undefined =>
  error &&
  attempt(() =>
    error.body
      .slice()
      .skip(32 + 64)
      .loadInt(32),
  )

const newStake = (value: bigint, body: Cell, outs: readonly Message[], aborted: boolean): StakeEvent | undefined => {
  const stake = attempt(() => loadNewStake(body))
  if (stake === undefined) return undefined
  const error = reply(outs, ELECTOR_OPS.newStakeError)
  // The elector accepts a stake with query id 0 without a reply, so a missing reply is not a rejection.
  return aborted || error !== undefined
    ? { kind: 'stake_rejected', amount: value, stake, queryId: stake.queryId, reason: reasonOf(error) }
    : { kind: 'stake_accepted', amount: value - CONFIRMATION, stake, queryId: stake.queryId }
}

const recover = (body: Cell, outs: readonly Message[]): StakeEvent | undefined => {
  const queryId = attempt(() => body.slice().skip(32).loadUintBig(64))
  if (queryId === undefined) return undefined
  const paid = reply(outs, ELECTOR_OPS.recoverStakeOk)
  if (paid !== undefined) return { kind: 'stake_recovered', amount: amountOf(paid), queryId }
  return { kind: reply(outs, ELECTOR_OPS.recoverStakeError) ? 'recover_failed' : 'recover_requested', amount: 0n, queryId }
}

const eventOf = ({ tx }: PlacedTransaction): StakeEvent | undefined => {
  const { inMsg, outMsgs, description } = tx
  if (inMsg?.info.type !== 'internal' || inMsg.info.bounced) return undefined
  const op = opOf(inMsg.body)
  const aborted = 'aborted' in description && description.aborted
  if (op === ELECTOR_OPS.newStake) return newStake(inMsg.info.value.grams, inMsg.body, outMsgs, aborted)
  return op === ELECTOR_OPS.recoverStake ? recover(inMsg.body, outMsgs) : undefined
}

export const stakeEvents = ({ transactions, mcSeqno }: BlockView, elector: Buffer): readonly WriteRow<typeof validatorEvents>[] =>
  transactions.flatMap((placed) => {
    if (!placed.account.equals(elector)) return []
    const { tx, hash } = placed
    const event = eventOf(placed)
    const info = tx.inMsg?.info
    // No account has an address of another form than addr_std.
    if (event === undefined || info?.type !== 'internal' || info.src?.type !== 'std') return []
    const { kind, amount, stake, queryId, reason } = event
    return [
      {
        elector,
        lt: tx.lt,
        hash,
        mc_seqno: mcSeqno,
        utime: tx.now,
        type: kind,
        holder: accountKey(info.src.workchain, info.src.hash),
        pubkey: stake?.validatorPubkey,
        adnl: stake?.adnlAddr,
        election_id: stake?.stakeAt,
        query_id: queryId,
        amount,
        reason,
      },
    ]
  })

export const masterKey = (hash: Uint8Array): Buffer => accountKey(MASTERCHAIN, hash)
