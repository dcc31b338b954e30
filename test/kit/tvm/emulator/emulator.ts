import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { toBase64 } from './bytes.ts'
import { gluePath } from './wasm.ts'

/* The adapter. All code that depends on the interface of the emulator's WASM is here. */

/** Exports of emulator-emscripten.js once instantiated. Pointers are offsets into the memory. */
interface Exports {
  _malloc(size: number): number
  _free(pointer: number): void
  _create_emulator(config: number, verbosity: number): number
  _destroy_emulator(emulator: number): void
  _emulate_with_emulator(emulator: number, libraries: number, account: number, message: number, params: number): number
  _run_get_method(params: number, stack: number, config: number): number
}
type Glue = (options: {
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void): object
  print(text: string): void
  printErr(text: string): void
}) => Promise<Exports>

/** An argument of a call. Text is ASCII. Bytes are passed as base64, the emulator's form of a BoC. */
export type Argument = string | Uint8Array

/** One instance of the emulator. Drop it after any exception: C++ destructors did not run. */
export interface Emulator {
  /** Writes base64 of `bytes` into a separate block of memory, which lives until `free` or as long as the instance. */
  keep(bytes: Uint8Array): number
  free(pointer: number): void
  /** Returns 0 if the configuration is refused. */
  createHandle(config: number): number
  destroyHandle(handle: number): void
  /** JSON text of {output, logs} or of {fail, message}. */
  emulate(handle: number, libraries: Argument | undefined, account: Argument, message: Argument, params: string): string
  runGetMethod(params: string, stack: Argument, config: number): string
  /** Bytes of WASM memory. It only grows. */
  memoryBytes(): number
}

/** vm_log without stacks or gas: the lowest verbosity of the emulator. */
const VERBOSITY = 0

/**
 * Bytes of C++ stack. The build has 64 KiB. A result stack of about 350 values, or a list as deep, overruns it into the data below. The mildest
 * result is wrong function pointers. 1 MiB was enough for the deepest possible cells (1,024).
 */
const STACK = 1 << 20

/** Moves the C++ stack into a new block. The glue contains the short export name of the function for this. */
const widenStack = (instance: WebAssembly.Instance, malloc: (size: number) => number): void => {
  const name = /_emscripten_stack_restore\s*=\s*wasmExports\["(\w+)"\]/.exec(readFileSync(gluePath(), 'latin1'))?.[1]
  const restore = name === undefined ? undefined : instance.exports[name]
  if (typeof restore !== 'function') throw new Error('@ton/sandbox: the emulator does not let its stack be moved, as version 0.41.0 did')
  const block = malloc(STACK)
  // The stack grows down from its end, which must be a multiple of 16.
  restore((block + STACK) & ~15)
}

/**
 * This build uses JavaScript exceptions for C++ ones. Every call that can throw first fetches its function from the table, which costs more than the
 * call. The table never changes after the start, so its entries are cached.
 */
const cachedTable = (table: WebAssembly.Table): { get(index: number): unknown } => {
  const entries: unknown[] = new Array(table.length)
  return {
    get: (index) => {
      entries[index] ??= table.get(index)
      return entries[index]
    },
  }
}

/** Instantiates the compiled emulator: 7-15 ms. */
export const createEmulator = async (module: WebAssembly.Module): Promise<Emulator> => {
  const glue = createRequire(import.meta.url)(gluePath()) as Glue
  let memory: WebAssembly.Memory | undefined
  let instance: WebAssembly.Instance | undefined
  const exports = await glue({
    instantiateWasm: (imports, done) => {
      instance = new WebAssembly.Instance(module, imports)
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory)
      const served = Object.fromEntries(
        Object.entries(instance.exports).map(([name, value]) => [name, value instanceof WebAssembly.Table ? cachedTable(value) : value]),
      )
      done({ exports: served as WebAssembly.Exports }, module)
      return served
    },
    print: () => {},
    printErr: () => {},
  })
  const { buffer } = memory ?? fail('the emulator exports no memory')
  let heap = Buffer.from(buffer)
  const view = (): Buffer => {
    // Growing the memory detaches the old view.
    if (heap.buffer !== memory!.buffer) heap = Buffer.from(memory!.buffer)
    return heap
  }

  const malloc = (size: number): number => exports._malloc(size) || fail('the emulator is out of memory')
  widenStack(instance ?? fail('the emulator was not instantiated'), malloc)
  const size = (argument: Argument): number => 1 + (typeof argument === 'string' ? argument.length : 4 * Math.ceil(argument.length / 3))
  const write = (argument: Argument, pointer: number): number => {
    const text = typeof argument === 'string' ? argument : toBase64(argument)
    const target = view()
    const end = pointer + target.write(text, pointer, 'latin1')
    target[end] = 0
    return end + 1
  }

  // The arguments of a call are written one after another into one block, which is reused by later calls.
  let scratch = 0
  let scratchSize = 0
  const place = (args: readonly Argument[]): number[] => {
    const need = args.reduce((sum, argument) => sum + size(argument), 0)
    if (need > scratchSize) {
      if (scratch) exports._free(scratch)
      scratchSize = Math.max(need + (need >> 1), 1 << 16)
      scratch = malloc(scratchSize)
    }
    let at = scratch
    return args.map((argument) => {
      const start = at
      at = write(argument, start)
      return start
    })
  }
  const take = (pointer: number): string => {
    const bytes = view()
    const text = bytes.toString('utf8', pointer, bytes.indexOf(0, pointer))
    exports._free(pointer)
    return text
  }

  return {
    keep: (bytes) => {
      const pointer = malloc(size(bytes))
      write(bytes, pointer)
      return pointer
    },
    free: (pointer) => exports._free(pointer),
    createHandle: (config) => exports._create_emulator(config, VERBOSITY),
    destroyHandle: (handle) => exports._destroy_emulator(handle),
    emulate: (handle, libraries, account, message, params) => {
      const [accountAt, messageAt, paramsAt, librariesAt] = place(
        libraries === undefined ? [account, message, params] : [account, message, params, libraries],
      )
      return take(exports._emulate_with_emulator(handle, librariesAt ?? 0, accountAt!, messageAt!, paramsAt!))
    },
    runGetMethod: (params, stack, config) => {
      const [paramsAt, stackAt] = place([params, stack])
      return take(exports._run_get_method(paramsAt!, stackAt!, config))
    },
    memoryBytes: () => view().length,
  }
}

const fail = (message: string): never => {
  throw new Error(message)
}
