import { exitCodeOf } from '../../server/cli/cli.ts'
import { loadConfig } from '../../server/cli/load-config.ts'
import type { Streams } from '../../server/cli/streams.ts'
import type { Config } from '../../server/config/settings.ts'

/** Settings as flags. */
export const configOf = (...argv: readonly string[]): Config =>
  loadConfig({ argv: [...argv, '--log', 'silent'], env: {}, file: undefined }).config

/** Streams of a command that is called in this process, and what it said. */
export const listen = (): { readonly streams: Streams; readonly out: string[]; readonly err: string[]; readonly drawn: string[] } => {
  const [out, err, drawn] = [[], [], []] as [string[], string[], string[]]
  const to = (lines: string[]) => (text: string) => void lines.push(text)
  return { streams: { print: to(out), printError: to(err), draw: to(drawn), isTerminal: false }, out, err, drawn }
}

/** Runs a command in this process as the command line does: its exit code, and what it said. */
export const runWith = async (run: (streams: Streams) => Promise<number | undefined>) => {
  const { streams, ...said } = listen()
  return { code: await exitCodeOf(() => run(streams), streams), ...said }
}
