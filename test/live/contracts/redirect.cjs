// Loaded into other people's programs by `node --require`: their requests to public services of TON's test network go to the service at TONWAY_URL, so
// that neither they nor their libraries are changed. Requests to other hosts stay as they are.
const http = require('node:http')
const https = require('node:https')
const { syncBuiltinESMExports } = require('node:module')

const own = new URL(process.env.TONWAY_URL)

/** What @orbs-network/ton-access asks first: the machines that serve an interface. */
const ORBS_NODES = [{ NodeId: '0'.repeat(40), Healthy: '1', Weight: 1, Mngr: { health: { 'v2-testnet': true } } }]
const ORBS = 'ton.access.orbs.network'
const TONCENTER = 'testnet.toncenter.com'

/** The address at TONWAY_URL for one of a public service; undefined for any other. */
const ownAddress = ({ hostname, pathname, search }) => {
  if (hostname === TONCENTER) return new URL(pathname + search, own)
  if (hostname === ORBS) return new URL(`/api/v2${pathname.slice(pathname.lastIndexOf('/'))}`, own)
}

const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  const asked = new URL(input.url ?? input)
  if (asked.hostname === ORBS && asked.pathname === '/mngr/nodes') return Response.json(ORBS_NODES)
  return fetch(ownAddress(asked) ?? input, init)
}

const { request } = https
https.request = (...given) => {
  const isUrl = typeof given[0] === 'string' || given[0] instanceof URL
  const [options, done] = isUrl && typeof given[1] === 'object' ? [given[1], given[2]] : [isUrl ? {} : given[0], given[1]]
  const asked = isUrl ? new URL(given[0]) : new URL(options.path ?? '/', `https://${options.hostname ?? options.host}`)
  const address = ownAddress(asked)
  if (address === undefined) return request.apply(https, given)
  const { hostname, port, pathname, search } = address
  // The agent and the name of the certificate belong to TLS.
  const { agent: _, servername: __, ...kept } = options
  return http.request({ ...kept, protocol: 'http:', host: hostname, hostname, port, path: pathname + search }, done)
}
syncBuiltinESMExports()
