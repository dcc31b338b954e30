import { bundle } from './load.ts'

/* Program of the thread that a tonway runs in. */

await bundle.runThread()
