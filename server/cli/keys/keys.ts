import { KeyError, type KeyRecord, type KeyStore, type Made } from '../../access/key-queries.ts'
import { idOfKey } from '../../access/key-text.ts'
import { ANY_NETWORK, LIMIT_NAMES, MAX_LIMIT, MAX_RPS, NAME, type Plan } from '../../access/plans.ts'
import { UserError } from '../../base/user-error.ts'
import { checksKeys, networkConfigs } from '../../config/networks.ts'
import { chooseNetwork } from '../choose-network.ts'
import type { Given, Streams } from '../streams.ts'
import { formatTable } from '../usage.ts'
import { withKeys } from './command-database.ts'
import type { KeysAction, PlansAction } from './definitions.ts'
import { parseExpires, parseOverlap } from './parse-time.ts'

type Output = Pick<Streams, 'print' | 'printError'>
/** Reads the arguments of an action, and returns its work. Throws UserError for wrong arguments. */
type Action = (command: Given, output: Output) => (store: KeyStore) => Promise<void>

const MAX_TEXT = 200

/** Text of a flag. Throws UserError unless it is a short text in one line. */
const lineOf = ({ flags }: Given, name: string): string | undefined => {
  const value = flags[name]?.trim()
  if (value !== undefined && (value === '' || value.length > MAX_TEXT || /\p{Cc}/u.test(value)))
    throw new UserError(`--${name} must be a line of 1 to ${MAX_TEXT} characters`)
  return value
}

const nameOf = (value: string, what: string): string => {
  if (!NAME.test(value))
    throw new UserError(
      `${what} ${JSON.stringify(value)} must be 1 to 32 lower-case letters, digits, - and _, and begin with a letter or a digit`,
    )
  return value
}

const shown = (date: Date | undefined): string => date?.toISOString().replace(/\.\d+Z$/, 'Z') ?? ''

const stateOf = ({ revokedAt, expiresAt, rotatedTo }: KeyRecord): string => {
  if (revokedAt) return `revoked ${shown(revokedAt)}`
  if (expiresAt && expiresAt.getTime() <= Date.now()) return `expired ${shown(expiresAt)}`
  return [expiresAt ? `until ${shown(expiresAt)}` : 'valid', ...(rotatedTo ? [`replaced by ${rotatedTo}`] : [])].join(', ')
}

/** Prints a new key, and says so if the settings do not let it be checked. */
const tellMade = ({ key, record }: Made, { config }: Given, { print, printError }: Output): void => {
  const { id, owner, network, plan, expiresAt } = record
  const own = networkConfigs(config).find(({ name }) => name === network)
  if (own !== undefined && !checksKeys(own))
    printError(
      `note: ${network} checks no keys with these settings; start the service with TONWAY_KEYS=on, or give this command the service's settings`,
    )
  printError(
    `key ${id} of ${owner} for ${network}, plan ${plan}${expiresAt ? `, until ${shown(expiresAt)}` : ''}; it cannot be shown again:`,
  )
  print(key)
}

/** Prints a table, or with --json one JSON object per line. */
const printList = <T>(
  all: readonly T[],
  flags: Given['flags'],
  print: Output['print'],
  head: readonly string[],
  rowOf: (of: T) => readonly string[],
): void => {
  const lines = flags['json'] === undefined ? formatTable([head, ...all.map(rowOf)]) : all.map((of) => JSON.stringify(of))
  for (const line of lines) print(line)
}

/** Whoever finds a leaked key has only its full text, so that is accepted. Only its id is used, so that the text is not printed again. */
const idOf = ({ positionals: [named = ''] }: Given): string => idOfKey(named) ?? named

const KEYS: Readonly<Record<KeysAction, Action>> = {
  create(command, output) {
    const owner = lineOf(command, 'owner')
    if (owner === undefined) throw new UserError('--owner is needed: a name for the owner of the key')
    const { expires, plan = 'free' } = command.flags
    const key = {
      owner,
      expiresAt: expires === undefined ? undefined : parseExpires(expires, Date.now()),
      plan: nameOf(plan, 'plan'),
      network: chooseNetwork(command.config, command.flags['for']).name,
      label: lineOf(command, 'label'),
    }
    return async (store) => tellMade(await store.create(key), command, output)
  },
  rotate(command, output) {
    const overlap = parseOverlap(command.flags['overlap'] ?? '24h', 365)
    return async (store) => tellMade(await store.rotate(idOf(command), overlap), command, output)
  },
  revoke:
    (command, { printError }) =>
    async (store) => {
      const id = idOf(command)
      const { owner } = await store.revoke(id)
      printError(`key ${id} of ${owner} is revoked`)
    },
  list:
    ({ flags }, { print, printError }) =>
    async (store) => {
      const found = await store.list({ owner: flags['owner'], network: flags['for'] })
      const head = ['id', 'owner', 'network', 'plan', 'made', 'state', 'label']
      const rowOf = (of: KeyRecord) => [of.id, of.owner, of.network, of.plan, shown(of.createdAt), stateOf(of), of.label]
      if (flags['json'] === undefined && found.length === 0) printError('no keys')
      else printList(found, flags, print, head, rowOf)
    },
}

/** Limits of a plan besides `rps`, changed by flags. `common` removes a limit from the plan. Throws UserError. */
const limitsOf = ({ flags }: Given, old: Plan['limits']): Plan['limits'] => {
  const limits = new Map<string, number>(Object.entries(old))
  for (const name of LIMIT_NAMES) {
    const said = flags[name]
    if (said === 'common') limits.delete(name)
    else if (said === 'unlimited') limits.set(name, -1)
    else if (said !== undefined && /^\d{1,7}$/.test(said) && Number(said) <= MAX_LIMIT) limits.set(name, Number(said))
    else if (said !== undefined) throw new UserError(`--${name} must be a whole number from 0 to ${MAX_LIMIT}, unlimited or common`)
  }
  return Object.fromEntries(limits)
}

const limitWords = ({ limits }: Plan): string =>
  LIMIT_NAMES.map((name) => `${name} ${limits[name] === -1 ? 'unlimited' : (limits[name] ?? 'common')}`).join(', ')

const readPlan = (command: Given, present: readonly Plan[]): Plan => {
  const name = nameOf(command.positionals[0] ?? '', 'plan')
  const only = command.flags['for']
  const network = only === undefined ? ANY_NETWORK : chooseNetwork(command.config, only).name
  const old = present.find((plan) => plan.name === name && plan.network === network)
  const { rps, servers } = command.flags
  if (rps === undefined && old === undefined) throw new UserError('--rps is needed for a new plan: calls per second')
  if (rps !== undefined && !(/^\d{1,7}$/.test(rps) && Number(rps) <= MAX_RPS))
    throw new UserError(`--rps must be a whole number from 0 to ${MAX_RPS}; with 0 every call is refused`)
  const group = servers === undefined ? old?.servers : servers === 'none' ? undefined : nameOf(servers, 'group')
  return { name, network, rps: rps === undefined ? old!.rps : Number(rps), servers: group, limits: limitsOf(command, old?.limits ?? {}) }
}

const PLANS: Readonly<Record<PlansAction, Action>> = {
  set:
    (command, { printError }) =>
    async (store) => {
      const plan = readPlan(command, await store.plans())
      await store.setPlan(plan)
      const servers = plan.servers === undefined ? 'those without a group' : `the group ${plan.servers} first`
      printError(
        `plan ${plan.name} for ${plan.network}: ${plan.rps} calls per second, lite-servers: ${servers}; limits: ${limitWords(plan)}`,
      )
    },
  list:
    ({ flags }, { print }) =>
    async (store) => {
      printList(await store.plans(), flags, print, ['plan', 'network', 'calls/s', 'lite-server group', ...LIMIT_NAMES], (plan) => [
        ...[plan.name, plan.network, String(plan.rps), plan.servers ?? 'none'],
        ...LIMIT_NAMES.map((each) => (plan.limits[each] === -1 ? 'unlimited' : (plan.limits[each]?.toString() ?? ''))),
      ])
    },
}

/** Actions that may come before the first start of the service. All others need a database that exists. */
const FIRST: readonly string[] = ['create', 'set'] satisfies (KeysAction | PlansAction)[]

/** Runs an action of `keys` or `plans`. Rejects with a UserError: with exit code 1 for a KeyError, otherwise (for example without a database) with 2. */
export const runKeys = async (command: Given, output: Output): Promise<number> => {
  const actions: Readonly<Partial<Record<string, Action>>> = command.command === 'keys' ? KEYS : PLANS
  const action = command.action!
  try {
    await withKeys(command.config, { makes: FIRST.includes(action), printError: output.printError }, actions[action]!(command, output))
    return 0
  } catch (error) {
    throw error instanceof UserError ? error : new UserError((error as Error).message, error instanceof KeyError ? 1 : 2)
  }
}
