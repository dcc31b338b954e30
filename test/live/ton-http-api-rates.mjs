// How many calls a second ton-http-api answers, and how many a tonway that reads the same chain through the same lite-server: the floor says twice as many.
// Sixteen clients ask one after the other. A state and a get-method are asked about something else each time, so no cache of ours answers them; the other
// calls repeat, as callers do, and there the cache is part of what is compared. ton-http-api has none unless it is given Redis.
import { Agent, request } from 'node:http'
import { startService } from './start-service.mjs'

const CLIENTS = 16
const WARM_MS = 1_500
const RUN_MS = 5_000

/** Flags of a tonway on another chain's lite-server. */
const beside = (config) => ['--network', 'copy', '--global-config', config, '--anonymous-rps', 'unlimited', '--index', 'off']

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })

const send = (base, [path, body]) =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(`${base}/${path}`, { agent, method, headers: { 'Content-Type': 'application/json' } }, (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${path} at ${base} answers ${response.statusCode}`)),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })

const perSecond = async (base, next, ms) => {
  const begun = performance.now()
  let answered = 0
  const client = async () => {
    while (performance.now() - begun < ms) {
      // Their server closes a connection at times, perhaps at the very moment of the next request.
      const call = next()
      await send(base, call).catch(() => send(base, call))
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return (answered * 1_000) / (performance.now() - begun)
}

/** A line for each call: calls a second there and here. */
export const rates = async (config, theirs, wallet) => {
  const { url, stop } = await startService(...beside(config))
  const ours = `${url}/api/v2`
  let count = 0
  const another = () => {
    count += 1
    return count
  }
  const calls = {
    getMasterchainInfo: () => ['getMasterchainInfo'],
    getAddressBalance: () => [`getAddressBalance?address=${wallet}`],
    'getAddressInformation, another account each time': () => [
      `getAddressInformation?address=0:${another().toString(16).padStart(64, '5')}`,
    ],
    'runGetMethod, another stack each time': () => [
      'runGetMethod',
      JSON.stringify({ address: wallet, method: 'seqno', stack: [['num', String(another())]] }),
    ],
    getTransactions: () => [`getTransactions?address=${wallet}&limit=1`],
  }
  const lines = []
  try {
    for (const [name, next] of Object.entries(calls)) {
      for (const base of [theirs, ours]) await perSecond(base, next, WARM_MS)
      const there = await perSecond(theirs, next, RUN_MS)
      const here = await perSecond(ours, next, RUN_MS)
      lines.push(`${name}: ${there.toFixed(0)} a second there, ${here.toFixed(0)} here, ${(here / there).toFixed(1)} times as many`)
    }
  } finally {
    stop()
    agent.destroy()
  }
  return lines
}
