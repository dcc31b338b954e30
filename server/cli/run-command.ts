import type { CommandName } from './commands.ts'
import type { Command } from './streams.ts'

const ask = async (): Promise<Command> => (await import('./ask/ask.ts')).ask

/** The code of each command, loaded only when the command runs, so that the others cost nothing. The command `config` has ended before. */
const CODE: Readonly<Record<Exclude<CommandName, 'config'>, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  index: async () => (await import('./index-only.ts')).indexOnly,
  backfill: async () => (await import('./backfill.ts')).backfill,
  verify: async () => (await import('./maintenance.ts')).verify,
  repair: async () => (await import('./repair.ts')).repair,
  move: async () => (await import('./maintenance.ts')).move,
  migrate: async () => (await import('./maintenance.ts')).migrateTables,
  keys: async () => (await import('./keys/keys.ts')).runKeys,
  plans: async () => (await import('./keys/keys.ts')).runPlans,
  tokens: async () => (await import('./tokens/import-tokens.ts')).importTokens,
  status: async () => (await import('./status.ts')).showStatus,
  wallet: ask,
  fund: ask,
  call: ask,
  trace: ask,
  snapshot: ask,
  revert: ask,
}

export const runCommand: Command = async (given, streams) => (await CODE[given.command as keyof typeof CODE]())(given, streams)
