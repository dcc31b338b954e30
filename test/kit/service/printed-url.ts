import type { ChildProcessWithoutNullStreams } from 'node:child_process'

/** Resolves with the URL that a service prints when it listens. If it ends before that, rejects with its exit code and its output: that of `err`, if it has any. */
export const printedUrl = (child: ChildProcessWithoutNullStreams): Promise<string> =>
  new Promise((resolve, reject) => {
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
      const url = /JSON-RPC\s+(http\S+)\/jsonRPC/.exec(out)?.[1]
      if (url) resolve(url)
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.once('close', (code) => reject(new Error(`ended with ${code}: ${err || out}`)))
  })
