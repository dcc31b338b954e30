import { WebSocket } from 'ws'
import type { Case, Exchange } from './case-file.ts'

/* Cases whose answers are followed by events: subscriptions of the WebSocket of JSON-RPC, and streaming v2 over WebSocket and SSE. */

const PATHS = { ws: '/jsonRPC', stream: '/api/streaming/v2/ws', sse: '/api/streaming/v2/sse' } as const

/** Resolves with as many messages as are expected; `count` undefined: with all that come until nothing came for a while. */
type Collect = (count: number | undefined) => Promise<string[]>
/** How long the recorder waits for a further message, ms. */
const QUIET_MS = 1500

/** Collects what `push` is given. */
const createInbox = (): { readonly push: (message: string) => void; readonly collect: Collect } => {
  const inbox: string[] = []
  let wake = (): void => {}
  const collect: Collect = async (count) => {
    for (;;) {
      if (count !== undefined && inbox.length >= count) return inbox.splice(0, count)
      const before = inbox.length
      await new Promise<void>((resolve) => {
        wake = resolve
        if (count === undefined) setTimeout(resolve, QUIET_MS)
      })
      if (count === undefined && inbox.length === before) return inbox.splice(0)
    }
  }
  return {
    push: (message) => {
      inbox.push(message)
      wake()
    },
    collect,
  }
}

const overSocket = async (url: string, { exchanges }: Case, isRecording: boolean): Promise<Exchange[]> => {
  const socket = new WebSocket(url)
  const inbox = createInbox()
  socket.on('message', (data) => inbox.push(String(data)))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const done: Exchange[] = []
  for (const { request, received } of exchanges) {
    socket.send(request)
    done.push({ request, received: await inbox.collect(isRecording ? undefined : received.length) })
  }
  socket.close()
  return done
}

/** The frames of an SSE answer as JSON: `{"event":…,"data":…,"id":…}`; any other answer as its status and body. */
const overSse = async (url: string, { exchanges }: Case, isRecording: boolean): Promise<Exchange[]> => {
  const done: Exchange[] = []
  for (const { request, received } of exchanges) {
    const leave = new AbortController()
    const response = await fetch(url, { method: 'POST', body: request, signal: leave.signal })
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
      done.push({ request, received: [JSON.stringify({ status: response.status, body: await response.json() })] })
      continue
    }
    const inbox = createInbox()
    const read = async (): Promise<void> => {
      let text = ''
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const frame = Object.fromEntries(lines.filter((line) => !line.startsWith(':')).map((line) => line.split(/: (.*)/s).slice(0, 2)))
          if ('data' in frame) inbox.push(JSON.stringify({ ...frame, data: JSON.parse(frame['data'] as string) }))
        }
      }
    }
    read().catch(() => {})
    done.push({ request, received: await inbox.collect(isRecording ? undefined : received.length) })
    leave.abort()
  }
  return done
}

/** Sends the requests of such a case; answers them with what was received. */
export const runStream = (url: string, given: Case, isRecording = false): Promise<Exchange[]> => {
  const name = given.over as keyof typeof PATHS
  if (name === 'sse') return overSse(url + PATHS.sse, given, isRecording)
  return overSocket(url.replace('http', 'ws') + PATHS[name], given, isRecording)
}
