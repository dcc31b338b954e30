import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Event } from '../events/kit.ts'

/* A receiver of webhooks, which checks signatures by the official package. */

export interface Delivery {
  readonly path: string
  readonly id: string
  readonly event: Event
  readonly headers: IncomingHttpHeaders
  readonly status: number
  readonly at: number
}

/** What a receiver does with a delivery: a status, or a promise of one. */
type Respond = (delivery: Omit<Delivery, 'status'>) => number | Promise<number>

export interface Receiver {
  readonly url: string
  readonly all: Delivery[]
  /** Events that were answered with 200, of one path. */
  taken(path?: string): Event[]
  /** Secrets by path; a delivery to another path is not verified. */
  readonly secrets: Map<string, string>
  respond: Respond
  /** Deliveries under way, and the most at a time of one path. */
  mostAtOnce(): number
  close(): Promise<void>
}

export const startReceiver = async (port = 0): Promise<Receiver> => {
  const all: Delivery[] = []
  const secrets = new Map<string, string>()
  const running = new Map<string, number>()
  let most = 0
  const server = createServer(async (req, res) => {
    const path = req.url!
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const at = performance.now()
    const body = Buffer.concat(chunks).toString()
    running.set(path, (running.get(path) ?? 0) + 1)
    most = Math.max(most, running.get(path)!)
    const secret = secrets.get(path)
    let status = 400
    try {
      const event = (
        secret === undefined ? JSON.parse(body) : new Webhook(secret).verify(body, req.headers as Record<string, string>)
      ) as Event
      const delivery = { path, id: String(req.headers['webhook-id']), event, headers: req.headers, at }
      status = await receiver.respond(delivery)
      all.push({ ...delivery, status })
    } finally {
      running.set(path, running.get(path)! - 1)
      res.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end('{}')
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    all,
    taken: (path) => all.filter((one) => one.status === 200 && (path === undefined || one.path === path)).map(({ event }) => event),
    secrets,
    respond: () => 200,
    mostAtOnce: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
