import { parentPort } from 'node:worker_threads'
import { createAbortController } from '../../base/abort.ts'
import { toFailure } from '../../base/threads/failure.ts'
import { createIndexSource, openIndexSession } from '../follow/source-and-session.ts'
import { createSelection } from '../service/account-selection.ts'
import { createStatusBoard } from '../service/status.ts'
import { TOPICS } from '../topics/registry.ts'
import { createPorts } from './ports.ts'
import type { FromThread, Job, ToThread } from './protocol.ts'

const port = parentPort
if (!port) throw new Error('this file must run in a worker thread')
const post = (message: FromThread): void => port.postMessage(message)
const ports = createPorts(port)

const run = async (job: Job, several: boolean, signal: AbortSignal): Promise<void> => {
  const { head, status, tvm, selection, ...given } = job
  const { connection, log } = ports
  const settings = { ...given, selection: createSelection(selection.accounts, selection.workchains) }
  const board = createStatusBoard(signal)
  board.update(status)
  const reporting = {
    ...board,
    update(change: Parameters<typeof board.update>[0]) {
      board.update(change)
      post({ type: 'tell', change })
    },
  }
  const source = createIndexSource(ports.server(head, several), settings, log)
  const deps = { connection, source, topics: TOPICS, tvm: tvm ? ports.tvm : undefined, board: reporting, log }
  const session = await openIndexSession(settings, deps, signal)
  await session.catchUp(head)
  await session.written()
}

let stopping = new AbortController()
port.on('message', (message: ToThread) => {
  if (message.type === 'answers') for (const { id, value } of message.answers) ports.answered(id, value)
  else if (message.type === 'failed') ports.failed(message.id, message.failure)
  else if (message.type === 'abort') stopping.abort(new Error('the index is stopped'))
  else {
    stopping = createAbortController()
    run(message.job, message.several, stopping.signal).then(
      () => post({ type: 'done', failure: undefined }),
      (error: unknown) => post({ type: 'done', failure: toFailure(error) }),
    )
  }
})
