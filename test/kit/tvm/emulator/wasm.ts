import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/*
 * The emulator is the WebAssembly build of TON's C++ code in @ton/sandbox. The package's index is never imported: it would load the debugger, an
 * assembly reader and all of @ton/core into every worker.
 */

const require = createRequire(import.meta.url)

/** Path of the emscripten glue of @ton/sandbox 0.41.0: a CommonJS factory of emulator instances. */
export const gluePath = (): string => require.resolve('@ton/sandbox/dist/executor/emulator-emscripten.js')

/**
 * Compiles the emulator once per process (about 25 ms). Workers get the module and share its code. The package holds it as base64 inside a script. It
 * is cut out as bytes, so that neither the script nor its string stays in memory.
 */
export const compileEmulator = async (): Promise<WebAssembly.Module> => {
  // Concurrent optimizing compilations leave tens of megabytes in malloc's arenas. One compilation at a time gives the same code a little later.
  setFlagsFromString('--wasm-num-compilation-tasks=1')
  const script = await readFile(require.resolve('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js'))
  const open = script.indexOf("'")
  const close = script.lastIndexOf("'")
  if (open < 0 || close <= open) throw new Error('@ton/sandbox: the emulator is not where version 0.41.0 keeps it')
  return WebAssembly.compile(Buffer.from(script.toString('latin1', open + 1, close), 'base64'))
}
