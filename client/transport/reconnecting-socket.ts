/** The members of a WebSocket that the client uses. The browser's WebSocket and the package `ws` both have them. */
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
  /** Number of consecutive failed attempts after which waiting calls fail; default 5. */
  readonly attempts?: number | undefined
}

export interface LineOptions extends ReconnectOptions {
  readonly url: string
  readonly WebSocket: SocketConstructor
  /** Maximum milliseconds for opening a socket. After that the socket counts as lost. */
  readonly timeout: number
}

export interface LineEvents {
  open(): void
  message(data: unknown): void
  /** The socket is lost. `hopeless`: `attempts` consecutive attempts have failed. `wasOpen`: the socket had been open. */
  lost(hopeless: boolean, wasOpen: boolean): void
  /** The server closed the socket for good, for example because the API key was revoked. */
  refused(reason: string): void
  /** Returns whether the line is still in use. An unused line does not reconnect. */
  needed(): boolean
}

/** Close code of a server that refuses the client (RFC 6455). */
const POLICY = 1008

/** A connection with one socket at a time. The socket is opened on demand, and again after it is lost. */
export const createLine = ({ url, WebSocket, timeout, base = 200, cap = 10_000, attempts = 5 }: LineOptions, events: LineEvents) => {
  let socket: SocketLike | undefined
  let isOpen = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let openTimer: ReturnType<typeof setTimeout> | undefined

  const detach = (): void => {
    clearTimeout(openTimer)
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    // Closing a socket that is still connecting emits an error event, which would throw without a handler.
    socket.onerror = () => {}
    try {
      socket.close()
    } catch {}
    socket = undefined
    isOpen = false
  }
  /** Drops a dead socket, and reconnects if the line is in use. */
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
    // A server can accept a TCP connection and never respond. Subscriptions have no calls that time out, so only this timer notices.
    openTimer = setTimeout(drop, timeout)
    socket.onopen = () => {
      clearTimeout(openTimer)
      isOpen = true
      failures = 0
      events.open()
    }
    socket.onmessage = ({ data }: { readonly data: unknown }) => events.message(data)
    socket.onerror = drop
    socket.onclose = ({ code, reason }: { readonly code?: number; readonly reason?: string }) => {
      if (code !== POLICY) return drop()
      detach()
      events.refused(reason || 'the server refuses this client')
    }
  }
  return {
    /** Opens the socket, unless it is open, opening or about to reconnect. */
    open(): void {
      if (!timer) connect()
    },
    /** Sends the text if the socket is open. Returns false otherwise. */
    send(text: string): boolean {
      if (isOpen) socket!.send(text)
      return isOpen
    },
    drop,
    close(): void {
      clearTimeout(timer)
      timer = undefined
      detach()
    },
  }
}

export type Line = ReturnType<typeof createLine>
