import { resolve } from './registry.ts'
import { accounts } from './v2/accounts.ts'
import { blocks } from './v2/blocks.ts'
import { config } from './v2/config.ts'
import { runs } from './v2/run.ts'
import { send } from './v2/send.ts'
import { transactions } from './v2/transactions.ts'
import { utils } from './v2/utils.ts'
import { accounts as v3Accounts } from './v3/accounts.ts'
import { blocks as v3Blocks } from './v3/blocks.ts'
import { legacy } from './v3/legacy.ts'
import { messages as v3Messages } from './v3/messages.ts'
import { pending } from './v3/pending.ts'
import { traces } from './v3/traces.ts'
import { transactions as v3Transactions } from './v3/transactions.ts'

/* Under which heading the documents list a method: those of access-service.md. */

/** `section`: the interface to which the group belongs. */
export interface Group {
  readonly section: 'v2' | 'v3' | 'local' | 'service'
  readonly title: string
}

const TOPICS: readonly (readonly [title: string, methods: object])[] = [
  ['Accounts', accounts],
  ['Blocks', blocks],
  ['Transactions', transactions],
  ['Send', send],
  ['Run method', runs],
  ['Utils', utils],
  ['Configuration', config],
  ['Blockchain data', { ...v3Blocks, ...v3Transactions, ...v3Messages, 'v3.pendingTransactions': pending['v3.pendingTransactions'] }],
  ['Accounts', v3Accounts],
  ['Actions and traces', { ...traces, 'v3.pendingTraces': pending['v3.pendingTraces'], 'v3.pendingActions': pending['v3.pendingActions'] }],
  ['Legacy (v2 behaviour)', legacy],
]

/** Topics whose methods have a path of their own, by the first word of the path. */
const PATHS: Readonly<Record<string, string>> = {
  jetton: 'Jettons',
  nft: 'NFTs',
  dns: 'DNS',
  staking: 'Staking',
  validators: 'Validators',
  multisig: 'Multisig',
}
/** Single methods with a heading of their own. */
const ALONE: Readonly<Record<string, string>> = {
  'v3.topAccountsByBalance': 'Stats',
  'v3.decode': 'Utils',
  'v3.vesting': 'Vesting',
  'v3.actions': 'Actions and traces',
  'v3.events': 'Actions and traces',
}

/** The group of a method's name or alias. */
export const groupOf = (given: string): Group => {
  const name: string = resolve(given)?.name ?? given
  if (name.startsWith('local.')) return { section: 'local', title: 'Embedded chain' }
  if (name.startsWith('rpc.')) return { section: 'service', title: 'Documents' }
  const section = name.startsWith('v3.') ? 'v3' : 'v2'
  const topic = TOPICS.find(([, methods]) => Object.hasOwn(methods, name))?.[0]
  const [, first = ''] = name.split('.')
  return { section, title: ALONE[name] ?? topic ?? PATHS[first] ?? 'More' }
}

/** Name of a tag in both documents, for example `v3 · Jettons`. */
export const groupName = ({ section, title }: Group): string => (section === 'v2' || section === 'v3' ? `${section} · ${title}` : title)
