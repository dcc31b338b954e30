import { withoutSecrets } from '../base/secrets.ts'
import { networkProblems, readOwnSettings } from '../config/networks.ts'
import { type Config, flagOf, type Origin, type Origins, SETTINGS, type SettingName, settingNames, shownValue } from '../config/settings.ts'
import { CONFIG_FILE, readEnvironment, readFileSettings, type SettingTexts } from '../config/sources.ts'
import { type CommandLine, readArguments } from './arguments.ts'

export interface Sources {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Text of tonway.config.json; undefined if the file does not exist. */
  readonly file: string | undefined
  /** Name of the file in error texts; the default is its own name. */
  readonly from?: string
}

export interface Loaded extends Omit<CommandLine, 'settings'> {
  readonly config: Config
  readonly origins: Origins
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    // A problem contains the given value, which may be a URL with a password, so secrets are hidden.
    const shown = problems.map(withoutSecrets)
    super(shown.join('\n'))
    this.problems = shown
  }
}

const shownAs = (name: SettingName, origin: Origin, from: string): string => {
  if (origin === 'flag') return `--${flagOf(name)}`
  return origin === 'environment' ? SETTINGS[name].env : origin === 'file' ? `${from}: ${name}` : name
}

/** Takes each setting from the first source that contains it, and validates it. */
const resolve = (
  by: Readonly<Record<Exclude<Origin, 'default'>, SettingTexts>>,
  problems: string[],
  from: string,
): { readonly values: Record<string, unknown>; readonly origins: Record<string, Origin> } => {
  const values: Record<string, unknown> = {}
  const origins: Record<string, Origin> = {}
  for (const name of settingNames) {
    const { fallback, schema } = SETTINGS[name]
    const source = (['flag', 'environment', 'file'] as const).find((origin) => by[origin][name] !== undefined)
    const value = source === undefined ? fallback : by[source][name]
    const origin = source ?? 'default'
    const parsed = schema.safeParse(value)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${shownAs(name, origin, from)}=${shownValue(name, value)} ${parsed.error.issues[0]?.message ?? 'is not valid'}`)
    origins[name] = origin
  }
  return { values, origins }
}

/** Loads the settings from flags, then the environment, then the file, then defaults. Throws ConfigError with all problems at once. */
export const loadConfig = (sources: Sources): Loaded => {
  const problems: string[] = []
  const { from = CONFIG_FILE } = sources
  const { settings: flag, ...line } = readArguments(sources.argv, problems)
  const environment = readEnvironment(sources.env, problems)
  const { settings: file, networks: ownSettings } = readFileSettings(sources.file, problems, from)
  const { values, origins } = resolve({ flag, environment, file }, problems, from)
  const networks = readOwnSettings(`${from}: networks`, ownSettings, problems)
  const config = { ...values, networks } as Config
  if (problems.length === 0) problems.push(...networkProblems(config))
  // Help and version are shown even if settings are invalid.
  if (problems.length > 0 && line.ask !== 'help' && line.ask !== 'version') throw new ConfigError(problems)
  return { ...line, config, origins: origins as Origins }
}
