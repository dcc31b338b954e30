import { setMaxListeners } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { createExtender } from '../extend.ts'
import { EXTENSIONS } from '../extensions.ts'
import { createSelection } from '../selection.ts'
import { openSession } from '../session.ts'
import { createSource } from '../source.ts'
import { createStatusBoard } from '../status.ts'
import { toFailure } from './failure.ts'
import { createPorts } from './ports.ts'
import type { FromThread, Job, ToThread } from './protocol.ts'

/* Entry of the index's thread: one job at a time, from what is stored up to a head. */

const port = parentPort
if (!port) throw new Error('the index worker runs in a worker thread')
const post = (message: FromThread): void => port.postMessage(message)
const ports = createPorts(port)

const run = async (job: Job, signal: AbortSignal): Promise<void> => {
  const { network, replace, reverts, from, lanes, head } = job
  const { connection, log } = ports
  const selection = createSelection(job.selection.accounts, job.selection.workchains)
  const board = createStatusBoard(signal)
  board.tell(job.status)
  const source = createSource(ports.server(head), {
    lanes,
    wants: selection.wants,
    forgets: from !== 1,
    ...(job.pause !== undefined && { pause: job.pause }),
    onFailure: (err) => log.warn('index.source_failed', { err }),
  })
  const extender = createExtender({
    extensions: EXTENSIONS,
    connection,
    source,
    tvm: job.tvm ? ports.tvm : undefined,
    partial: from !== 1 || selection.name !== '',
  })
  const told = {
    ...board,
    tell(change: Parameters<typeof board.tell>[0]) {
      board.tell(change)
      post({ type: 'tell', change })
    },
  }
  const session = await openSession(
    { connection, source, extender, network, replace, reverts, from, selection, lanes, board: told, log },
    signal,
  )
  await session.catchUp(head)
}

let stopping = new AbortController()
port.on('message', (message: ToThread) => {
  if (message.type === 'answer') ports.answered(message.id, message.value)
  else if (message.type === 'failed') ports.failed(message.id, message.failure)
  else if (message.type === 'abort') stopping.abort(new Error('the index is stopped'))
  else {
    stopping = new AbortController()
    // Many blocks and states are asked for at once.
    setMaxListeners(0, stopping.signal)
    run(message.job, stopping.signal).then(
      () => post({ type: 'done', failure: undefined }),
      (error: unknown) => post({ type: 'done', failure: toFailure(error) }),
    )
  }
})
