import { setTimeout as sleep } from 'node:timers/promises'
import { portionsOf } from '../base/memory/portions.ts'
import { createPermits } from '../base/permits.ts'
import { oneAtATime } from '../base/promises/one-at-a-time.ts'
import { mapWithPauses } from '../base/yield.ts'
import type { Outcome } from './delivery.ts'
import { type Runner, type RunnerDeps, startRunner } from './runner.ts'
import type { Hook, HookStore } from './store.ts'

export interface SenderDeps extends Pick<RunnerDeps, 'hub' | 'post' | 'now' | 'firstPause' | 'log'> {
  /** Those of the owners that have a valid key; undefined if keys are not checked. */
  readonly owners: ((of: readonly string[]) => Promise<ReadonlySet<string>>) | undefined
}

export interface SentFigures {
  delivered: number
  failed: number
}

/**
 * Limits concurrent deliveries. A receiver that does not answer occupies a permit for ten seconds, so hooks that failed have their own permits. The hooks of a
 * few owners, with slow receivers, leave permits for those of others.
 */
const permitsFor = (atOnce: number) =>
  createPermits({ atOnce, isShared: true, waiting: 20_000, patience: 2 ** 31 - 1, text: 'too many deliveries wait' })
/** Milliseconds between two writes of cursors. After a crash, events since the last write are delivered again. */
const SAVE_MS = 100
/** Milliseconds between two writes of the cursors of hooks without events (IDLE_MS), and between two checks of the owners' keys (KEYS_MS). */
const IDLE_MS = 30_000
const KEYS_MS = 60_000

/** Hooks whose rows are read together: each may have a thousand addresses, which take milliseconds to read. */
const LOADED_AT_ONCE = 16

const stopAll = async (runners: readonly Runner[]): Promise<void> => {
  await Promise.all(await mapWithPauses(runners, (runner) => runner.stop()))
}

export type Sender = ReturnType<typeof createSender>

/** Sends the events of all hooks of a network. One process at a time has a sender. */
export const createSender = (store: HookStore, sent: SentFigures, { owners, log, ...deps }: SenderDeps) => {
  const runners = new Map<string, Runner>()
  const permits = { healthy: permitsFor(512), failing: permitsFor(128) }
  const budget = { bytes: 0, ofOwner: new Map<string, number>(), turns: permitsFor(8) }
  const moved = new Set<Hook>()
  let versions: ReadonlyMap<string, string> = new Map()
  let paused = 0
  let keysAt = Number.NEGATIVE_INFINITY

  const save = async (): Promise<void> => {
    const all = [...moved]
    moved.clear()
    if (all.length > 0) await store.saveCursors(all)
  }
  /**
   * Writes the changed cursors after SAVE_MS, and those that change meanwhile after that. So at most one write waits for a database that is slow. A failure is
   * only logged: the connection is lost then, which also ends this sender.
   */
  const saveSoon = oneAtATime(async () => {
    await sleep(SAVE_MS)
    await save().catch((error: Error) => log.debug('hooks.not_saved', { text: error.message }))
  })
  const onMove = (hook: Hook): void => {
    moved.add(hook)
    saveSoon()
  }
  const saveHealth = (hook: Hook): void => {
    store.saveHealth(hook).catch((error: Error) => log.debug('hooks.not_saved', { text: error.message }))
  }
  const onOutcome = (hook: Hook, { reason }: Outcome, isChanged: boolean): void => {
    if (reason === undefined) sent.delivered++
    else sent.failed++
    if (!isChanged) return
    saveHealth(hook)
    const fields = { hook: hook.id, owner: hook.owner, host: hook.url.split('/')[2], reason }
    if (hook.paused) log.warn('hook.paused', fields)
    else if (hook.failures === 1) log.info('hook.failing', fields)
    else if (hook.failures === 0) log.info('hook.restored', fields)
  }

  const idling = setInterval(() => {
    if (runners.size > 0)
      void deps.hub
        .between((at) => {
          for (const runner of runners.values()) runner.skipTo(at)
        })
        .catch(() => {})
  }, IDLE_MS)
  idling.unref()

  const checkKeys = async (): Promise<void> => {
    if (owners === undefined || deps.now() - keysAt < KEYS_MS) return
    const valid = await owners([...new Set([...runners.values()].map(({ hook }) => hook.owner))]).catch(() => undefined)
    if (valid === undefined) return
    keysAt = deps.now()
    const invalid = [...runners.values()].filter(({ hook }) => !hook.paused && hook.owner !== '' && !valid.has(hook.owner))
    // Together, because each may wait for its receiver.
    await stopAll(invalid)
    for (const { hook } of invalid) {
      Object.assign(hook, { paused: true, reason: 'its owner has no valid API key' })
      saveHealth(hook)
      log.warn('hook.paused', { hook: hook.id, owner: hook.owner, reason: hook.reason })
    }
  }

  return {
    /** Reads changes of hooks. Rejects if the database does not answer. Ten thousand hooks take a while to load; once `isOver`, no more are loaded. */
    async sync(isOver = (): boolean => false): Promise<void> {
      const present = await store.versions()
      paused = present.paused
      const old = [...runners.values()].filter(({ hook }) => present.active.get(hook.id) !== versions.get(hook.id))
      await stopAll(old)
      if (old.length > 0) await save()
      for (const { hook } of old) runners.delete(hook.id)
      const missing = [...present.active.keys()].filter((id) => !runners.has(id))
      for (const ids of portionsOf(missing, LOADED_AT_ONCE)) {
        if (isOver()) break
        await mapWithPauses(await store.load(ids), (hook) =>
          runners.set(hook.id, startRunner(hook, { ...deps, log, budget, permits, onMove, onOutcome })),
        )
      }
      versions = present.active
      await checkKeys()
    },
    figures(): { readonly active: number; readonly failing: number; readonly paused: number } {
      const running = [...runners.values()].filter(({ hook }) => !hook.paused)
      const failing = running.filter(({ hook }) => hook.failures > 0).length
      return { active: running.length - failing, failing, paused }
    },
    async close(): Promise<void> {
      clearInterval(idling)
      await stopAll([...runners.values()])
      await save().catch(() => {})
    },
  }
}
