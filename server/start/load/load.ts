import { runCompiled } from '../../base/files/compiled.ts'

/* Loads the code of the package from one file (server/build/compiled.mjs), with what V8 compiled of it in an earlier process. */

/** Name of that file in dist/server/start. The build sets it. */
declare const BUNDLE: string

/** The exports of ../bundle.ts. */
type Bundle = typeof import('../first-start.ts') & typeof import('../tonway.ts') & { runThread(): Promise<void> }

const load = (url: URL): Bundle => {
  const { exports, keepSoon } = runCompiled(url)
  const bundle = exports as Bundle
  bundle.onFirstStart(keepSoon)
  return bundle
}

// Both programs that load it share this code, so it runs in dist/server/chunks.
export const bundle: Bundle = load(new URL(`../start/${BUNDLE}`, import.meta.url))
