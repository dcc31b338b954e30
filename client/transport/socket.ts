/** What is used of a WebSocket; the browser's and that of the package `ws` are such. */
export interface SocketLike {
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  send(text: string): void
  close(): void
}
export type SocketConstructor = new (url: string) => SocketLike

export interface ReconnectOptions {
  /** The pause before the n-th attempt is random between nothing and `base * 2^n` milliseconds, at most `cap`: 200, 10,000. */
  readonly base?: number | undefined
  readonly cap?: number | undefined
  /** So many attempts in a row fail before the calls that wait do; 5. */
  readonly attempts?: number | undefined
}

export interface LineOptions extends ReconnectOptions {
  readonly url: string
  readonly WebSocket: SocketConstructor
}

/** What happens on a line. */
export interface LineEvents {
  open(): void
  message(data: unknown): void
  /** The socket is gone; `hopeless`: so many attempts to connect have failed in a row. */
  lost(hopeless: boolean): void
  /** Whether anybody needs the line: without need there is no reconnecting. */
  wanted(): boolean
}

/** One socket at a time, opened when it is needed and again after it is lost. */
export interface Line {
  /** Opens it unless it is open or being opened. */
  open(): void
  /** Sends if it is open. */
  send(text: string): boolean
  /** Gives the socket up as dead, and connects again if anybody needs it. */
  drop(): void
  close(): void
}

export const createLine = ({ url, WebSocket, base = 200, cap = 10_000, attempts = 5 }: LineOptions, events: LineEvents): Line => {
  let socket: SocketLike | undefined
  let isOpen = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Nothing of the old socket is heard any more. */
  const detach = (): void => {
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    // A socket closed while it connects still complains.
    socket.onerror = () => {}
    try {
      socket.close()
    } catch {}
    socket = undefined
    isOpen = false
  }
  const drop = (): void => {
    detach()
    failures++
    events.lost(failures >= attempts)
    if (events.wanted()) timer ??= setTimeout(connect, Math.random() * Math.min(cap, base * 2 ** failures))
  }
  const connect = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (socket) return
    try {
      socket = new WebSocket(url)
    } catch {}
    if (!socket) drop()
    else listen(socket)
  }
  const listen = (socket: SocketLike): void => {
    socket.onopen = () => {
      isOpen = true
      failures = 0
      events.open()
    }
    socket.onmessage = ({ data }: { readonly data: unknown }) => events.message(data)
    socket.onclose = socket.onerror = drop
  }
  return {
    open() {
      if (!timer) connect()
    },
    send(text) {
      if (isOpen) socket!.send(text)
      return isOpen
    },
    drop,
    close() {
      clearTimeout(timer)
      timer = undefined
      detach()
    },
  }
}
