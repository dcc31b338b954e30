import { type Debugger, Session } from 'node:inspector/promises'
import { threadTime } from '../threads/thread-time.ts'

/** Processor time (seconds) of the main thread. Without /proc (macOS) that of the whole process. */
export const mainThreadTime = (): number => {
  // The id of the main thread equals the process id.
  const time = threadTime(process.pid)
  const { user, system } = process.cpuUsage()
  return Number.isNaN(time) ? (user + system) / 1e6 : time
}

const MAX_FRAMES = 30

/**
 * Controls the main thread through node's inspector, which can interrupt running JavaScript. It gets no answer while the main thread runs native code, such as
 * an operation on huge integers.
 */
export const interruptMainThread = () => {
  const session = new Session()
  session.connectToMainThread()
  const evaluate = async (expression: string): Promise<unknown> =>
    (await session.post('Runtime.evaluate', { expression, returnByValue: true })).result.value
  return {
    /** Returns true if a debugger is attached or may attach. */
    isDebugged: async (): Promise<boolean> => (await evaluate("process.getBuiltinModule('node:inspector').url()")) !== undefined,
    /** Pauses the main thread. Resolves with the functions on its stack, innermost first. */
    halt: (): Promise<readonly string[]> =>
      new Promise((resolve, reject) => {
        const urls = new Map<string, string>()
        const frame = ({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }: Debugger.CallFrame): string =>
          `${functionName || '(anonymous)'} (${urls.get(scriptId)}:${lineNumber + 1}:${columnNumber + 1})`
        session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url))
        session.once('Debugger.paused', ({ params }) => resolve(params.callFrames.slice(0, MAX_FRAMES).map(frame)))
        session.post('Debugger.enable').catch(reject)
        session.post('Debugger.pause').catch(reject)
      }),
    /** Ends the process with an exit code. Standard error is closed first, because node would print that it waits for the debugger. */
    exit: (code: number): void => void evaluate(`process.getBuiltinModule('node:fs').closeSync(2); process.exit(${code})`).catch(() => {}),
    release: (): void => session.disconnect(),
  }
}
