import { createClassifier } from '../actions/classify.ts'
import { type ActionTypes, createDetails } from '../actions/details.ts'
import type { Protocol } from '../actions/protocol.ts'
import { createRequiredFacts } from '../actions/required-facts.ts'
import { createSupportedTypes } from '../actions/supported-types.ts'
import { createDecoder } from '../decode/decode.ts'
import { basic } from './basic/actions.ts'
import { bidask } from './bidask/messages.ts'
import { cocoon } from './cocoon/actions.ts'
import { coffee } from './coffee/actions.ts'
import { dedust } from './dedust/actions.ts'
import { dns } from './dns/actions.ts'
import { elections } from './elections/actions.ts'
import { ethena } from './ethena/actions.ts'
import { evaa } from './evaa/actions.ts'
import { exchanges } from './exchanges/actions.ts'
import { getgems } from './getgems/actions.ts'
import { jettons } from './jettons/actions.ts'
import { jvault } from './jvault/actions.ts'
import { layerzero } from './layerzero/actions.ts'
import { multisig } from './multisig/actions.ts'
import { nfts } from './nfts/actions.ts'
import { nominators } from './nominators/actions.ts'
import { services } from './services/messages.ts'
import { staking } from './staking/actions.ts'
import { stonfi } from './stonfi/actions.ts'
import { storm } from './storm/messages.ts'
import { subscriptions } from './subscriptions/actions.ts'
import { teleitems } from './teleitems/actions.ts'
import { tgbtc } from './tgbtc/actions.ts'
import { tonco } from './tonco/actions.ts'
import { tonstakers } from './tonstakers/actions.ts'
import { vesting } from './vesting/actions.ts'
import { wallets } from './wallets/messages.ts'

/**
 * All protocols. Their order decides conflicts: if two protocols have the same opcode, the bodies of the earlier one are tried first. Within a stage, the
 * matchers of the earlier one run first. New protocols are appended.
 */
export const PROTOCOLS: readonly Protocol[] = [
  ...[basic, wallets, subscriptions, jettons, nfts, dns, teleitems, getgems],
  ...[multisig, vesting, elections, nominators, tonstakers, staking, services],
  ...[dedust, stonfi, ethena, jvault, evaa, tgbtc, tonco, coffee, layerzero, cocoon],
  ...[bidask, exchanges, storm],
]

export const { showBody, showInList, inspectBody, opcodeName, rows } = createDecoder(PROTOCOLS)
export const { classify, classifyInParts, matchers: MATCHERS } = createClassifier(PROTOCOLS)
export const requiredFacts = createRequiredFacts(PROTOCOLS)

const types: ActionTypes = Object.assign({}, ...PROTOCOLS.map(({ actions }) => actions))
export const ALL_TYPES: ReadonlySet<string> = new Set(Object.keys(types))
export const showDetails = createDetails(types)
export const supportedTypes = createSupportedTypes(types)
