import { EventEmitter } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { isLoopback } from '../../../server/net/address-ranges.ts'
import { watchConnections } from '../../../server/net/connections.ts'

describe('connections of one address', () => {
  let server: Server | undefined
  const sockets: Socket[] = []
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await new Promise((resolve) => server?.close(resolve))
  })

  const start = async (most: number, exempt: (address: string) => boolean, idle?: number): Promise<void> => {
    server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => socket.write('hello'))
    })
    watchConnections(server, { most, exempt, ...(idle !== undefined && { idle }) })
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  }
  /** What a caller hears: an answer, or nothing before the end. */
  const enter = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect((server!.address() as AddressInfo).port, '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      socket.write('hello?')
      socket.once('data', (data) => resolve(String(data)))
      socket.once('close', () => resolve(''))
    })

  it('one address has a limited number of connections; closing one makes room', async () => {
    await start(3, () => false)
    expect(await Promise.all([enter(), enter(), enter()])).toEqual(['hello', 'hello', 'hello'])
    expect(await enter()).toBe('')
    expect(await enter()).toBe('')
    sockets[0]!.destroy()
    await expect.poll(enter).toBe('hello')
  })

  it('the limit does not hold for addresses that many clients share', async () => {
    await start(1, isLoopback)
    expect(await Promise.all([enter(), enter(), enter(), enter()])).toEqual(['hello', 'hello', 'hello', 'hello'])
  })

  it('a connection without traffic ends, and one with traffic stays', async () => {
    await start(3, () => false, 600)
    await Promise.all([enter(), enter()])
    const [silent, busy] = sockets
    const talk = setInterval(() => busy!.write('hello?'), 50)
    await new Promise((resolve) => silent!.once('close', resolve))
    clearInterval(talk)
    expect(busy!.closed).toBe(false)
  })

  it('a whole /64 of IPv6 counts as one address', () => {
    // Several such addresses cannot be had here: a server that only tells of connections.
    const listener = new EventEmitter()
    watchConnections(listener as Server, { most: 2, exempt: () => false })
    const arrive = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroyed: false,
        destroy: () => Object.assign(socket, { destroyed: true }),
      })
      listener.emit('connection', socket)
      return socket
    }
    const [first, second, third] = ['2001:db8::1', '2001:db8::2:0:0:2', '2001:db8:0:0:ffff::3'].map(arrive)
    expect([first, second, third].map((socket) => socket?.destroyed)).toEqual([false, false, true])
    expect(arrive('2001:db8:0:1::1').destroyed).toBe(false)
    first!.emit('close')
    expect(arrive('2001:db8::4').destroyed).toBe(false)
    expect(arrive('2001:db8::5').destroyed).toBe(true)
  })
})
