import { readFileSync } from 'node:fs'
import { UserError } from '../base/user-error.ts'
import { VERSION } from '../base/version.ts'
import { CONFIG_FILE } from '../config/sources.ts'
import type { AskName } from './ask/commands.ts'
import type { CommandName } from './commands.ts'
import { type Loaded, loadConfig } from './load-config.ts'
import type { Command, Streams } from './streams.ts'
import { describeConfig, usage, usageOf } from './usage.ts'

/** The code of each command that does not ask a server, loaded only when the command runs, so that the others cost nothing. */
const CODE: Readonly<Record<Exclude<CommandName, 'config' | AskName>, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  index: async () => (await import('./index-commands.ts')).indexOnly,
  backfill: async () => (await import('./index-commands.ts')).backfill,
  verify: async () => (await import('./maintenance.ts')).verify,
  repair: async () => (await import('./repair.ts')).repair,
  move: async () => (await import('./maintenance.ts')).move,
  migrate: async () => (await import('./maintenance.ts')).migrateTables,
  keys: async () => (await import('./keys/keys.ts')).runKeys,
  plans: async () => (await import('./keys/keys.ts')).runKeys,
  tokens: async () => (await import('./tokens/import-tokens.ts')).importTokens,
  status: async () => (await import('./status.ts')).showStatus,
}

const codeOf = async (command: Exclude<CommandName, 'config'>): Promise<Command> =>
  command in CODE ? CODE[command as keyof typeof CODE]() : (await import('./ask/ask.ts')).ask

const configFile = (): string | undefined => {
  try {
    return readFileSync(CONFIG_FILE, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UserError(`${CONFIG_FILE}: ${(error as Error).message}`)
  }
}

const read = (argv: readonly string[], env: Readonly<NodeJS.ProcessEnv>): Loaded => {
  try {
    return loadConfig({ argv, env, file: configFile() })
  } catch (error) {
    throw error instanceof UserError ? new UserError([...error.problems, '--help lists every command and setting']) : error
  }
}

/** @internal Runs a command. Resolves with its exit code. A UserError is printed. */
export const exitCodeOf = async (
  run: () => Promise<number | undefined>,
  { printError }: Pick<Streams, 'printError'>,
): Promise<number | undefined> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const problem of error.problems) printError(`tonway: ${problem}`)
    return error.exitCode
  }
}

/** Runs the command line. Resolves with the exit code; with undefined if the command goes on until a signal arrives. */
export const runCli = (argv: readonly string[], env: Readonly<NodeJS.ProcessEnv>, streams: Streams): Promise<number | undefined> =>
  exitCodeOf(async () => {
    const given = read(argv, env)
    const { ask, command, action, config, origins } = given
    if (ask === 'help') streams.print(argv.some((word) => word === command) ? usageOf(command, action) : usage())
    else if (ask === 'version') streams.print(VERSION)
    else if (ask === 'print-config' || command === 'config') streams.print(describeConfig(config, origins))
    else return (await codeOf(command))(given, streams)
    return 0
  }, streams)
