import { UserError } from '../base/user-error.ts'
import { networkProblems, readOwnSettings } from '../config/networks.ts'
import { type Config, flagOf, type Origin, type Origins, SETTINGS, type SettingName, settingNames, shownValue } from '../config/settings.ts'
import { CONFIG_FILE, readEnvironment, readFileSettings, type SettingTexts } from '../config/sources.ts'
import { readArguments } from './arguments.ts'

export interface Sources {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Text of tonway.config.json; undefined if the file does not exist. */
  readonly file: string | undefined
  /** Name of the file in error texts; the default is its own name. */
  readonly from?: string
}

export type Loaded = ReturnType<typeof loadConfig>

/** Loads the settings from flags, then the environment, then the file, then defaults. Throws UserError with all problems at once. */
export const loadConfig = ({ argv, env, file, from = CONFIG_FILE }: Sources) => {
  const problems: string[] = []
  const { settings: flags, ...line } = readArguments(argv, problems)
  const environment = readEnvironment(env, problems)
  const inFile = readFileSettings(file, problems, from)
  /** Settings by their origin. `shownAs`: name of a setting there, for error texts. */
  const sources = [
    { origin: 'flag', settings: flags as SettingTexts, shownAs: (name: SettingName) => `--${flagOf(name)}` },
    { origin: 'environment', settings: environment, shownAs: (name: SettingName) => SETTINGS[name].env },
    { origin: 'file', settings: inFile.settings, shownAs: (name: SettingName) => `${from}: ${name}` },
  ] as const
  const values: Record<string, unknown> = {}
  const origins: Record<string, Origin> = {}
  for (const name of settingNames) {
    const { fallback, schema } = SETTINGS[name]
    const source = sources.find(({ settings }) => settings[name] !== undefined)
    const value = source === undefined ? fallback : source.settings[name]
    const parsed = schema.safeParse(value)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${source?.shownAs(name) ?? name}=${shownValue(name, value)} ${parsed.error.issues[0]?.message ?? 'is not valid'}`)
    origins[name] = source?.origin ?? 'default'
  }
  const networks = readOwnSettings(`${from}: networks`, inFile.networks, problems)
  const config = { ...values, networks } as Config
  if (problems.length === 0) problems.push(...networkProblems(config))
  // Help and version are shown even if settings are invalid.
  if (problems.length > 0 && line.ask !== 'help' && line.ask !== 'version') throw new UserError(problems)
  return { ...line, config, origins: origins as Origins }
}
