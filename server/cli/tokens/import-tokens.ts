import { readFileSync, statSync } from 'node:fs'
import { replaceTokenFlags } from '../../network/replace-token-flags.ts'
import { chooseNetwork } from '../choose-network.ts'
import { withCommandDatabase } from '../keys/command-database.ts'
import type { Given, Streams } from '../streams.ts'
import { untilStopped } from '../until-stopped.ts'
import { readTokenList } from './token-list.ts'

/** Maximum file size in bytes, enough for more than a million tokens. */
const MAX_BYTES = 128 << 20
const MAX_FAULTS = 20

const readFile = (path: string): string => {
  const { size } = statSync(path)
  if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, and ${MAX_BYTES} are accepted`)
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
}

export const importTokens = async (
  { config, flags, positionals }: Pick<Given, 'config' | 'flags' | 'positionals'>,
  { print, printError }: Pick<Streams, 'print' | 'printError'>,
): Promise<number> => {
  const network = chooseNetwork(config, flags['only'], { printError })
  if (network === undefined) return 2
  const [file = ''] = positionals
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
    printError(`tonway: ${faults.length} ${faults.length === 1 ? 'entry is' : 'entries are'} wrong, so nothing was changed`)
    return 1
  }
  const count = (flag: 'is_scam' | 'is_nsfw'): number => tokens.filter((token) => token[flag]).length
  const place = { databaseUrl: network.databaseUrl, dataDir: config.dataDir }
  return await untilStopped('replace the flags of tokens', 2, { printError }, async (signal) => {
    await withCommandDatabase(place, 'flags of tokens', printError, (connection) =>
      replaceTokenFlags({ connection, suffix: network.database }, tokens, signal),
    )
    print(`${network.name}: ${tokens.length} tokens, ${count('is_scam')} of them scam, ${count('is_nsfw')} not safe for work`)
    return 0
  })
}
