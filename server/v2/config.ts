import type { config } from '../../shared/v2/config.ts'
import type { Handlers } from '../base/call.ts'
import type { Chain } from '../chain/chain-port.ts'
import { createAnswerTexts } from './answer-texts.ts'
import { inspectParams } from './inspect/config.ts'
import { base64, bocInTurns, hex, maybeBocInTurns } from './wire.ts'

const info = (bytes: string) => ({ '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes } }) as const

export const configHandlers = ({ chain }: { readonly chain: Chain }): Pick<Handlers, keyof typeof config> => ({
  async getConfigParam({ config_id, param, seqno }, { signal }) {
    return info(await maybeBocInTurns((await chain.config(seqno, signal)).param(config_id ?? param!), signal))
  },

  async getConfigAll({ seqno }, { signal }) {
    return info(await bocInTurns((await chain.config(seqno, signal)).root, signal))
  },

  async inspectConfig({ seqno }, call) {
    return { params: await inspectParams((await chain.config(seqno, call.signal)).root, createAnswerTexts(call)) }
  },

  async getLibraries({ libraries }, { signal }) {
    const requested = [...new Map(libraries.map((hash) => [hex(hash), hash])).entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, hash]) => hash)
    const found = requested.length === 0 ? [] : await chain.libraries(requested, signal)
    const byHash = new Map(found.map(({ hash, code }) => [hex(hash), code]))
    const result: { '@type': 'smc.libraryEntry'; hash: string; data: string }[] = []
    for (const hash of requested) {
      const code = byHash.get(hex(hash))
      // A library of the embedded chain can have as many cells as an account.
      if (code !== undefined) result.push({ '@type': 'smc.libraryEntry', hash: base64(hash), data: await bocInTurns(code, signal) })
    }
    return { '@type': 'smc.libraryResult', result }
  },
})
