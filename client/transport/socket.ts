/** The part of a WebSocket that is used. The browser's WebSocket and that of the package `ws` both have it. */
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
  /** The pause before the n-th attempt is random between 0 and `base * 2^n` milliseconds, at most `cap`. Defaults: 200 and 10,000. */
  readonly base?: number | undefined
  readonly cap?: number | undefined
  /** Number of failed attempts in a row after which waiting calls fail; default 5. */
  readonly attempts?: number | undefined
}

export interface LineOptions extends ReconnectOptions {
  readonly url: string
  readonly WebSocket: SocketConstructor
  /** Milliseconds that a socket may take to open. After them it counts as lost. */
  readonly timeout: number
}

/** Events of a line. */
export interface LineEvents {
  open(): void
  message(data: unknown): void
  /** The socket is lost. `hopeless`: `attempts` attempts in a row have failed. `wasOpen`: it had been opened. */
  lost(hopeless: boolean, wasOpen: boolean): void
  /** Whether the line is still needed. If not, it does not reconnect. */
  needed(): boolean
}

/** One socket at a time. It is opened when it is needed, and again after it is lost. */
export interface Line {
  /** Opens the socket, unless it is open, opening, or about to reconnect. */
  open(): void
  /** Sends the text if the socket is open. Returns whether it was. */
  send(text: string): boolean
  /** Gives up the socket as dead, and reconnects if the line is needed. */
  drop(): void
  close(): void
}

export const createLine = ({ url, WebSocket, timeout, base = 200, cap = 10_000, attempts = 5 }: LineOptions, events: LineEvents): Line => {
  let socket: SocketLike | undefined
  let isOpen = false
  let failures = 0
  /** The pause before the next attempt. */
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Ends a socket that does not open in time. */
  let openTimer: ReturnType<typeof setTimeout> | undefined

  /** Closes the old socket and ignores its events. */
  const detach = (): void => {
    clearTimeout(openTimer)
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    // A socket that is closed while it connects still emits an error.
    socket.onerror = () => {}
    try {
      socket.close()
    } catch {}
    socket = undefined
    isOpen = false
  }
  const drop = (): void => {
    const wasOpen = isOpen
    detach()
    failures++
    events.lost(failures >= attempts, wasOpen)
    if (events.needed()) timer ??= setTimeout(connect, Math.random() * Math.min(cap, base * 2 ** failures))
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
    // A server can take a connection and never answer. Subscriptions alone would not notice: they have no call that waits.
    openTimer = setTimeout(drop, timeout)
    socket.onopen = () => {
      clearTimeout(openTimer)
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
