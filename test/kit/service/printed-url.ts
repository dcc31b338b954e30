import type { ChildProcessWithoutNullStreams } from 'node:child_process'

/** The line that a service logs when it listens. */
const STARTED = /"url":"(http[^"]+)"[^\n]*"event":"service\.started"/

/** Resolves with the URL that a service tells when it listens: in its banner, or where its log is JSON in the line `service.started`. If it ends before that, rejects with its exit code and its output: that of `err`, if it has any. */
export const printedUrl = (child: ChildProcessWithoutNullStreams): Promise<string> =>
  new Promise((resolve, reject) => {
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
      const url = /JSON-RPC\s+(http\S+)\/jsonRPC/.exec(out)?.[1] ?? STARTED.exec(out)?.[1]
      if (url) resolve(url)
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
      const url = STARTED.exec(err)?.[1]
      if (url) resolve(url)
    })
    child.once('close', (code) => reject(new Error(`ended with ${code}: ${err || out}`)))
  })
