import { AT_REST } from './at-rest.ts'
import { noteUndone, OF_CLIENTS } from './of-clients.ts'
import { OF_ROWS } from './of-rows.ts'
import { readRows } from './rows.ts'
import type { World } from './world.ts'

/* Checks the invariants of test/torture/invariants.md. Each is a function of the same name. */

/** The names of all invariants, in the order of the document. */
export const INVARIANTS: readonly string[] = [OF_ROWS, OF_CLIENTS, AT_REST].flatMap(Object.keys)

const checking = async (name: string, check: () => void | Promise<void>): Promise<void> => {
  try {
    await check()
  } catch (error) {
    throw new Error(`${name} does not hold: ${(error as Error).stack}`)
  }
}

/** Checks what has to hold after each step. Rows are read again if they may have changed. */
export const checkStep = async (world: World): Promise<void> => {
  if (world.gate.takeChanged()) {
    const rows = await readRows(world.gate)
    noteUndone(world, rows)
    for (const [name, check] of Object.entries(OF_ROWS)) await checking(name, () => check(world, rows))
  }
  noteUndone(world, undefined)
  for (const [name, check] of Object.entries(OF_CLIENTS)) await checking(name, () => check(world))
}

/** Checks what has to hold when the faults have ended, and nothing is left to do. */
export const checkAtRest = async (world: World): Promise<void> => {
  for (const [name, check] of Object.entries(AT_REST)) await checking(name, () => check(world))
}
