import type { World } from './world.ts'

/* What the invariants share. */

/** Throws that an invariant does not hold. */
export const broken = (text: string): never => {
  throw new Error(text)
}

/** What an invariant remembers from one step to the next. */
export const remembered = <T>({ memory }: World, name: string, first: () => T): T => {
  if (!memory.has(name)) memory.set(name, first())
  return memory.get(name) as T
}
