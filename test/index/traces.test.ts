import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOpenMessages, createTraceAssembler, type TraceChange, traceRow } from '../../server/index/derive/traces.ts'
import { TRACE_COMPLETE } from '../../server/store/codes.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { base64, key, traces, transaction } from './recorded-traces.ts'
import { writeTraces } from './trace-rows.ts'

/* The 73 recorded traces of TON Center, fed transaction by transaction: each gives its recorded tree and counts. */

describe('recorded traces', () => {
  /** All of them at once, in the order of the chain, one group per masterchain block: traces run beside one another. */
  const changes = new Map<string, TraceChange>()
  const traceOf = new Map<string, string>()
  const senderKnown = new Map<string, boolean>()
  beforeAll(() => {
    const open = createOpenMessages()
    const all = traces.flatMap(({ transactions }) => transactions)
    const blocks = [...new Set(all.map(({ mc_block_seqno }) => mc_block_seqno))].sort((a, b) => a - b)
    for (const seqno of blocks) {
      const assembler = createTraceAssembler(open, false)
      const inBlock = all.filter(({ mc_block_seqno }) => mc_block_seqno === seqno).sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)))
      for (const recorded of inBlock) {
        const { traceId, hasSender } = assembler.add(transaction(recorded), key(recorded.hash), seqno)
        traceOf.set(recorded.hash, base64(traceId))
        senderKnown.set(recorded.hash, hasSender)
      }
      for (const change of assembler.changes()) {
        const known = changes.get(change.traceId)
        if (known === undefined) changes.set(change.traceId, change)
        else {
          expect(change.isNew).toBe(false)
          known.mcSeqnoEnd = Math.max(known.mcSeqnoEnd, change.mcSeqnoEnd)
          if (change.endLt > known.endLt) known.endLt = change.endLt
          known.endUtime = Math.max(known.endUtime, change.endUtime)
          known.edges += change.edges
          known.pendingEdges += change.pendingEdges
          known.nodes += change.nodes
        }
      }
    }
  })
  afterAll(() => changes.clear())

  it('there are 73 recorded traces, and some span more than one block', () => {
    expect(traces.length).toBe(73)
    expect(traces.filter(({ mc_seqno_start, mc_seqno_end }) => mc_seqno_end > mc_seqno_start).length).toBeGreaterThan(30)
  })

  it.each(traces.map((trace) => [trace.trace_id, trace] as const))('the recorded trace %s is found again', (_, trace) => {
    for (const { hash } of trace.transactions) expect(traceOf.get(hash)).toBe(trace.trace_id)
    for (const { hash, parent_tx } of trace.transactions) expect(senderKnown.get(hash)).toBe(parent_tx !== null)
    const found = changes.get(key(trace.trace_id))!
    expect({
      external: found.externalHash && base64(found.externalHash),
      start: [found.mcSeqnoStart, String(found.startLt), found.startUtime],
      end: [found.mcSeqnoEnd, String(found.endLt), found.endUtime],
      counts: [found.edges, found.pendingEdges, found.nodes],
      state: traceRow(found).state,
    }).toEqual({
      external: trace.external_hash ?? undefined,
      start: [trace.mc_seqno_start, trace.start_lt, trace.start_utime],
      end: [trace.mc_seqno_end, trace.end_lt, trace.end_utime],
      counts: [trace.edges_, trace.pending_edges_, trace.nodes_],
      state: TRACE_COMPLETE,
    })
  })
})

describe('recorded traces through the database', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server?.close())

  // Each group is written by an index that has just been started: what was sent before it knows from the tables alone.
  it.each([4, 40])(
    'recorded traces are stored in groups of %i masterchain blocks, with a restart after each',
    { timeout: 120_000 },
    async (size) => {
      const database: ClientConfig = await server.database()
      const rows = <R>(text: string): Promise<R[]> => server.run<R>(database, text)
      const groups = await writeTraces(database, size)
      expect(groups).toBeGreaterThan(2)

      const stored = await rows<Record<string, unknown>>(
        `select encode(trace_id, 'base64') as id, encode(external_hash, 'base64') as external, state, mc_seqno_start, mc_seqno_end,
         start_lt, end_lt, start_utime, end_utime, edges, pending_edges, nodes from traces`,
      )
      const byId = new Map(stored.map((row) => [row['id'], row]))
      expect(stored.length).toBe(traces.length)
      for (const trace of traces) {
        expect(byId.get(trace.trace_id)).toEqual({
          id: trace.trace_id,
          external: trace.external_hash,
          state: 1,
          mc_seqno_start: trace.mc_seqno_start,
          mc_seqno_end: trace.mc_seqno_end,
          start_lt: trace.start_lt,
          end_lt: trace.end_lt,
          start_utime: String(trace.start_utime),
          end_utime: String(trace.end_utime),
          edges: trace.edges_,
          pending_edges: trace.pending_edges_,
          nodes: trace.nodes_,
        })
      }

      // The trees: who sent what to whom.
      const edges = await rows<{ trace: string; hash: string; parent: string; child: string | null }>(
        `select encode(p.trace_id, 'base64') as trace, encode(o.msg_hash, 'base64') as hash, encode(p.hash, 'base64') as parent,
         encode(c.hash, 'base64') as child
       from transactions p
       join messages o on o.tx_account = p.account and o.tx_lt = p.lt and o.direction = 1
       left join messages i on i.msg_hash = o.msg_hash and i.direction = 0
       left join transactions c on c.account = i.tx_account and c.lt = i.tx_lt and c.trace_id = p.trace_id`,
      )
      const told = (edge: { hash: string; parent: string; child: string | null }) => `${edge.parent} ${edge.hash} ${edge.child}`
      for (const trace of traces) {
        const found = edges.filter((edge) => edge.trace === trace.trace_id).map(told)
        const recorded = trace.edges.map((edge) => told({ hash: edge.msg_hash, parent: edge.parent_tx, child: edge.child_tx }))
        expect(found.sort()).toEqual(recorded.sort())
      }
      // Each message is listed once.
      const [listed] = await rows<{ twice: string }>(
        `select count(*) as twice from (select msg_hash from messages where listed group by msg_hash having count(*) > 1) as each`,
      )
      expect(listed?.twice).toBe('0')
    },
  )
})
