import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { toBase64 } from './bytes.ts'
import { gluePath } from './wasm.ts'

/* The adapter: everything that knows how the emulator's WASM is called. Runs inside a worker. */

/** What emulator-emscripten.js exports once instantiated; pointers are offsets into the memory. */
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

/** A call's argument: text is ASCII; bytes are handed over as base64, which is how the emulator takes a BoC. */
export type Argument = string | Uint8Array

/** One instance of the emulator. After any exception it must be dropped: C++ destructors did not run. */
export interface Emulator {
  /** Writes base64 of `bytes` into memory of its own, which lives as long as the instance or until `free`. */
  keep(bytes: Uint8Array): number
  free(pointer: number): void
  /** 0 when the configuration is refused. */
  createHandle(config: number): number
  destroyHandle(handle: number): void
  /** JSON text of {output, logs} or of {fail, message}. */
  emulate(handle: number, libraries: Argument | undefined, account: Argument, message: Argument, params: string): string
  runGetMethod(params: string, stack: Argument, config: number): string
  /** Bytes of WASM memory; it only ever grows. */
  memoryBytes(): number
}

/** vm_log without stacks or gas: the least the emulator can be told to write. */
const VERBOSITY = 0

/**
 * Bytes of C++ stack. The build comes with 64 KiB, which a result stack of some 350 values or a list as deep overruns into the data beneath:
 * wrong function pointers are then the best that can happen. 1 MiB was enough for the deepest cells there are (1,024).
 */
const STACK = 1 << 20

/** Moves the C++ stack into a block of its own. The glue knows under which short name the module exports the way to do it. */
const widenStack = (instance: WebAssembly.Instance, malloc: (size: number) => number): void => {
  const name = /_emscripten_stack_restore\s*=\s*wasmExports\["(\w+)"\]/.exec(readFileSync(gluePath(), 'latin1'))?.[1]
  const restore = name === undefined ? undefined : instance.exports[name]
  if (typeof restore !== 'function') throw new Error('@ton/sandbox: the emulator does not let its stack be moved, as version 0.41.0 did')
  const block = malloc(STACK)
  // The stack grows down from its end, which must be a multiple of 16.
  restore((block + STACK) & ~15)
}

/**
 * C++ exceptions are JavaScript ones in this build: every call that may throw fetches its function from the table first, which costs more than
 * the call. Nothing changes the table once it is there.
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

  // Arguments of a call go one after another into one block that is kept from call to call.
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
