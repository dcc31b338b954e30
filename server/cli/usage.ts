import { flagOf, SETTINGS, settingNames } from '../config/settings.ts'
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
