import { parseArgs } from 'node:util'
import { didYouMean, suggest } from '../base/suggest.ts'
import { flagOf, type SettingName, settingNames } from '../config/settings.ts'
import { COMMANDS, type CommandDef, type CommandName, commandNames } from './commands.ts'

const QUESTIONS = ['help', 'version', 'print-config'] as const
const byFlag = new Map<string, SettingName>(settingNames.map((name) => [flagOf(name), name]))

/** Commands and their actions. */
const DEFS = Object.values<CommandDef>(COMMANDS).flatMap((def) => [def, ...Object.values(def.actions ?? {})])

/** Flags of all commands, and those of settings. Commands that have a flag of the same name agree on whether it has a value. */
const OPTIONS = Object.fromEntries([
  ...DEFS.flatMap(({ flags = {} }) => Object.entries(flags)).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  ),
  ...[...byFlag.keys()].map((name) => [name, { type: 'string' }] as const),
  ...QUESTIONS.map((name) => [name, { type: 'boolean', ...(name === 'help' && { short: 'h' }) }] as const),
])

/**
 * Prefix for words that begin like a negative number, or like a raw address of the masterchain (`-1:`), because parseArgs would take them for short
 * options. No argument can contain this character.
 */
const GUARD = '\0'
const guarded = (word: string): string => (/^-[.\d]/.test(word) ? GUARD + word : word)
const unguarded = (word: string): string => (word.startsWith(GUARD) ? word.slice(GUARD.length) : word)

interface Chosen {
  readonly command: CommandName
  readonly action: string | undefined
  readonly def: CommandDef
  /** Number of words that name the command and its action. */
  readonly words: number
}

const choose = (words: readonly string[], problems: string[], showsHelp: boolean): Chosen => {
  const [first, second] = words
  const command = commandNames.find((name) => name === first)
  if (command === undefined) return { command: 'serve', action: undefined, def: COMMANDS.serve, words: 0 }
  const def: CommandDef = COMMANDS[command]
  if (def.actions === undefined) return { command, action: undefined, def, words: 1 }
  const actions = Object.keys(def.actions)
  if (second !== undefined && actions.includes(second)) return { command, action: second, def: def.actions[second]!, words: 2 }
  const { usual } = def
  if (usual !== undefined && second === undefined && !showsHelp) return { command, action: usual, def: def.actions[usual]!, words: 1 }
  const names = actions.join(', ')
  if (second !== undefined) problems.push(`${suggest(`action of ${command}`, second, actions)} (${names})`)
  else if (!showsHelp) problems.push(`${command} needs an action: ${names}`)
  return { command, action: undefined, def, words: words.length }
}

/** Parses the command line. Adds errors to `problems`, and returns everything that could be parsed. */
export const readArguments = (line: readonly string[], problems: string[]) => {
  const argv = line[0] === 'help' ? [...line.slice(1), '--help'] : line
  const { tokens } = parseArgs({ args: argv.map(guarded), options: OPTIONS, strict: false, tokens: true, allowPositionals: true })
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [unguarded(token.value)] : []))
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []))
  /** Errors of the words and flags of the command. */
  const wrong: string[] = []
  const showsHelp = given.some(({ name }) => name === 'help' || name === 'version')
  const { command, action, def, words: named } = choose(words, wrong, showsHelp)
  const { flags: own = {}, positionals: required = [], rest } = def
  const settings: Partial<Record<SettingName, unknown>> = {}
  /** Flags of the command, without those of settings. A flag without a value has an empty one. */
  const flags: Partial<Record<string, string>> = {}
  /** What the command line requests: to run the command, or to print help, version or settings. */
  let ask = 'run' as 'run' | (typeof QUESTIONS)[number]
  for (const { name, rawName, value, inlineValue } of given) {
    const question = QUESTIONS.find((each) => each === name)
    const setting = byFlag.get(name)
    const flag = Object.hasOwn(own, name) ? own[name] : undefined
    if (question) ask = question
    // Names the flag as it was typed, which may be `-p`.
    else if (!flag && !setting) {
      const names = [...byFlag.keys(), ...Object.keys(own), ...QUESTIONS].map((each) => `--${each}`)
      wrong.push(`unknown setting ${rawName}${didYouMean(`--${name}`, names)}`)
    } else if (flag && flag.value === undefined) {
      if (value !== undefined) wrong.push(`--${name} takes no value`)
      flags[name] = ''
    } else if (value === undefined || (!inlineValue && value.startsWith('--'))) wrong.push(`--${name} needs a value`)
    else if (flag) flags[name] = unguarded(value)
    else settings[setting!] = unguarded(value)
  }
  const rests = words.slice(named)
  // An empty word is an unset variable of a shell. The server ignores an empty hash, and would answer about any trace.
  const missing = required.filter((_name, i) => !rests[i])
  if (ask === 'run' && named > 0 && missing.length > 0) {
    const name = [command, ...(action === undefined ? [] : [action])].join(' ')
    wrong.push(`${name} needs ${missing.join(' and ')}: tonway ${name} ${required.map((each) => `<${each}>`).join(' ')}`)
  }
  const taken = rest === undefined ? required.length : rests.length
  for (const extra of rests.slice(taken)) wrong.push(`unexpected argument ${extra}`)
  // The words and flags after a mistyped command belong to a command that is not known. A word after an unknown flag may be its value.
  const mistyped = named === 0 && words[0] === argv[0] ? words[0] : undefined
  problems.push(...(mistyped === undefined ? wrong : [suggest('command', mistyped, commandNames)]))
  return { command, action, ask, settings, flags, positionals: rests.slice(0, taken) as readonly string[] }
}
