import type { Columns } from '../../actions/action.ts'
import type { Fields } from '../../actions/details.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { anything, call, either, kind, named, optional, type Pattern } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { type Kind, type Opcode, type Step, TRANSFER } from '../../actions/step.ts'
import { loadRawAddress } from '../../tlb/raw-address.ts'
import { BURN_NOTIFICATION } from '../jettons/bodies.ts'
import { BURNED, burnOf, MINTED, mintOf } from '../jettons/mint-burn.ts'
import { load, messages, opcode } from './messages.ts'

/* tgBTC, Bitcoin on TON, reports its operations in logs. If the messages around a log are not recognized, the action is made from the log alone. */

const MINT_LOG = opcode('external tgbtc_mint_event')
const BURN_LOG = opcode('external tgbtc_burn_event')
const NEW_KEY_LOG = opcode('external tgbtc_new_key_event')
const DKG_LOG = opcode('external tgbtc_dkg_completed_event')

const MINT_START = 0x3f781d24
const MINT_END = 0xe42a879b
const BURN_NOTICE = 0x587643a2
const PEGOUT = 0xbe44e7a6
const PEGOUT_NOTICE = 0x1a84c0e0
const NEW_KEY = 0x690f357a

const MAX_MINT_STEPS = 20

/** The columns that the log of a mint contains. Bitcoin transaction ids are shown in reverse byte order. */
const mintLogColumns = (log: Step): Columns => {
  const { amount, recipient_address: destination, bitcoin_txid: id } = load('external tgbtc_mint_event', log.body)
  const txid = Buffer.from(id.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')
  return { sourceSecondary: log.source, destination, assetSecondary: txid, amount, success: true }
}

/** burn amount:Coins sender_address:MsgAddress pegout_address:MsgAddress = MsgBody; the addresses can be left out. */
const loadBurnLog = (step: Step) => {
  const s = step.rest()
  const amount = s.loadCoins()
  const sender = s.remainingBits < 2 ? null : loadRawAddress(s)
  return { amount, sender, pegout: s.remainingBits < 2 ? null : loadRawAddress(s) }
}

/** The columns that the log of a new key contains. */
const keyLogColumns = (log: Step): Columns => {
  const { amount, new_internal_pubkey: pubkey, pegout_address } = load('external tgbtc_new_key_event', log.body)
  return { sourceSecondary: pubkey.toString(16), destination: log.source, destinationSecondary: pegout_address, amount }
}

const loadDkgLog = ({ body }: Step) => {
  const { timestamp, internal_pubkey: pubkey } = load('external tgbtc_dkg_completed_event', body)
  return { timestamp, pubkey: pubkey.toString(16) }
}

/** Returns the preceding steps, back to the message that began a mint; undefined if there is no such message. */
const mintBefore = (step: Step): Step[] | undefined => {
  const steps: Step[] = []
  for (let before = step.previous; before !== undefined && steps.length < MAX_MINT_STEPS; before = before.previous) {
    if (before.nodes.length === 0) return undefined
    steps.push(before)
    if (before.op === MINT_START) return steps
  }
  return undefined
}

const tgbtcMint: Matcher = {
  at: [MINT_END],
  around: { all: [named('log', call(MINT_LOG)), named('mint', kind(MINTED))] },
  build(step, found, run) {
    const before = mintBefore(step)
    if (before === undefined) return
    const { jetton: asset, wallet } = mintOf(found.get('mint')!)
    const columns = { ...mintLogColumns(found.get('log')!), source: before.at(-1)!.source, destinationSecondary: wallet, asset }
    run.group('tgbtc_mint', [step, ...found.steps, ...before], columns)
  },
}

const pegout = optional(call(PEGOUT, { all: [optional(call(PEGOUT_NOTICE)), optional(kind(TRANSFER))] }))
const burnt: readonly Pattern[] = [named('log', call(BURN_LOG)), pegout]

const tgbtcBurn: Matcher = {
  at: [BURNED],
  around: { each: either(call(BURN_NOTIFICATION, { all: burnt }), call(BURN_NOTICE, { all: burnt })) },
  build(step, found, run) {
    const log = loadBurnLog(found.get('log')!)
    const { owner, wallet, jetton, amount } = burnOf(step)
    run.group('tgbtc_burn', [step, ...found.steps], {
      source: owner,
      sourceSecondary: wallet,
      destination: log.pegout,
      asset: jetton,
      amount: amount === 0n || log.amount < amount ? log.amount : amount,
    })
  },
}

const tgbtcNewKey: Matcher = {
  at: [NEW_KEY],
  around: {
    before: anything({ each: named('dkg', call(DKG_LOG)) }),
    all: [named('key', call(NEW_KEY_LOG)), pegout],
  },
  build(step, found, run) {
    const dkg = found.get('dkg')!
    const columns = { ...keyLogColumns(found.get('key')!), source: dkg.source, value: loadDkgLog(dkg).timestamp }
    run.group('tgbtc_new_key', [step, ...found.steps], columns)
  },
}

/** Makes the action of a log alone. */
const fromLog = (log: Opcode, kind: Kind, columnsOf: (step: Step) => Columns): Matcher => ({
  at: [log],
  build(step, _found, run) {
    run.group(kind, [step], { ...columnsOf(step), type: `${kind}_fallback` })
  },
})

const ofLogs: readonly Matcher[] = [
  fromLog(MINT_LOG, 'tgbtc_mint', (step) => ({ ...mintLogColumns(step), source: step.source })),
  fromLog(BURN_LOG, 'tgbtc_burn', (step) => {
    const { amount, sender: source, pegout: destination } = loadBurnLog(step)
    return { source, destination, amount }
  }),
  fromLog(NEW_KEY_LOG, 'tgbtc_new_key', keyLogColumns),
  fromLog(DKG_LOG, 'tgbtc_dkg_log', (step) => {
    const { timestamp: value, pubkey: asset } = loadDkgLog(step)
    return { source: step.source, asset, value }
  }),
]

const MINT: Fields = {
  source: 'source',
  destination: 'destination',
  amount: 'amount',
  asset: 'asset',
  bitcoin_tx_id: 'assetSecondary',
  destination_wallet: 'destinationSecondary',
}
const BURN: Fields = {
  source: 'source',
  source_wallet: 'sourceSecondary',
  destination: 'destination',
  amount: 'amount',
  asset: 'asset',
}
const KEY: Fields = {
  source: 'source',
  pubkey: 'sourceSecondary',
  coordinator: 'destination',
  pegout: 'destinationSecondary',
  amount: 'amount',
  asset: 'asset',
}

export const tgbtc: Protocol = {
  messages,
  matchers: { operations: [tgbtcMint, tgbtcBurn, tgbtcNewKey, ...ofLogs] },
  actions: {
    tgbtc_mint: { shortcuts: ['tgbtc'], details: MINT },
    tgbtc_mint_fallback: { shortcuts: ['tgbtc'], details: MINT },
    tgbtc_burn: { shortcuts: ['tgbtc'], details: BURN },
    tgbtc_burn_fallback: { shortcuts: ['tgbtc'], details: BURN },
    tgbtc_new_key: { shortcuts: ['tgbtc'], details: KEY },
    tgbtc_new_key_fallback: { shortcuts: ['tgbtc'], details: KEY },
    tgbtc_dkg_log_fallback: { shortcuts: ['tgbtc'], details: { coordinator: 'source', pubkey: 'asset', timestamp: 'value' } },
  },
}
