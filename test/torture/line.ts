import { createRandom, type Random } from '../kit/random.ts'

/* A line of the program: something that runs, and is hurt again and again. */

/** What a line hurts. It is left after its first failed round, because what follows would fail too. */
export interface Scene {
  /** Hurts it once under load, heals it, and looks for what was acknowledged. Rejects if something is lost or wrong. `number`: which of all rounds of the line it is. */
  round(number: number): Promise<void>
  /** What is looked at once, after the last round. */
  finish(): Promise<void>
  /** What was measured, for the record. */
  notes?(): readonly string[]
  close(): Promise<void>
}

export interface Line {
  /** What happens in a round. */
  readonly what: string
  /** Rounds after which a new scene begins, so that the chain stays short enough to be verified. */
  readonly perScene: number
  /** Rounds of `quick` and of test:slow. */
  readonly quick: number
  /** Rounds of all parts together. */
  readonly total: number
  /** How many of something a round tries, where it is not one: mutants, operations. */
  readonly each?: { readonly count: number; readonly unit: string }
  /** Whether no other line may run in the process at the same time: it replaces the clocks. */
  readonly isAlone?: boolean
  /** Why it cannot run here. */
  readonly missing?: string | undefined
  /** `isQuick`: beside other tests, so no time is judged. `seed`: of the first round of the scene. */
  open(random: Random, isQuick: boolean, seed: number): Promise<Scene>
}

export interface Outcome {
  passed: number
  failed: number
  /** Rounds that were not begun, because there was no time left. */
  left: number
  readonly notes: string[]
}

export interface RunOptions {
  readonly rounds: number
  /** Number of the first round, where a part of the line is run. Its seeds follow from it. */
  readonly first?: number
  readonly seed: number
  /** Begins no round after this moment of `performance.now()`. */
  readonly end: number
  /** Whether the first failed round is the last one. */
  readonly bail?: boolean
  readonly isQuick?: boolean
  say(text: string): void
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Runs the rounds of a line. What is looked at after the last round of a scene counts if it fails. */
export const runLine = async (
  name: string,
  line: Line,
  { rounds, first = 0, seed, end, bail = false, isQuick = false, say }: RunOptions,
): Promise<Outcome> => {
  const outcome: Outcome = { passed: 0, failed: 0, left: rounds, notes: [] }
  const begun = performance.now()
  const isInTime = (): boolean => outcome.left > 0 && performance.now() < end
  for (let number = 0; isInTime(); number = rounds - outcome.left) {
    const own = (seed + first + number) >>> 0
    let scene: Scene | undefined
    let what = 'the scene'
    try {
      scene = await line.open(createRandom(own), isQuick, own)
      for (let i = 1; i <= line.perScene && isInTime(); i++) {
        what = `round ${i}`
        const done = rounds - outcome.left
        outcome.left--
        await scene.round(first + done)
        outcome.passed++
      }
      what = 'after the last round'
      await scene.finish()
    } catch (error) {
      outcome.failed++
      // A scene that cannot be made is not tried for ever.
      if (scene === undefined || bail) outcome.left = 0
      say(`FAILED ${name}, ${what} of seed ${own}: ${textOf(error)}`)
    } finally {
      for (const note of scene?.notes?.() ?? []) {
        outcome.notes.push(note)
        say(`${name}: ${note}`)
      }
      await scene?.close()
    }
    say(
      `${name}: ${outcome.passed} passed, ${outcome.failed} failed, ${outcome.left} rounds left, after ${((performance.now() - begun) / 1000).toFixed(0)} s`,
    )
  }
  return outcome
}
