import { parseArgs } from 'node:util'
import { didYouMean, suggest } from '../base/suggest.ts'
import { flagOf, type SettingName, settingNames } from '../config/settings.ts'
import { COMMANDS, type CommandDef, type CommandName, commandNames } from './commands.ts'

export interface CommandLine {
  readonly command: CommandName
  readonly action: string | undefined
  /** What the command line requests: to run the command, or to print help, version or settings. */
  readonly ask: 'run' | 'help' | 'version' | 'print-config'
  readonly settings: Partial<Record<SettingName, unknown>>
  /** Flags of the command, without those of settings. A flag without a value is true. */
  readonly flags: Readonly<Record<string, string | true>>
  readonly positionals: readonly string[]
}

const QUESTIONS = ['help', 'version', 'print-config'] as const
const byFlag = new Map<string, SettingName>(settingNames.map((name) => [flagOf(name), name]))

type Token = ReturnType<typeof tokenize>[number]

/**
 * Prefix for words that begin like a negative number, or like a raw address of the masterchain (`-1:`), because parseArgs would take them for short
 * options. No argument can contain this character.
 */
const GUARD = '\0'
const guarded = (word: string): string => (/^-[.\d]/.test(word) ? GUARD + word : word)

/** Splits the command line into tokens. `def`: undefined until the command is found; until then only flags of settings can have values. */
const tokenize = (argv: readonly string[], def: CommandDef | undefined) => {
  const options = Object.fromEntries([
    ...[...byFlag.keys()].map((name) => [name, { type: 'string' }] as const),
    ...Object.entries(def?.flags ?? {}).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const),
    ...QUESTIONS.map((name) => [name, { type: 'boolean' }] as const),
    ['h', { type: 'boolean', short: 'h' }] as const,
  ])
  const { tokens } = parseArgs({ args: argv.map(guarded), options, strict: false, tokens: true, allowPositionals: true })
  return tokens.map((token) =>
    token.kind !== 'option-terminator' && token.value?.startsWith(GUARD) ? { ...token, value: token.value.slice(GUARD.length) } : token,
  ) as typeof tokens
}

const positionalsOf = (tokens: readonly Token[]): string[] => tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))

interface Chosen {
  readonly command: CommandName
  readonly action: string | undefined
  readonly def: CommandDef
  readonly words: number
}

const choose = (words: readonly string[], problems: string[], showsHelp: boolean): Chosen => {
  const [first, second] = words
  if (first === undefined) return { command: 'serve', action: undefined, def: COMMANDS.serve, words: 0 }
  const command = commandNames.find((name) => name === first)
  if (command === undefined) {
    return { command: 'serve', action: undefined, def: COMMANDS.serve, words: 0 }
  }
  const def: CommandDef = COMMANDS[command]
  if (def.actions === undefined) return { command, action: undefined, def, words: 1 }
  const actions = Object.keys(def.actions)
  if (second !== undefined && actions.includes(second)) return { command, action: second, def: def.actions[second]!, words: 2 }
  const { usual } = def
  if (usual !== undefined && (second === undefined || showsHelp)) {
    return showsHelp
      ? { command, action: undefined, def, words: words.length }
      : { command, action: usual, def: def.actions[usual]!, words: 1 }
  }
  if (second !== undefined) problems.push(`${suggest(`action of ${command}`, second, actions)} (${actions.join(', ')})`)
  else if (!showsHelp) problems.push(`${command} needs an action: ${actions.join(', ')}`)
  return { command, action: undefined, def, words: words.length }
}

/** Names the flag as it was typed, which may be `-p`. */
const unknownFlag = ({ name, rawName }: { readonly name: string; readonly rawName: string }, names: readonly string[]): string =>
  `unknown setting ${rawName}${didYouMean(name, names, (flag) => `--${flag}`)}`

/** Parses the command line. Adds errors to `problems`, and returns everything that could be parsed. */
export const readArguments = (line: readonly string[], problems: string[]): CommandLine => {
  const argv = line[0] === 'help' ? [...line.slice(1), '--help'] : line
  // The command line is parsed twice, because the command decides which words are values of flags. The first pass only needs the flags of settings, which
  // all commands share.
  const showsHelp = argv.some((arg) => ['--help', '-h', '--version'].includes(arg))
  const chosen = choose(positionalsOf(tokenize(argv, undefined)), problems, showsHelp)
  const own = chosen.def.flags ?? {}
  const required = chosen.def.positionals ?? []
  const tokens = tokenize(argv, chosen.def)
  const settings: Partial<Record<SettingName, unknown>> = {}
  const flags: Record<string, string | true> = {}
  let ask: CommandLine['ask'] = 'run'
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, value } = token
    const question = QUESTIONS.find((each) => each === (name === 'h' ? 'help' : name))
    const setting = byFlag.get(name)
    const ours = Object.hasOwn(own, name) ? own[name] : undefined
    if (question) ask = question
    else if (ours !== undefined && ours.value === undefined) {
      if (value !== undefined) problems.push(`--${name} takes no value`)
      flags[name] = true
    } else if (!ours && !setting) problems.push(unknownFlag(token, [...byFlag.keys(), ...Object.keys(own), ...QUESTIONS]))
    else if (value === undefined || (!token.inlineValue && value.startsWith('--'))) problems.push(`--${name} needs a value`)
    else if (ours) flags[name] = value
    else settings[setting!] = value
  }
  const given = positionalsOf(tokens).slice(chosen.words)
  if (ask === 'run' && chosen.words > 0) {
    const missing = required.slice(given.length)
    const words = [chosen.command, ...(chosen.action === undefined ? [] : [chosen.action])].join(' ')
    if (missing.length > 0)
      problems.push(`${words} needs ${missing.join(' and ')}: tonway ${words} ${required.map((name) => `<${name}>`).join(' ')}`)
  }
  // A first word that is not a command is reported as a mistyped command. A word after an unknown flag may be its value, so it is only reported as
  // unexpected.
  const taken = chosen.def.rest === undefined ? required.length : given.length
  for (const extra of given.slice(taken))
    problems.push(chosen.words === 0 && extra === argv[0] ? suggest('command', extra, commandNames) : `unexpected argument ${extra}`)
  return { command: chosen.command, action: chosen.action, ask, settings, flags, positionals: given.slice(0, taken) }
}
