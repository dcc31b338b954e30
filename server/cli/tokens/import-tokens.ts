import { readFile as readBytes, stat } from 'node:fs/promises'
import { UserError } from '../../base/user-error.ts'
import { replaceTokenFlags } from '../../network/replace-token-flags.ts'
import { chooseNetwork } from '../choose-network.ts'
import { withCommandDatabase } from '../keys/command-database.ts'
import type { Given, Streams } from '../streams.ts'
import { attempt, untilStopped } from '../until-stopped.ts'
import { readTokenList } from './token-list.ts'

/** Maximum file size in bytes, enough for more than a million tokens. */
const MAX_BYTES = 128 << 20
const MAX_FAULTS = 20

const readFile = async (path: string): Promise<string> => {
  const { size } = await stat(path)
  if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, and ${MAX_BYTES} are accepted`)
  return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(path))
}

export const importTokens = async (
  { config, flags, positionals }: Pick<Given, 'config' | 'flags' | 'positionals'>,
  { print, printError }: Pick<Streams, 'print' | 'printError'>,
): Promise<number> => {
  const network = chooseNetwork(config, flags['only'])
  const [file = ''] = positionals
  const { tokens, faults } = readTokenList(await attempt(`read ${file}`, 1, () => readFile(file)))
  if (faults.length > 0) {
    const shown = faults.slice(0, MAX_FAULTS).map((fault) => `${file}, ${fault}`)
    throw new UserError([...shown, `${faults.length} ${faults.length === 1 ? 'entry is' : 'entries are'} wrong, so nothing was changed`], 1)
  }
  const count = (flag: 'is_scam' | 'is_nsfw'): number => tokens.filter((token) => token[flag]).length
  const place = { databaseUrl: network.databaseUrl, dataDir: config.dataDir }
  return await untilStopped('replace the flags of tokens', 2, async (signal) => {
    await withCommandDatabase(place, { what: 'flags of tokens', makes: true, printError }, (connection) =>
      replaceTokenFlags({ connection, suffix: network.database }, tokens, signal),
    )
    print(`${network.name}: ${tokens.length} tokens, ${count('is_scam')} of them scam, ${count('is_nsfw')} not safe for work`)
    return 0
  })
}
