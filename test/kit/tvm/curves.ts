import { loadCurves } from '../../../server/tvm/crypto/load-curves.ts'

/* Imported where runs in the test's own thread use curves. A service's own thread never loads them. */

await loadCurves()
