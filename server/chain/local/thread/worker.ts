import { parentPort, workerData } from 'node:worker_threads'
import type { Message } from '../../../base/threads/link.ts'
import { createSendQueue } from '../../../base/threads/send-queue.ts'
import { hostCollator } from './collator-host.ts'
import type { CollatorData } from './protocol.ts'

/* Entry of the thread that makes blocks. Messages of one event-loop turn are sent together. */

const port = parentPort
if (!port) throw new Error('this file must run in a worker thread')
const receive = hostCollator(
  workerData as CollatorData,
  createSendQueue<Message>((messages) => port.postMessage(messages)),
)
port.on('message', (messages: readonly Message[]) => {
  for (const message of messages) receive(message)
})
