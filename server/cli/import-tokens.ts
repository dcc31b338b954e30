import { readFileSync, statSync } from 'node:fs'
import type { Config } from '../config/settings.ts'
import { chooseNetwork } from './find-network.ts'
import type { Streams } from './streams.ts'
import { readTokenList } from './token-list.ts'
import { untilStopped } from './until-stopped.ts'

/** Maximum file size in bytes, enough for more than a million tokens. */
const MAX_BYTES = 128 << 20
const MAX_FAULTS = 20

const readFile = (path: string): string => {
  const { size } = statSync(path)
  if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, and ${MAX_BYTES} are accepted`)
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
}

export const importTokens = async (
  config: Config,
  { file, only }: { readonly file: string; readonly only: string | undefined },
  { print, printError }: Pick<Streams, 'print' | 'printError'>,
): Promise<number> => {
  const network = chooseNetwork(config, only, printError)
  if (network === undefined) return 2
  let text: string
  try {
    text = readFile(file)
  } catch (error) {
    printError(`tonway: cannot read ${file}: ${(error as Error).message}`)
    return 1
  }
  const { tokens, faults } = readTokenList(text)
  for (const fault of faults.slice(0, MAX_FAULTS)) printError(`tonway: ${file}, ${fault}`)
  if (faults.length > 0) {
    printError(`tonway: ${faults.length} ${faults.length === 1 ? 'line is' : 'lines are'} wrong, so nothing was changed`)
    return 1
  }
  const [{ withCommandDatabase }, { replaceTokenFlags }] = await Promise.all([
    import('../access/command-database.ts'),
    import('../network/replace-token-flags.ts'),
  ])
  const place = { databaseUrl: network.databaseUrl, dataDir: config.dataDir }
  try {
    await untilStopped((signal) =>
      withCommandDatabase(place, 'flags of tokens', printError, (connection) =>
        replaceTokenFlags({ connection, suffix: network.database }, tokens, signal),
      ),
    )
  } catch (error) {
    printError(`tonway: cannot replace the flags of tokens: ${(error as Error).message}`)
    return 2
  }
  const count = (flag: 'is_scam' | 'is_nsfw'): number => tokens.filter((token) => token[flag]).length
  print(`${network.name}: ${tokens.length} tokens, ${count('is_scam')} of them scam, ${count('is_nsfw')} not safe for work`)
  return 0
}
