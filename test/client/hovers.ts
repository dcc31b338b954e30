import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What an editor shows of words in a file: the language server of the compiler is asked as an editor asks it. Each word where it stands first. */
export const hoversIn = async (tsc: string, file: string, words: readonly string[]): Promise<readonly string[]> => {
  const server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (answer: { result?: { contents?: { value?: string } } }) => void>()
  let bytes = Buffer.alloc(0)
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  server.stdout.on('data', (data: Buffer) => {
    bytes = Buffer.concat([bytes, data])
    for (;;) {
      const head = bytes.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(bytes.subarray(0, Math.max(head, 0)).toString())?.[1])
      if (head < 0 || bytes.length < head + 4 + length) return
      const { id, method, ...rest } = JSON.parse(bytes.subarray(head + 4, head + 4 + length).toString())
      bytes = bytes.subarray(head + 4 + length)
      if (method === undefined) waiting.get(id)?.(rest)
      // It asks for what an editor would configure; there is nothing.
      else if (id !== undefined) send({ id, result: null })
    }
  })
  let ids = 0
  const ask = (method: string, params: object) =>
    new Promise<{ result?: { contents?: { value?: string } } }>((answered) => {
      waiting.set(++ids, answered)
      send({ id: ids, method, params })
    })
  try {
    const uri = pathToFileURL(file).href
    const text = await readFile(file, 'utf8')
    const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } }
    await ask('initialize', { processId: process.pid, rootUri: pathToFileURL(dirname(file)).href, capabilities })
    send({ method: 'initialized', params: {} })
    send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'typescript', version: 1, text } } })
    const shown: string[] = []
    for (const word of words) {
      const before = text.slice(0, text.indexOf(word)).split('\n')
      const position = { line: before.length - 1, character: before.at(-1)!.length + 1 }
      shown.push((await ask('textDocument/hover', { textDocument: { uri }, position })).result?.contents?.value ?? '')
    }
    return shown
  } finally {
    server.kill()
  }
}
