import { type Debugger, Session } from 'node:inspector'
import { threadTime } from '../threads/thread-time.ts'

/* The main thread, seen from another thread of the process. */

/** Processor seconds of all threads together. */
const readProcessTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Returns a function that reads the processor seconds of the main thread; without /proc (macOS) those of the whole process. */
export const mainThreadTime = (): (() => number) => {
  // The id of the main thread is that of the process.
  const readThreadTime = (): number => threadTime(process.pid)
  return Number.isNaN(readThreadTime()) ? readProcessTime : readThreadTime
}

/** Functions of a stack that are named. */
const MAX_FRAMES = 30

/**
 * The main thread through node's inspector, which interrupts JavaScript that runs. It answers nothing while the main thread is inside native code, such as
 * an operation on huge integers.
 */
export const interruptMainThread = () => {
  const session = new Session()
  session.connectToMainThread()
  const evaluate = (expression: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      session.post('Runtime.evaluate', { expression, returnByValue: true }, (error, answer) =>
        error === null ? resolve(answer.result.value) : reject(error),
      )
    })
  return {
    /** Whether a debugger is attached, or may be. */
    isDebugged: async (): Promise<boolean> => (await evaluate("process.getBuiltinModule('node:inspector').url()")) !== undefined,
    /** Halts the main thread and resolves with the functions that it runs, the innermost first. */
    halt: (): Promise<readonly string[]> =>
      new Promise((resolve, reject) => {
        const urls = new Map<string, string>()
        const frame = ({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }: Debugger.CallFrame): string =>
          `${functionName || '(anonymous)'} (${urls.get(scriptId)}:${lineNumber + 1}:${columnNumber + 1})`
        session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url))
        session.once('Debugger.paused', ({ params }) => resolve(params.callFrames.slice(0, MAX_FRAMES).map(frame)))
        const failed = (error: Error | null): void => void (error && reject(error))
        session.post('Debugger.enable', failed)
        session.post('Debugger.pause', failed)
      }),
    /** Ends the process with a code. Standard error is closed first, because node would write to it that it waits for a debugger. */
    exit: (code: number): void => void evaluate(`process.getBuiltinModule('node:fs').closeSync(2); process.exit(${code})`).catch(() => {}),
    /** Lets the main thread continue. */
    release: (): void => session.disconnect(),
  }
}
