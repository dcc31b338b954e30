import { withoutSecrets } from '../base/secrets.ts'
import { type Config, flagOf, type Origins, type OwnSettings, SETTINGS, type SettingName, settingNames } from '../config/settings.ts'
import { CONFIG_FILE } from '../config/sources.ts'
import { COMMANDS, type CommandDef, type CommandName, commandNames, type FlagDef } from './commands.ts'

/** Lines of a table: each column is as wide as its longest text. */
export const formatTable = (rows: readonly (readonly string[])[]): string[] => {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows.map((row) =>
    row
      .map((text, column) => (column === row.length - 1 ? text : text.padEnd(width(column))))
      .join('  ')
      .trimEnd(),
  )
}

const settingRows = (): string[] =>
  formatTable(
    settingNames.map((name) => {
      const { env, fallback, what } = SETTINGS[name]
      return [`  --${flagOf(name)}`, env, fallback === undefined || fallback === '' ? '' : String(fallback), what]
    }),
  )

const flagRows = (flags: Readonly<Record<string, FlagDef>>): string[] =>
  formatTable(Object.entries(flags).map(([name, { value, what }]) => [`  --${name}${value === undefined ? '' : ` <${value}>`}`, what]))

const ORDER = `A flag wins over the environment, the environment over ${CONFIG_FILE} in the working directory.`

export const usage = (): string =>
  [
    'tonway: a TON access service in one process',
    '',
    'usage: tonway [command] [settings]',
    '',
    ...formatTable(commandNames.map((name) => [`  ${name}`, COMMANDS[name].what])),
    '',
    'settings, with their names in the environment and defaults:',
    ...settingRows(),
    '',
    '  --print-config  shows every setting and where it came from',
    '  --version, --help (also of a command)',
    '',
    ORDER,
  ].join('\n')

const usageLine = (words: readonly string[], { positionals = [], rest, flags, actions, usual }: CommandDef): string =>
  [
    'usage: tonway',
    ...words,
    ...(actions ? [usual === undefined ? '<action>' : '[action]'] : []),
    ...positionals.map((name) => `<${name}>`),
    ...(rest === undefined ? [] : [`[${rest}]`]),
    ...(flags ? ['[flags]'] : []),
    '[settings]',
  ].join(' ')

export const usageOf = (command: CommandName, action: string | undefined): string => {
  const whole: CommandDef = COMMANDS[command]
  const def = action === undefined ? whole : (whole.actions?.[action] ?? whole)
  const words = action === undefined ? [command] : [command, action]
  const actions = action === undefined ? Object.entries(whole.actions ?? {}) : []
  return [
    `tonway ${words.join(' ')}: ${def.what}`,
    '',
    usageLine(words, def),
    ...(actions.length > 0
      ? ['', ...formatTable(actions.map(([name, { what }]) => [`  ${name}`, name === whole.usual ? `${what} (the default action)` : what]))]
      : []),
    ...(def.flags ? ['', ...flagRows(def.flags)] : []),
    ...(def.more ? ['', ...def.more] : []),
    ...(def.examples ? ['', 'examples:', ...def.examples.map((line) => `  ${line}`)] : []),
    '',
    `tonway --help lists the settings. ${ORDER}`,
  ].join('\n')
}

/** JSON of a value without passwords of URLs. */
const shownText = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? withoutSecrets(each) : each)) ?? 'none'

const written = (name: string, value: unknown): unknown => {
  const setting = SETTINGS[name as SettingName] as { readonly written?: (value: unknown) => unknown } | undefined
  return setting?.written === undefined ? value : setting.written(value)
}

export const describeConfig = (config: Config, origins: Origins): string => {
  const own = Object.entries(config.networks).flatMap(([network, settings]) =>
    Object.entries(settings as OwnSettings).map(([name, value]) => [`networks.${network}.${name}`, written(name, value), 'file'] as const),
  )
  const rows = [...settingNames.map((name) => [name, written(name, config[name]), origins[name]] as const), ...own]
  return formatTable(rows.map(([name, value, origin]) => [name, `${shownText(value)}  (${origin})`])).join('\n')
}
