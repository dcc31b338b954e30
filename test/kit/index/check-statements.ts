import { afterAll, expect } from 'vitest'
import { loadParser } from './citus-rules.ts'
import { createFaultList } from './distributed.ts'
import { recordSent, takeSent } from './sent-statements.ts'

/*
 * Vitest loads this file before each test file of the rooms that use a database. At the end of the file, every statement that the service's own code sent is read
 * by the rules of Citus. So a new statement is checked by whatever test runs it.
 */

recordSent()

afterAll(async () => {
  const sent = takeSent()
  if (sent.length === 0) return
  await loadParser()
  const citus = createFaultList()
  sent.forEach(citus.check)
  expect(citus.found, 'statements that a Citus cluster refuses').toEqual([])
})
