import { createClient, http, type TonClient, webSocket } from '../../index.ts'
import { createLanes } from '../../request-slots.ts'
import { createStore, createStored } from './store.ts'

/** Path prefix of the service: '' at the root, `/testnet` under a network's prefix. The last part, such as `docs`, is not in the prefix. */
const base: string = location.pathname.replace(/\/[^/]*$/, '')

export const serviceUrl: string = location.origin + base

/** The API key of this browser tab; '' if there is none. Stored until the tab is closed. */
const storedKey = createStored(() => sessionStorage, 'tonway-key')
export const readKey = storedKey.read

/** Stores the key for this tab and reloads the page, so that every call uses the key. */
export const saveKey = (key: string): void => {
  storedKey.write(key)
  location.reload()
}

/** True if the service has refused a request that another API key could allow. */
export const isKeyNeeded = createStore(false)

const key = readKey()
const server = { url: serviceUrl, ...(key !== '' && { key }) }

/** Loads a picture into the browser's cache, and returns its URL. */
const preload = async (url: string, signal: AbortSignal): Promise<string> => {
  const image = new Image()
  signal.addEventListener('abort', () => image.removeAttribute('src'), { once: true })
  image.src = url
  await image.decode()
  return url
}

/** At most four pictures load at a time. */
const lanes = createLanes(4, Infinity)

/** Loads a token's picture and returns its URL. Rejects if there is no picture, or if the queue is full. */
export const loadPicture = async (account: string, signal: AbortSignal): Promise<string> => {
  if (!(await lanes.enter(signal))) throw signal.reason ?? new Error('too many pictures wait')
  try {
    return await (key === '' ? preload(`${serviceUrl}/picture/${account}`, signal) : loadPictureWithKey(account, signal))
  } finally {
    lanes.leave()
  }
}

/** Loads a picture as a `data:` URL, because browsers cannot send the key with an ordinary picture request. */
const loadPictureWithKey = async (account: string, signal: AbortSignal): Promise<string> => {
  const answer = await fetch(`${serviceUrl}/picture/${account}`, { headers: { 'X-API-Key': key }, signal })
  if (!answer.ok) throw new Error(`no picture: ${answer.status}`)
  const reader = new FileReader()
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
  })
  reader.readAsDataURL(await answer.blob())
  return read
}

/** The client of the page. Calls of one tick are sent as one POST. */
export const ton: TonClient = createClient({ transport: http({ ...server, timeout: 15_000 }), retry: { times: 2 } })

let socket: TonClient | undefined

/** One client for the events of the whole page. Its socket opens with the first subscription. */
export const eventClient = (): TonClient => {
  socket ??= createClient({ transport: webSocket(server) })
  return socket
}
