import { sendJson } from '../answer-forms.ts'
import type { Context } from '../context.ts'
import type { StatusSource } from '../ops/health.ts'

/** /api/streaming/healthz: 200 if the chain has a current head and the index keeps up with it; otherwise 503. */
export const createStreamHealth =
  (source: StatusSource) =>
  (ctx: Context): void => {
    const figures = source.networks().find(({ network }) => network === ctx.state.call.network)
    const isServed = figures?.phase === 'ready'
    const components = {
      chain: { ok: isServed && figures.head !== undefined, seqno: figures?.head?.seqno ?? null, age: figures?.head_age ?? null },
      index: {
        ok: isServed && figures.index !== undefined && figures.index.seqno >= 0,
        seqno: figures?.index?.seqno ?? null,
        lag: figures?.index?.lag ?? null,
      },
      service: { ok: isServed && figures.troubles.length === 0, troubles: figures?.troubles ?? [] },
    }
    const ok = Object.values(components).every((each) => each.ok)
    sendJson(ctx, ok ? 200 : 503, JSON.stringify({ ok, now: Math.floor(Date.now() / 1000), components }))
  }
