import { parentPort } from 'node:worker_threads'
import type { Message } from '../../../base/threads/link.ts'
import { createOutbox } from '../../../base/threads/outbox.ts'
import { hostChain } from './chain-side.ts'

/* Entry of the embedded chain's thread. Messages of one turn go together. */

const port = parentPort
if (!port) throw new Error('this file must run in a worker thread')
const receive = hostChain(createOutbox<Message>((messages) => port.postMessage(messages)))
port.on('message', (messages: readonly Message[]) => {
  for (const message of messages) receive(message)
})
