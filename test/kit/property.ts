import fc from 'fast-check'
import { seed } from './random.ts'

/* fast-check with the seed of the run, so that a failure repeats. All tests take it from here. */

fc.configureGlobal({ seed })

export type { Arbitrary } from 'fast-check'
export { fc }
