import { expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { call } from '../kit/service/client.ts'
import { serviceOfFile } from '../kit/service/process.ts'

/* Keccak is a package that a worker loads when a run first needs it. From the sources it has other exports than in the build. */

const service = serviceOfFile({ TONWAY_INDEX: 'off' })

const base64 = (hex: string): string => Buffer.from(serializeBoc(beginCell().storeBytes(Buffer.from(hex, 'hex')).end())).toString('base64')

it('a get-method that hashes with Keccak runs in the built service', async () => {
  const address = `0:${'5e'.repeat(32)}`
  // DROP, then for each hash: NEWC ENDC CTOS, 1 PUSHINT, HASHEXT.
  const code = base64('30c8c9d071f90403c8c9d071f90404')
  await call(service.url, 'local.setAccount', { address, balance: '1000000000', code, data: base64('') })
  // The known hashes of no bytes.
  expect(await call(service.url, 'runGetMethod', { address, method: 'any', stack: [] })).toMatchObject({
    exit_code: 0,
    stack: [
      ['num', '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
      ['tuple', { elements: [{ number: { number: String(0x0eab42de4c3ceb9235fc91acffe746b29c29a8c366b7c60e4e67c466f36a4304n) } }, {}] }],
    ],
  })
})
