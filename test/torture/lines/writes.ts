import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectFolder } from '../../kit/project.ts'
import { createRandom } from '../../kit/random.ts'
import { CallError } from '../../kit/service/client.ts'
import { createLedger, type Ledger } from '../ledger.ts'
import type { Line, Scene } from '../line.ts'
import { createSpender, isGone, setUpWallets, WALLETS } from '../load.ts'
import { createStation, type Station } from '../station.ts'

/* A new chain makes a few blocks, and one write of its store goes wrong. What clients were told is there afterwards, or they were told why it was refused. */

/** Writes that such a chain always has, from its first file to its last block. A few more come if no two messages meet in a block. */
const WRITES = 40
/** How a write goes wrong, and last how a sync does (see failing-writes.mjs). */
const WAYS = ['refused', 'full', 'torn', 'lost'] as const
type Way = (typeof WAYS)[number] | 'unsynced'
/** Syncs that always come, however many blocks one of them brings to the disk. */
const SYNCS = 4
const BLOCKS = 8
const PRELOAD = pathToFileURL(join(projectFolder, 'test/kit/service/failing-writes.mjs')).href
/** What a refusal has to say: that the disk takes no writes, and why. */
const CAUSE = /cannot be (written|opened in \S+): its disk (is full|fails)/

/** A chain that makes blocks for messages alone, so that the same calls lead to the same writes. */
const SETTINGS = ['--index', 'off', '--block-time', '0', '--liteserver-port', 'off']

/** Wallets are set, and pay; each payment makes a block. Returns the refusals that clients met. */
const load = async (url: string, ledger: Ledger): Promise<readonly string[]> => {
  const refusals: string[] = []
  const spenders = WALLETS.map((_, n) => createSpender(ledger, createRandom(n), n))
  const steps = [() => setUpWallets(url), ...Array.from({ length: BLOCKS }, (_, i) => () => spenders[i % spenders.length]!(url))]
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      if (isGone(error)) return refusals
      if (!(error instanceof CallError)) throw error
      refusals.push(error.message)
    }
  }
  return refusals
}

interface Ended {
  readonly station: Station
  readonly ledger: Ledger
  readonly refusals: readonly string[]
  /** How many writes there were, up to the one that went wrong. */
  readonly writes: number
}

/** Runs the load in a service whose write of a number goes wrong, and ends it. */
const run = async (way: Way, at: number): Promise<Ended> => {
  const ledger = createLedger()
  const env: Record<string, string> = {}
  const station = createStation({ settings: SETTINGS, env })
  const report = `${station.dataDir}.writes`
  Object.assign(env, { NODE_OPTIONS: `--import=${PRELOAD}`, FAILING_WRITES: JSON.stringify({ folder: station.dataDir, at, way, report }) })
  try {
    let refusals: readonly string[] = []
    try {
      refusals = await load(await station.start(), ledger)
    } catch (error) {
      // A service that cannot write its first files ends, and says why.
      refusals = [(error as Error).message]
    }
    await station.stop().catch(() => {})
    const writes = existsSync(report) ? Number(readFileSync(report, 'utf8')) : 0
    for (const name of Object.keys(env)) delete env[name]
    return { station, ledger, refusals, writes }
  } catch (error) {
    await station.close()
    throw error
  }
}

const round = async (way: Way, at: number): Promise<void> => {
  const { station, ledger, refusals, writes } = await run(way, at)
  const fault = (text: string): Error => new Error(`write ${at}, ${way}: ${text}`)
  try {
    if (writes !== at) throw fault(`there were ${writes} writes`)
    const wrong = way !== 'torn' && way !== 'lost' ? refusals.find((text) => !CAUSE.test(text)) : undefined
    if (wrong !== undefined) throw fault(`a refusal that does not say what to do: ${wrong}`)
    const url = await station.start()
    await ledger.check(url, { index: false })
    // Wallets that have paid are not set again: their messages would count as not there.
    if (ledger.counts().messages === 0) await setUpWallets(url)
    await createSpender(ledger, createRandom(1), 0)(url)
    await ledger.check(url, { index: false })
    await station.stop()
    await station.command('repair', '--check')
  } catch (error) {
    throw (error as Error).message.startsWith('write ') ? error : fault((error as Error).stack ?? String(error))
  } finally {
    await station.close()
  }
}

const open = async (): Promise<Scene> => {
  const undisturbed = await run('refused', Number.MAX_SAFE_INTEGER)
  await undisturbed.station.close()
  const { writes, refusals } = undisturbed
  if (refusals.length > 0) throw new Error(refusals.join('; '))
  if (writes < WRITES || writes > WRITES + 8)
    throw new Error(`the chain has ${writes} writes, not about ${WRITES}: the line has to be renewed`)
  return {
    round(number) {
      const at = Math.floor(number / WAYS.length) + 1
      return at <= WRITES ? round(WAYS[number % WAYS.length]!, at) : round('unsynced', number - WRITES * WAYS.length + 1)
    },
    finish: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

export const WRITES_LINE: Line = {
  what: "each write of the chain's store fails, is torn, or finds the disk full",
  perScene: 200,
  quick: 1,
  total: WRITES * WAYS.length + SYNCS,
  open,
}
