import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/* Memory is compared after a collection: what is garbage already counts as in use until the engine finds time for it. */

setFlagsFromString('--expose-gc')
/** Collects the garbage of this process at once. */
export const collectGarbage = runInNewContext('gc') as () => void
