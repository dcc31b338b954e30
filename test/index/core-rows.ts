import {
  Address,
  Cell,
  type CommonMessageInfo,
  type Dictionary,
  loadTransaction,
  type Message,
  type Slice,
  type Transaction,
  type TransactionComputePhase,
} from '@ton/core'
import type { readSet } from '../kit/index/replay-store.ts'

/*
 * What the rows of recorded blocks must hold, read by @ton/core and by a walk of the block's dictionaries that shares nothing with the service.
 */

type Row = Record<string, unknown>

const STATUSES = ['uninitialized', 'frozen', 'active', 'non-existing']
const CHANGES = ['unchanged', 'frozen', 'deleted']
const SKIPS = ['no-state', 'bad-state', 'no-gas', 'suspended']

const key = (address: Address): Buffer => {
  const workchain = Buffer.alloc(4)
  workchain.writeInt32BE(address.workChain)
  return Buffer.concat([workchain, address.hash])
}
const hash = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const text = (value: bigint | number | null | undefined): string | null => (value === null || value === undefined ? null : String(value))
const extra = (other: Dictionary<number, bigint> | null | undefined): Row | null =>
  other === null || other === undefined || other.size === 0
    ? null
    : Object.fromEntries(other.keys().map((id) => [String(id >>> 0), String(other.get(id))]))
const nonZero = (value: bigint): Buffer | null => (value === 0n ? null : hash(value))

const computeRow = (phase: TransactionComputePhase): Row =>
  phase.type === 'skipped'
    ? { compute_skip_reason: SKIPS.indexOf(phase.reason), compute_success: null, compute_vm_steps: null }
    : {
        compute_skip_reason: null,
        compute_success: phase.success,
        compute_msg_state_used: phase.messageStateUsed,
        compute_account_activated: phase.accountActivated,
        compute_gas_fees: text(phase.gasFees),
        compute_gas_used: text(phase.gasUsed),
        compute_gas_limit: text(phase.gasLimit),
        compute_gas_credit: phase.gasCredit === undefined ? null : Number(phase.gasCredit),
        compute_mode: phase.mode,
        compute_exit_code: phase.exitCode,
        compute_exit_arg: phase.exitArg ?? null,
        compute_vm_steps: text(phase.vmSteps),
        compute_vm_init_state_hash: nonZero(phase.vmInitStateHash),
        compute_vm_final_state_hash: nonZero(phase.vmFinalStateHash),
      }

const descriptionRow = ({ description: d }: Transaction): Row => {
  if (d.type !== 'generic' && d.type !== 'tick-tock') throw new Error(`no ${d.type} transaction was expected`)
  const generic = d.type === 'generic' ? d : undefined
  const storage = d.storagePhase
  const action = d.actionPhase
  const bounce = generic?.bouncePhase
  return {
    descr: generic ? 0 : 2,
    aborted: d.aborted,
    destroyed: d.destroyed,
    credit_first: generic ? generic.creditFirst : null,
    is_tock: d.type === 'tick-tock' ? d.isTock : null,
    installed: null,
    storage_fees_collected: text(storage?.storageFeesCollected),
    storage_fees_due: text(storage?.storageFeesDue),
    storage_status_change: storage ? CHANGES.indexOf(storage.statusChange) : null,
    credit_due_fees_collected: text(generic?.creditPhase?.dueFeesColelcted),
    credit: text(generic?.creditPhase?.credit.coins),
    credit_extra: extra(generic?.creditPhase?.credit.other),
    ...computeRow(d.computePhase),
    action_success: action?.success ?? null,
    action_valid: action?.valid ?? null,
    action_no_funds: action?.noFunds ?? null,
    action_status_change: action ? CHANGES.indexOf(action.statusChange) : null,
    action_total_fwd_fees: text(action?.totalFwdFees),
    action_total_action_fees: text(action?.totalActionFees),
    action_result_code: action?.resultCode ?? null,
    action_result_arg: action?.resultArg ?? null,
    action_tot_actions: action?.totalActions ?? null,
    action_spec_actions: action?.specActions ?? null,
    action_skipped_actions: action?.skippedActions ?? null,
    action_msgs_created: action?.messagesCreated ?? null,
    action_list_hash: action ? hash(action.actionListHash) : null,
    action_msg_cells: text(action?.totalMessageSize.cells),
    action_msg_bits: text(action?.totalMessageSize.bits),
    bounce: bounce ? ['negative-funds', 'no-funds', 'ok'].indexOf(bounce.type) : null,
    bounce_msg_cells: bounce && bounce.type !== 'negative-funds' ? text(bounce.messageSize.cells) : null,
    bounce_msg_bits: bounce && bounce.type !== 'negative-funds' ? text(bounce.messageSize.bits) : null,
    bounce_req_fwd_fees: bounce?.type === 'no-funds' ? text(bounce.requiredForwardFees) : null,
    bounce_msg_fees: bounce?.type === 'ok' ? text(bounce.messageFees) : null,
    bounce_fwd_fees: bounce?.type === 'ok' ? text(bounce.forwardFees) : null,
    split_this_addr: null,
  }
}

const infoRow = (info: CommonMessageInfo): Row => {
  switch (info.type) {
    case 'internal':
      return {
        source: key(info.src),
        destination: key(info.dest),
        value: text(info.value.coins),
        value_extra: extra(info.value.other),
        fwd_fee: text(info.forwardFee),
        ihr_fee: text((info as unknown as { ihrFee: bigint }).ihrFee),
        extra_flags: null,
        import_fee: null,
        created_lt: text(info.createdLt),
        created_at: text(info.createdAt),
        ihr_disabled: info.ihrDisabled,
        bounce: info.bounce,
        bounced: info.bounced,
        msg_hash_norm: null,
      }
    case 'external-in':
      return { source: null, destination: key(info.dest), value: null, import_fee: text(info.importFee), created_lt: null, bounce: null }
    case 'external-out':
      return { source: key(info.src), destination: null, value: null, created_lt: text(info.createdLt), created_at: text(info.createdAt) }
  }
}

/** The message cells of a transaction: @ton/core gives messages parsed, and their hash is that of the cell. */
const messageCells = (root: Cell): { in: Cell | undefined; out: Cell[] } => {
  const s = root.refs[0]!.beginParse()
  const into = s.loadBit() ? s.loadRef() : undefined
  const out: Cell[] = []
  if (s.loadBit()) walk(s.loadRef().beginParse(), 15, (leaf) => out.push(leaf.loadRef()))
  return { in: into, out }
}

/** hml_short$0, hml_long$10, hml_same$11 */
const skipLabel = (s: Slice, size: number): number => {
  if (s.loadBit()) {
    const same = s.loadBit()
    if (same) s.skip(1)
    const length = s.loadUint(size)
    if (!same) s.skip(length)
    return length
  }
  let length = 0
  while (s.loadBit()) length += 1
  s.skip(length)
  return length
}

/** hm_edge of a dictionary: the label, then two branches or a leaf. */
const walk = (s: Slice, left: number, visit: (leaf: Slice) => void): void => {
  const length = skipLabel(s, Math.ceil(Math.log2(left + 1)))
  if (length === left) {
    visit(s)
    return
  }
  const [low, high] = [s.loadRef(), s.loadRef()]
  walk(low.beginParse(), left - length - 1, visit)
  walk(high.beginParse(), left - length - 1, visit)
}

const skipCurrency = (s: Slice): void => {
  s.loadCoins()
  if (s.loadBit()) s.loadRef()
}

/** The transaction cells of a block. */
const transactionCells = (block: Cell): Cell[] => {
  const found: Cell[] = []
  // block_extra: in_msg_descr, out_msg_descr, account_blocks
  const blocks = block.refs[3]!.refs[2]!.beginParse()
  if (!blocks.loadBit()) return found
  walk(blocks.loadRef().beginParse(), 256, (account) => {
    skipCurrency(account)
    account.skip(4 + 256)
    walk(account, 64, (leaf) => {
      skipCurrency(leaf)
      found.push(leaf.loadRef())
    })
  })
  return found
}

const messageRow = (message: Message, cell: Cell, place: Row, bodies: Map<string, Buffer>): Row => {
  const body = message.body
  bodies.set(body.hash().toString('hex'), body.toBoc({ crc32: true, idx: false }))
  return {
    ...place,
    ...infoRow(message.info),
    msg_hash: cell.hash(),
    body_hash: body.hash(),
    opcode: body.isExotic || body.bits.length < 32 ? null : body.beginParse().loadInt(32),
  }
}

const byKey =
  (account: string, lt: string, ...rest: string[]) =>
  (a: Row, b: Row) => {
    const order = Buffer.compare(a[account] as Buffer, b[account] as Buffer) || Number(BigInt(a[lt] as string) - BigInt(b[lt] as string))
    return order || rest.reduce((sum, name) => sum || Number(a[name]) - Number(b[name]), 0)
  }

export const coreRows = ({ index, rows: blocks }: ReturnType<typeof readSet>) => {
  const places = new Map(index.map((row) => [row.root_hash, row]))
  const transactions: Row[] = []
  const messages: Row[] = []
  const bodies = new Map<string, Buffer>()
  for (const { root_hash, boc } of blocks) {
    const place = places.get(root_hash)!
    for (const cell of transactionCells(Cell.fromBase64(boc))) {
      const tx = loadTransaction(cell.beginParse())
      const account = key(new Address(place.workchain, hash(tx.address)))
      transactions.push({
        account,
        lt: text(tx.lt),
        hash: cell.hash(),
        workchain: place.workchain,
        block_shard: BigInt.asIntN(64, BigInt(`0x${place.shard}`)).toString(),
        block_seqno: place.seqno,
        now: text(tx.now),
        prev_trans_hash: hash(tx.prevTransactionHash),
        prev_trans_lt: text(tx.prevTransactionLt),
        orig_status: STATUSES.indexOf(tx.oldStatus),
        end_status: STATUSES.indexOf(tx.endStatus),
        total_fees: text(tx.totalFees.coins),
        total_fees_extra: extra(tx.totalFees.other),
        state_hash_before: tx.stateUpdate.oldHash,
        state_hash_after: tx.stateUpdate.newHash,
        ...descriptionRow(tx),
      })
      const cells = messageCells(cell)
      const at = { tx_account: account, tx_lt: text(tx.lt) }
      if (tx.inMessage) messages.push(messageRow(tx.inMessage, cells.in!, { ...at, direction: 0, msg_index: 0 }, bodies))
      tx.outMessages.values().forEach((message, i) => {
        messages.push(messageRow(message, cells.out[i]!, { ...at, direction: 1, msg_index: i }, bodies))
      })
    }
  }
  transactions.sort(byKey('account', 'lt'))
  messages.sort(byKey('tx_account', 'tx_lt', 'direction', 'msg_index'))
  return { transactions, messages, bodies }
}
