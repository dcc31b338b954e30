import type { ClientConfig } from 'pg'
import { silentLog } from '../../server/base/log.ts'
import { openSession } from '../../server/index/follow/session.ts'
import { EVERYTHING } from '../../server/index/service/account-selection.ts'
import { createStatusBoard } from '../../server/index/service/status.ts'
import type { Topic } from '../../server/index/topics/topic.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import type { RecordedSource } from '../kit/index/recorded-source.ts'

/** Opens a session that indexes the recorded blocks; the returned function runs it. */
export const openRecorded = async ({ source, head }: RecordedSource, database: ClientConfig, topics: readonly Topic[], tvm: Tvm) => {
  const stopping = new AbortController()
  const connection = await connect(database)
  const settings = { network: 'bench', from: 1, selection: EVERYTHING, lanes: 8, reverts: true, isTransient: false, pause: undefined }
  const board = createStatusBoard(stopping.signal)
  const session = await openSession({ ...settings, connection, source, topics, tvm, board, log: silentLog }, stopping.signal)
  return {
    async run() {
      await session.catchUp(head)
      await session.written()
    },
    async close() {
      stopping.abort()
      await connection.close()
    },
  }
}
