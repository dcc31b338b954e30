import { type KeyDatabaseSettings, withKeys } from './command-database.ts'
import type { KeysAction, PlansAction } from './command-definitions.ts'
import { KeyError, type KeyRecord, type Made } from './key-queries.ts'
import { idOfKey } from './key-text.ts'
import { parseExpires, parseOverlap } from './parse-time.ts'
import { ANY_NETWORK, LIMIT_NAMES, MAX_LIMIT, MAX_RPS, NAME, type Plan } from './plans.ts'

/** Arguments after the action. A flag without a value is true. */
export interface CommandArgs {
  readonly flags: Readonly<Record<string, string | true>>
  readonly positionals: readonly string[]
}

export interface CommandConfig extends KeyDatabaseSettings {
  /** The networks of the settings; the first is the default. */
  readonly network: readonly string[]
}

export interface CommandOutput {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
}

const MAX_TEXT = 200

const textOf = ({ flags }: CommandArgs, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** Text of a flag. Throws KeyError unless it is a short text in one line. */
const lineOf = (args: CommandArgs, name: string): string | undefined => {
  const value = textOf(args, name)?.trim()
  if (value !== undefined && (value === '' || value.length > MAX_TEXT || /\p{Cc}/u.test(value)))
    throw new KeyError(`--${name} must be a line of 1 to ${MAX_TEXT} characters`)
  return value
}

const nameOf = (value: string, what: string): string => {
  if (!NAME.test(value))
    throw new KeyError(
      `${what} ${JSON.stringify(value)} must be 1 to 32 lower-case letters, digits, - and _, and begin with a letter or a digit`,
    )
  return value
}

/** The network of `--for`; undefined if it is not given. Throws KeyError if the settings do not name it. */
const networkOf = (args: CommandArgs, { network }: CommandConfig): string | undefined => {
  const name = textOf(args, 'for')
  if (name !== undefined && !network.includes(name))
    throw new KeyError(`--for: the settings have no network ${name}; they have ${network.join(', ')}`)
  return name
}

const shown = (date: Date | undefined): string => date?.toISOString().replace(/\.\d+Z$/, 'Z') ?? ''

const stateOf = ({ revokedAt, expiresAt, rotatedTo }: KeyRecord): string => {
  if (revokedAt) return `revoked ${shown(revokedAt)}`
  if (expiresAt && expiresAt.getTime() <= Date.now()) return `expired ${shown(expiresAt)}`
  return [expiresAt ? `until ${shown(expiresAt)}` : 'valid', ...(rotatedTo ? [`replaced by ${rotatedTo}`] : [])].join(', ')
}

const tellMade = ({ key, record }: Made, { print, printError }: CommandOutput): void => {
  const { id, owner, network, plan, expiresAt } = record
  printError(
    `key ${id} of ${owner} for ${network}, plan ${plan}${expiresAt ? `, until ${shown(expiresAt)}` : ''}; it cannot be shown again:`,
  )
  print(key)
}

/** Returns the exit code: 0, 1 after a KeyError, 2 after any other error (for example if the database is not reachable). */
const guarded = async (printError: (text: string) => void, work: () => Promise<void>): Promise<number> => {
  try {
    await work()
    return 0
  } catch (error) {
    printError(`tonway: ${(error as Error).message}`)
    return error instanceof KeyError ? 1 : 2
  }
}

const formatTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const runKeys = (action: KeysAction, args: CommandArgs, config: CommandConfig, output: CommandOutput): Promise<number> =>
  guarded(output.printError, async () => {
    const [named = ''] = args.positionals
    // Whoever finds a leaked key has only its full text, so that is accepted. Only its id is used, so that the text is not printed again.
    const id = idOfKey(named) ?? named
    if (action === 'create') {
      const owner = lineOf(args, 'owner')
      if (owner === undefined) throw new KeyError('--owner is needed: a name for the owner of the key')
      const expires = textOf(args, 'expires')
      const expiresAt = expires === undefined ? undefined : parseExpires(expires, Date.now())
      const plan = nameOf(textOf(args, 'plan') ?? 'free', 'plan')
      const network = networkOf(args, config) ?? config.network[0]!
      const label = lineOf(args, 'label')
      tellMade(await withKeys(config, output.printError, (store) => store.create({ owner, network, plan, label, expiresAt })), output)
    } else if (action === 'rotate') {
      const overlap = parseOverlap(textOf(args, 'overlap') ?? '24h', 365)
      tellMade(await withKeys(config, output.printError, (store) => store.rotate(id, overlap)), output)
    } else if (action === 'revoke') {
      const record = await withKeys(config, output.printError, (store) => store.revoke(id))
      output.printError(`key ${id} of ${record.owner} is revoked`)
    } else {
      const found = await withKeys(config, output.printError, (store) =>
        store.list({ owner: textOf(args, 'owner'), network: textOf(args, 'for') }),
      )
      if (args.flags['json']) for (const record of found) output.print(JSON.stringify(record))
      else if (found.length === 0) output.printError('no keys')
      else
        output.print(
          formatTable(
            ['id', 'owner', 'network', 'plan', 'made', 'state', 'label'],
            found.map((each) => [each.id, each.owner, each.network, each.plan, shown(each.createdAt), stateOf(each), each.label]),
          ),
        )
    }
  })

/** Limits of a plan besides `rps`, changed by flags. `common` removes a limit from the plan. Throws KeyError. */
const limitsOf = (args: CommandArgs, old: Plan['limits']): Plan['limits'] => {
  const limits = new Map<string, number>(Object.entries(old))
  for (const name of LIMIT_NAMES) {
    const said = textOf(args, name)
    if (said === 'common') limits.delete(name)
    else if (said === 'unlimited') limits.set(name, -1)
    else if (said !== undefined && /^\d{1,7}$/.test(said) && Number(said) <= MAX_LIMIT) limits.set(name, Number(said))
    else if (said !== undefined) throw new KeyError(`--${name} must be a whole number from 0 to ${MAX_LIMIT}, unlimited or common`)
  }
  return Object.fromEntries(limits)
}

const limitWords = ({ limits }: Plan): string =>
  LIMIT_NAMES.map((name) => `${name} ${limits[name] === -1 ? 'unlimited' : (limits[name] ?? 'common')}`).join(', ')

const readPlan = (args: CommandArgs, config: CommandConfig, present: readonly Plan[]): Plan => {
  const name = nameOf(args.positionals[0] ?? '', 'plan')
  const network = networkOf(args, config) ?? ANY_NETWORK
  const old = present.find((plan) => plan.name === name && plan.network === network)
  const rps = textOf(args, 'rps')
  if (rps === undefined && old === undefined) throw new KeyError('--rps is needed for a new plan: calls per second')
  if (rps !== undefined && !(/^\d{1,7}$/.test(rps) && Number(rps) <= MAX_RPS))
    throw new KeyError(`--rps must be a whole number from 0 to ${MAX_RPS}; with 0 every call is refused`)
  const servers = textOf(args, 'servers')
  const group = servers === undefined ? old?.servers : servers === 'none' ? undefined : nameOf(servers, 'group')
  return { name, network, rps: rps === undefined ? old!.rps : Number(rps), servers: group, limits: limitsOf(args, old?.limits ?? {}) }
}

export const runPlans = (action: PlansAction, args: CommandArgs, config: CommandConfig, output: CommandOutput): Promise<number> =>
  guarded(output.printError, async () => {
    if (action === 'set') {
      const plan = await withKeys(config, output.printError, async (store) => {
        const requested = readPlan(args, config, await store.plans())
        await store.setPlan(requested)
        return requested
      })
      output.printError(
        `plan ${plan.name} for ${plan.network}: ${plan.rps} calls per second, lite-servers: ${plan.servers === undefined ? 'those without a group' : `the group ${plan.servers} first`}; limits: ${limitWords(plan)}`,
      )
      return
    }
    const plans = await withKeys(config, output.printError, (store) => store.plans())
    if (args.flags['json']) for (const plan of plans) output.print(JSON.stringify(plan))
    else
      output.print(
        formatTable(
          ['plan', 'network', 'calls/s', 'lite-server group', ...LIMIT_NAMES],
          plans.map(({ name, network, rps, servers, limits }) => [
            ...[name, network, String(rps), servers ?? 'none'],
            ...LIMIT_NAMES.map((each) => (limits[each] === -1 ? 'unlimited' : (limits[each]?.toString() ?? ''))),
          ]),
        ),
      )
  })
