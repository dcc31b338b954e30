import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTonway, type Tonway } from '../../server/start/tonway.ts'
import type { LocalCall } from '../kit/chain/local-calls.ts'
import { projectFolder } from '../kit/project.ts'
import { rpc } from '../kit/service/client.ts'
import { playScene } from './scene/scene.ts'

/* The service that the cases are recorded from and checked against. */

/** The state that the chain begins with. Its offset lets the chain's time stand still until the scene moves it. */
const genesis = JSON.parse(readFileSync(join(projectFolder, 'test/conformance/genesis.json'), 'utf8'))

export interface Scene {
  readonly tonway: Tonway
  readonly url: string
  readonly call: LocalCall
  /** Time of the next block, unix seconds. */
  readonly now: number
  /** Addresses of the scene by what they are. */
  readonly names: Readonly<Record<string, string | number>>
}

/** Starts the service with its index, plays the scene, and waits until the index has it. */
export const startScene = async (): Promise<Scene> => {
  const tonway = await startTonway({ genesis, index: true })
  try {
    const call: LocalCall = (method, params) => rpc(tonway.url, method, params)
    const scene = await playScene(call, genesis.utime)
    await tonway.indexed()
    return { tonway, url: tonway.url, call, ...scene }
  } catch (error) {
    await tonway.close()
    throw error
  }
}
